"""Workbooks with several sheets, databases with several tables."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import openpyxl
import pytest


@pytest.fixture(params=["xlsx", "sqlite"])
def several(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"patients.{request.param}"
    rows = [(20 + n // 4, "flu") for n in range(8)]
    if request.param == "xlsx":
        book = openpyxl.Workbook()
        book.create_sheet("people")
        for row in [("age", "disease"), *rows]:
            book["people"].append(row)
        book.save(path)
    else:
        with closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE other (x)")
            database.execute("CREATE TABLE people (age, disease)")
            database.executemany("INSERT INTO people VALUES (?, ?)", rows)
            database.commit()
    return path


def test_one_of_several_is_named(run: Any, several: Path) -> None:
    flags = ("anonymize", several, "-q", "age", "-k", "4", "--json")
    result = run(*flags, "--sheet", "people")
    assert json.loads(result.stdout)["rows"] == 8


def test_without_a_name_the_option_is_offered(run: Any, several: Path) -> None:
    result = run("inspect", several)
    assert result.exit_code == 2
    assert "with --sheet: " in result.stderr
    assert "people" in result.stderr
