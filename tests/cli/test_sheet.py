"""Workbooks with several sheets, databases with several tables."""

from __future__ import annotations

import json
import shlex
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
    for option in ("--sheet", "--table"):
        result = run(*flags, option, "people")
        assert json.loads(result.stdout)["rows"] == 8


def test_with_a_ledger_its_table_is_named_and_not_that_of_the_file(
    run: Any, several: Path, tmp_path: Path
) -> None:
    flags = ("-q", "age", "-k", "4", "--json", "--ledger", tmp_path / "l", "--to", "public")
    named = ("--table", "visits", "-o", tmp_path / "o.csv")
    refused = run("anonymize", several, *flags, *named)
    assert refused.exit_code == 2 and "with --sheet" in refused.stderr
    done = run("anonymize", several, *flags, *named, "--sheet", "people")
    assert json.loads(done.stdout)["ledger"]["table"] == "visits"


def test_without_a_name_the_option_is_offered(run: Any, several: Path) -> None:
    result = run("inspect", several)
    assert result.exit_code == 2
    assert "with --sheet: " in result.stderr
    assert "people" in result.stderr


def test_the_next_command_names_everything_that_this_one_needed(
    run: Any, several: Path, tmp_path: Path
) -> None:
    printed = run("inspect", several, "--table", "people").stdout.splitlines()[-1].strip()
    policy = f"{several.name.partition('.')[0]}.yaml"
    assert printed == f"discreet inspect {several} --write-policy {policy} --sheet people"
    path = tmp_path / "odd name.csv"
    rows = [f"{n}x{n};th\xe9" for n in range(4)]
    path.write_bytes("\n".join(["31;caf\xe9", *rows]).encode("latin-1"))
    flags = ("--separator", ";", "--encoding", "latin-1", "--header")
    done = run("inspect", path, *flags, "--write-policy", tmp_path / "p.yaml")
    words = shlex.split(done.stdout.splitlines()[-1])
    assert words[:6] == ["discreet", "anonymize", str(path), "--policy", f"{tmp_path}/p.yaml", "-o"]
    assert words[6] == "odd name_release.csv" and words[7:] == list(flags)
    poor = ("-q", "31", "-k", "4", "--suppress", "0", "--algorithm", "suppress")
    told = run("anonymize", path, *flags, *poor).stdout
    asked = next(line for line in told.splitlines() if line.startswith("  discreet advise "))
    again = shlex.split(asked)[1:]
    assert set(again) >= {str(path), "-q", "31", "-k", "4", "--suppress", "0", *flags}
    assert run(*again).exit_code == 0
