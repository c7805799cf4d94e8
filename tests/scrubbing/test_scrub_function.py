"""``discreet.scrub``: what the command does, from Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import discreet
from discreet.cli.app import app
from discreet.errors import ArgumentError

TEXT = "Dr. Frank Graves called Mary Miller on March 3, 1994 at 617-555-0134.\n"


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text(TEXT)
    return path


def test_the_function_gives_what_the_command_prints(note: Path) -> None:
    printed = CliRunner().invoke(app, ["scrub", str(note), "--style", "tag", "--json"])
    assert json.loads(printed.stdout) == discreet.scrub(note, style="tag").facts()


def test_what_is_written_has_no_name_left(note: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    report = discreet.scrub(note, out, style="tag")
    assert report.facts()["documents"] == 1
    assert "Graves" not in out.read_text()
    assert out.read_text().startswith("Dr. [NAME 1] called [NAME 2] on ")


def test_names_that_are_known_are_found(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("seen with Bell today\n")
    out = tmp_path / "out.txt"
    discreet.scrub(note, out, style="tag", people=["Ann Bell"])
    assert out.read_text() == "seen with [NAME 1] today\n"


def test_a_folder_becomes_a_folder_under_one_key(note: Path, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text(TEXT)
    key = tmp_path / "scrub.key"
    discreet.scrub(folder, tmp_path / "out", scope="corpus", key=key)
    first, second = ((tmp_path / "out" / name).read_text() for name in ("a.txt", "b.txt"))
    assert first == second != TEXT
    discreet.scrub(note, tmp_path / "again.txt", scope="corpus", key=key)
    assert (tmp_path / "again.txt").read_text() == first


def test_documents_that_are_read_are_never_written_over(note: Path, tmp_path: Path) -> None:
    for place in (note, tmp_path):
        with pytest.raises(ArgumentError, match="the documents are there"):
            discreet.scrub(note, place, replace=True)
    assert note.read_text() == TEXT


def test_a_file_that_exists_stays_unless_it_may_be_replaced(note: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    out.write_text("mine")
    with pytest.raises(ArgumentError, match="exists already"):
        discreet.scrub(note, out)
    assert out.read_text() == "mine"
    discreet.scrub(note, out, replace=True)
    assert out.read_text() != "mine"


def test_the_scope_of_a_person_needs_a_column(note: Path) -> None:
    with pytest.raises(ArgumentError, match="no column identifies the person"):
        discreet.scrub(note, scope="person")
