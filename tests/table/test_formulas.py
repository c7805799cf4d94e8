"""Cells that a spreadsheet program would run are counted and reported, never quoted."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import discreet
from discreet.table.formulas import is_formula

CELLS = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\tx", "-5", "+7", "-5 to 4", "--", "a"]


@pytest.fixture
def release() -> Any:
    frame = pa.table({"sex": ["m"] * 5 + ["f"] * 5, "note": CELLS, "@name": ["x"] * 10})
    policy = discreet.Policy(
        columns={
            "sex": {"role": "quasi"},
            "note": {"role": "sensitive"},
            "@name": {"role": "other"},
        },
        require=[{"k_anonymity": {"k": 5}}],
    )
    return discreet.anonymize(discreet.read(frame), policy)


@pytest.mark.parametrize("text", CELLS)
def test_numbers_and_ranges_are_not_formulas(text: str) -> None:
    assert is_formula(text) == (CELLS.index(text) < 5)


def test_formulas_in_a_csv_release_are_reported(release: Any, tmp_path: Path) -> None:
    release.write(tmp_path / "out.csv")
    told = " ".join(release.facts()["notes"])
    assert "5 cells of 1 column (note) start like a formula" in told
    assert "a released column has a name that starts like a formula" in told
    assert "cmd" not in told


def test_a_workbook_holds_them_as_text_and_needs_no_note(release: Any, tmp_path: Path) -> None:
    release.write(tmp_path / "out.xlsx")
    assert "formula" not in " ".join(release.facts()["notes"])
    with zipfile.ZipFile(tmp_path / "out.xlsx") as book:
        sheet = book.read("xl/worksheets/sheet1.xml")
    assert b"<f" not in sheet
    assert b"=cmd" in sheet
