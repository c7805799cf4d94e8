"""What a person decided on the review page is read from a file, checked, and done."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from discreet.errors import SourceError
from discreet.scrubbing.finder import Finder, Work, WorkFindings
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.formats.documents import list_inputs
from discreet.scrubbing.formats.target import open_folder
from discreet.scrubbing.replace.replacer import Replacer
from discreet.scrubbing.report import ScrubReport
from discreet.scrubbing.review.decisions import (
    FORMAT,
    Decision,
    Decisions,
    apply_decisions,
    hash_text,
    make_deciding_finder,
)
from discreet.scrubbing.scrub import Scrub

TEXT = "Mary Miller saw Will and zorbwick on March 3, 1994."
Save = Callable[..., Path]


def _row(word: str, do: str, text: str = TEXT, **more: Any) -> dict[str, Any]:
    start = text.index(word)
    found = {
        "document": "a.txt",
        "digest": hash_text(text),
        "start": start,
        "end": start + len(word),
    }
    return {**found, "do": do, "kind": "NAME", **more}


@pytest.fixture
def save(tmp_path: Path) -> Save:
    def write(*rows: Any, **more: Any) -> Path:
        path = tmp_path / "decisions.json"
        path.write_text(json.dumps({"format": FORMAT, "decisions": list(rows), **more}))
        return path

    return write


def _finding(word: str, kind: str = "NAME") -> Finding:
    start = TEXT.index(word)
    return Finding(start, start + len(word), kind, 0.8, "detector", "reason")


def _decided(*decisions: Decision) -> list[tuple[str, str]]:
    found = [_finding("Mary Miller"), _finding("Will"), _finding("March 3, 1994", "DATE")]
    return [(TEXT[f.start : f.end], f.kind) for f in apply_decisions(TEXT, found, decisions)]


def test_what_is_kept_is_not_found_and_what_was_missed_is() -> None:
    will, missed = TEXT.index("Will"), TEXT.index("zorbwick")
    done = _decided(
        Decision(will, will + 4, True, "NAME"), Decision(missed, missed + 8, False, "CITY")
    )
    assert done == [("Mary Miller", "NAME"), ("zorbwick", "CITY"), ("March 3, 1994", "DATE")]


def test_a_finding_that_reaches_out_of_what_is_kept_stays() -> None:
    assert ("Mary Miller", "NAME") in _decided(Decision(0, 4, True, "NAME"))


def test_of_a_finding_across_what_is_replaced_the_rest_is_replaced_too() -> None:
    will = TEXT.index("Will")
    done = _decided(Decision(5, will + 4, False, "ORGANIZATION"))
    assert done[:2] == [("Mary", "NAME"), ("Miller saw Will", "ORGANIZATION")]


def test_what_is_both_kept_and_replaced_is_replaced() -> None:
    both = (Decision(25, 33, True, "NAME"), Decision(25, 33, False, "NAME"))
    assert ("zorbwick", "NAME") in _decided(*both)


@pytest.mark.parametrize(
    "row",
    [
        {},
        [],
        _row("Will", "drop"),
        _row("Will", "keep", kind="NOSUCH"),
        _row("Will", "keep", kind=["NAME"]),
        _row("Will", "keep", start=-1),
        _row("Will", "keep", start=True),
        _row("Will", "keep", end=3),
        _row("Will", "keep", digest=7),
    ],
)
def test_an_unsound_decision_is_refused_by_its_number(save: Save, row: Any) -> None:
    with pytest.raises(SourceError, match="decision 2 is not valid"):
        Decisions.load(save(_row("Will", "keep"), row))


def test_other_files_are_refused(save: Save, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="not a file of decisions"):
        Decisions.load(save(format="other"))
    (tmp_path / "x").write_bytes(b"\xff{")
    with pytest.raises(SourceError, match="not JSON"):
        Decisions.load(tmp_path / "x")


def test_doubtful_findings_that_are_decided_are_no_longer_doubtful(save: Save) -> None:
    finder = make_deciding_finder(Finder(doubtful=True), save(_row("zorbwick", "keep")))
    near = [_finding("zorbwick"), _finding("March 3, 1994", "DATE")]
    looked = finder._apply_decisions(Work((TEXT,)), WorkFindings([[]], [near]))
    assert looked.doubtful == [near[1:]]


def test_decisions_are_done_in_texts_and_in_rows(save: Save, tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.txt").write_text(TEXT)
    cell = "seen by dunkelvik, Mary"
    (source / "b.csv").write_text(f'n,note\n1,"{cell}"\n')
    rows = [_row("Will", "keep"), _row("zorbwick", "replace"), _row("dunkelvik", "replace", cell)]
    finder = make_deciding_finder(Finder(jobs=1), save(*rows))
    job = Scrub(finder, Replacer("blank"), columns=("note",))
    report = ScrubReport()
    with open_folder(tmp_path / "out") as target:
        job(list_inputs([source], report), target, report)
    finder.check_met()
    assert (
        (tmp_path / "out" / "a.txt").read_text().startswith("*********** saw Will and ******** on")
    )
    assert "seen by *********, " in (tmp_path / "out" / "b.csv").read_text()
    assert finder.facts() == {"kept": 1, "replaced": 2}


def test_a_decision_about_a_text_that_was_changed_is_not_passed_over(save: Save) -> None:
    finder = make_deciding_finder(
        Finder(jobs=1), save(_row("Will", "keep"), _row("zorbwick", "replace"))
    )
    list(finder.look([Work((TEXT + " ",))]))
    with pytest.raises(SourceError, match="not here or were changed: 2"):
        finder.check_met()


def test_a_decision_that_reaches_behind_the_end_of_its_text_is_not_passed_over(save: Save) -> None:
    finder = make_deciding_finder(
        Finder(jobs=1), save(_row("zorbwick", "replace", end=len(TEXT) + 1))
    )
    list(finder.look([Work((TEXT,))]))
    with pytest.raises(SourceError, match="not here or were changed: 1"):
        finder.check_met()


def test_a_place_behind_the_end_of_a_text_is_no_place() -> None:
    assert apply_decisions("Ann", [], [Decision(1, 9, False, "NAME")]) == []
