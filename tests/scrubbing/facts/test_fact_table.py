"""The table of facts: who is unique in it, who is one row, who may read it."""

from __future__ import annotations

import csv
import json
import stat
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from discreet.cli.main import app
from discreet.errors import WriteError
from discreet.scrubbing.facts import FactTable
from discreet.scrubbing.facts.fact_table import GatheringReview
from discreet.scrubbing.formats.flow import cut_pieces
from discreet.scrubbing.machine import Scrubber
from tests.scrubbing.corpus.make import corpus
from tests.scrubbing.facts.test_fact_reader import FIGURE_115


def _run(*args: object) -> Any:
    return CliRunner().invoke(app, [str(arg) for arg in args])


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text(FIGURE_115)
    (folder / "b.txt").write_text("She is 5 years old and has a cough.")
    (folder / "c.txt").write_text("She is 5 years old and sleeps well.")
    (folder / "d.txt").write_text("no complaints")
    return folder


def test_the_events_of_figure_115_are_unique_in_a_made_corpus() -> None:
    scrubber, table = Scrubber(), FactTable()
    texts = [*(one.text for one in corpus(30)), FIGURE_115]
    for number, text in enumerate(texts):
        table.add(f"{number}", text, scrubber.find(text))
    rows = list(table.rows())
    events = Counter(facts.events for _, facts in rows)
    assert len(rows) == len(texts)
    assert events[rows[-1][1].events] == 1
    assert events[""] > 20


def test_a_row_without_facts_is_not_unique() -> None:
    table = FactTable()
    table.add("a", "nothing", [])
    assert table.facts() == {"rows": 1, "telling": 0, "unique": 0}


def test_pieces_of_a_document_and_documents_of_a_person_make_one_row() -> None:
    whole, people = FactTable(), FactTable(by_person=True)
    for document, person in (("a", "7"), ("a", "7"), ("b", "7"), ("c", None)):
        whole.add(document, "He had a transplant.", [], person)
        people.add(document, "He had a transplant.", [], person)
    assert [name for name, _ in whole.rows()] == ["a", "b", "c"]
    assert [name for name, _ in people.rows()] == ["c", "7"]


def test_a_long_text_is_one_row_and_what_lies_on_a_cut_is_seen() -> None:
    review = GatheringReview(0.7)
    text = "He slept. " * 9 + "He was struck by lightning. " + "He ate. " * 9 + "He is a twin."
    cut = list(cut_pieces([text], size=110, margin=30))
    for number, piece in enumerate(cut, 1):
        review.add(f"a.txt, piece {number}", piece, [], [])
    assert len(cut) > 1
    ((name, facts),) = review.table.rows()
    assert (name, facts.events) == ("a.txt", "lightning; multiple birth")


def test_a_document_called_like_a_person_is_a_row_of_its_own() -> None:
    table = FactTable(by_person=True)
    table.add("7", "He slept.", [])
    table.add("a", "He had a transplant.", [], "7")
    assert [facts.events for _, facts in table.rows()] == ["", "transplant"]


def test_the_command_writes_the_table_for_its_owner_alone(notes: Path, tmp_path: Path) -> None:
    out = tmp_path / "facts.csv"
    done = _run("scrub", notes, "-o", tmp_path / "clean", "--facts", out)
    assert done.exit_code == 0, done.stderr
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert [row["age"] for row in _read(out)] == ["5", "5", "5", ""]
    assert (tmp_path / "clean" / "a.txt").read_text() == FIGURE_115
    said = " ".join(done.stdout.split())
    assert "private, readable only by you" in said
    assert "3 of 4 rows contain facts; 1 of these" in said
    assert "not anonymous" in said
    assert "foster" not in said


def test_a_file_that_others_could_read_is_theirs_no_longer(notes: Path, tmp_path: Path) -> None:
    out = tmp_path / "facts.csv"
    out.write_text("old")
    out.chmod(0o644)
    assert _run("scrub", notes, "--facts", out).exit_code == 2
    assert _run("scrub", notes, "--facts", out, "--force", "--quiet").exit_code == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert len(_read(out)) == 4


def test_json_has_counts(notes: Path, tmp_path: Path) -> None:
    out = tmp_path / "facts.csv"
    facts = json.loads(_run("scrub", notes, "--facts", out, "--json").stdout)["facts"]
    assert facts == {"rows": 4, "telling": 3, "unique": 1}


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_rows_of_a_person_are_one_row(tmp_path: Path, name: str) -> None:
    given = [("1", "He had a transplant."), ("2", "She was kidnapped."), ("1", "He is a twin.")]
    given.append(("", "They slept."))
    if name == "t.csv":
        lines = ["id,note", *(f"{who},{note}" for who, note in given)]
    else:
        lines = [json.dumps({"id": who or None, "note": note}) for who, note in given]
    (tmp_path / name).write_text("\n".join(lines) + "\n")
    out = tmp_path / "facts.csv"
    done = _run("scrub", tmp_path / name, "--column", "note", "--person", "id", "--facts", out)
    assert done.exit_code == 0, done.stderr
    events = {row["person"]: row["events"] for row in _read(out)}
    assert events["1"] == "multiple birth; transplant"
    assert events["2"] == "kidnapping"
    assert len(events) == 3


def test_the_review_page_is_still_written(notes: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = _run("scrub", notes, "--facts", tmp_path / "f.csv", "--review", page)
    assert done.exit_code == 0, done.stderr
    assert "foster care" in page.read_text()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (("--facts", "clean/facts.csv", "-o", "clean"), "private"),
        (("notes", "-o", "other", "--facts", "notes/facts.csv"), "folder that is read"),
        (("--facts", "facts.txt"), "ending"),
        (("--facts", "facts.csv", "--kinds", "NAME"), "ages, dates and places"),
        (("--facts", "none/facts.csv"), "folder does not exist"),
        (("--facts", "same.csv", "-o", "same.csv"), "private"),
    ],
)
def test_what_cannot_be_is_refused(
    notes: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...], why: str
) -> None:
    monkeypatch.chdir(notes.parent)
    Path("clean").mkdir()
    done = _run("scrub", "notes/a.txt", *more)
    assert done.exit_code == 2
    assert why in " ".join(done.stderr.split())
    assert not Path("facts.csv").exists()


def test_a_folder_that_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(WriteError):
        FactTable().write(tmp_path / "none" / "facts.csv")
