"""ZIP codes as three digits, or 000."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import ParameterError, SourceError, UnknownColumnError
from discreet.kinds.zip_area import ZipTable
from discreet.table.read import read
from discreet.techniques import Zip3


def coded(values: list[str | None], kind: pa.DataType | None = None) -> list[str | None]:
    table = read(pa.table({"zip": pa.array(values, kind or pa.string())}))
    found: list[str | None] = (
        Zip3(("zip",))(table, seed=0).scan(text=["zip"]).read_all()["zip"].to_pylist()
    )
    return found


@pytest.mark.parametrize(
    ("value", "expected"),
    [("02138", "021"), ("2138", "021"), ("2138.0", "021"), ("02138-1234", "021"),
     ("021381234", "021"), ("2138-1234", "021"), ("601", "006"), ("03601", "000"),
     ("09901", "000"), ("SW1A 1AA", "000"), ("1012 AB", "000"), ("unknown", "000"), (None, None),
     ("021**", "021"), ("0213*", "021"), ("02***", "000"), ("", None), (" 02138 ", "021")],
)  # fmt: skip
def test_in_a_column_of_five_digits(value: str | None, expected: str | None) -> None:
    assert coded(["60601", value]) == ["606", expected]


@pytest.mark.parametrize(
    ("value", "expected"), [("021", "021"), ("36", "000"), ("036", "000"), ("000", "000")]
)
def test_in_a_column_of_three_digits(value: str, expected: str) -> None:
    assert coded(["606", value]) == ["606", expected]


def test_zip_codes_that_are_numbers_get_their_zeros_back() -> None:
    assert coded([2138, 60601, None], pa.int64()) == ["021", "606", None]  # type: ignore[list-item]


def test_notices_count_what_was_met_and_date_the_table() -> None:
    table = read(pa.table({"zip": ["02138", "2139", "2139", "03601", "K1A 0B1", None]}))
    told = " ".join(Zip3(("zip",))(table, seed=0).notices)
    assert "2020-04-01" in told
    assert "2 values of 'zip' had lost leading zeros" in told
    assert "1 values of 'zip' are of areas with 20,000 or fewer" in told
    assert "1 values of 'zip' are not ZIP codes" in told
    assert "02138" not in told


@settings(max_examples=12, deadline=None)
@given(st.lists(st.text("0123456789-*xA ", max_size=10), min_size=1, max_size=8))
def test_nothing_but_large_areas_and_000_comes_out(values: list[str]) -> None:
    table = ZipTable.load()
    found = [one for one in coded(list(values)) if one is not None]
    assert all(one == "000" or table.keeps(one) for one in found)


def test_another_table_of_areas_is_used(tmp_path: Path) -> None:
    path = tmp_path / "areas.csv"
    path.write_text("# source: made\n# date: 2030\nzip3,population\n036,30000\n")
    table = read(pa.table({"zip": ["03601", "02138"]}))
    found = Zip3(("zip",), path)(table, seed=0)
    assert found.scan(text=["zip"]).read_all()["zip"].to_pylist() == ["036", "000"]


def test_bad_parameters_are_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="columns"):
        Zip3(())
    with pytest.raises(SourceError, match="no such file"):
        Zip3(("zip",), tmp_path / "none.csv")
    with pytest.raises(UnknownColumnError):
        Zip3(("plz",))(read(pa.table({"zip": ["02138"]})), seed=0)


@pytest.mark.parametrize("path", [7, True, b"areas.csv", ("areas.csv",)])
def test_what_is_no_path_of_a_table_is_refused(path: Any) -> None:
    with pytest.raises(ParameterError, match="zip_table"):
        Zip3(("zip",), path)
