"""Tables from standard input and releases to standard output, held in memory until checked."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from discreet.cli.main import app
from discreet.table import stream

TEXT = "zip,age,ill\n02138,31,flu\n02138,31,gout\n02139,44,flu\n02139,44,gout\n"
ASK = ("-q", "zip", "-q", "age", "-s", "ill", "-k", "2", "--keep-order", "--algorithm", "optimal")


def call(*args: Any, data: str | bytes = TEXT) -> Any:
    return CliRunner().invoke(app, [str(arg) for arg in args], input=data)


def test_rows_go_through_a_pipe_and_the_rest_is_said_on_standard_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("anonymize", "-", *ASK, "-o", "-")
    assert done.exit_code == 0
    assert done.stdout == TEXT
    assert "Written to standard output." in done.stderr
    assert not list(tmp_path.iterdir())
    checked = call("verify", "-", *ASK[:8], data=done.stdout)
    assert checked.exit_code == 0


def test_json_lines_come_out_as_json_lines() -> None:
    lines = '{"zip": "02138", "n": 9007199254740993}\n' * 2
    done = call("anonymize", "-", "-q", "zip", "-s", "n", "-k", "2", "-o", "-", data=lines)
    assert done.stdout == lines


def test_a_release_that_fails_its_check_prints_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError

    monkeypatch.setattr("discreet.pipeline.anonymize.require_kept", refuse)
    done = call("anonymize", "-", *ASK, "-o", "-")
    assert done.exit_code == 2 and not done.stdout


def test_the_kind_of_standard_input_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    rows = pa.table({"zip": ["02138"] * 2, "age": [31, 31]})
    pq.write_table(rows, tmp_path / "a.parquet")
    book = openpyxl.Workbook()
    for row in (("zip", "age"), ("02138", 31), ("02138", 31)):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    for data in (
        (tmp_path / "a.parquet").read_bytes(),
        (tmp_path / "a.xlsx").read_bytes(),
        gzip.compress(b"zip,age\n02138,31\n02138,31\n"),
        b'{"zip": "02138", "age": 31}\n' * 2,
    ):
        done = call("risk", "-", "-q", "zip", "-q", "age", "-k", "2", data=data)
        assert done.exit_code == 0, done.stderr
        assert "standard input" in done.stdout


@pytest.mark.parametrize(
    ("args", "data", "said"),
    [
        (("inspect", "-"), b"SQLite format 3\0", "a database cannot be read"),
        (("inspect", "-"), b"", "standard input: the file is empty"),
        (("attack", "-", "-q", "age", "--earlier", "-"), TEXT, "only one of the tables"),
        (("anonymize", "-", *ASK, "-o", "-", "--json"), TEXT, "both go to standard output"),
        (("together", "-", "b.csv", "--policy", "p.yaml"), TEXT, "has no name"),
    ],
)
def test_what_cannot_come_or_go_through_a_pipe_is_refused(
    args: tuple[str, ...], data: str | bytes, said: str
) -> None:
    done = call(*args, data=data)
    assert done.exit_code == 2
    assert said in (done.stdout if "--json" in args else done.stderr)


def test_more_than_memory_may_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MOST", 0)
    done = call("inspect", "-")
    assert done.exit_code == 2 and "held in memory" in done.stderr


def test_a_release_is_not_written_into_the_folder_that_is_read(tmp_path: Path) -> None:
    pq.write_table(pa.table({"zip": ["02138"] * 2}), tmp_path / "a.parquet")
    out = tmp_path / "b.parquet"
    done = call("anonymize", tmp_path, "-q", "zip", "-k", "2", "-o", out)
    assert done.exit_code == 2 and "the folder that is read" in done.stderr


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("s3://bucket/people.csv", "cloud storage (s3)"),
        ("gs://bucket/people.csv", "cloud storage (gs)"),
        ("https://example.org/people.csv", "no network connection"),
        ("ftp://ann:s3cr3t@example.org/people.csv", "a web address"),
        ("vertica://ann:s3cr3t@db/people", "this is an address, not a file"),
        ("file:///data/people.csv", "starts with file:"),
    ],
)
def test_an_address_is_refused_with_a_reason_and_a_way_out(address: str, said: str) -> None:
    done = call("inspect", address)
    assert done.exit_code == 2 and said in done.stderr
    assert "s3cr3t" not in done.stderr and "example.org" not in done.stderr
