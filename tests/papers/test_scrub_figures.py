"""Computational disclosure control, chapter 9: figures 107 to 109 and 114, by the whole machine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from discreet.cli.main import app
from discreet.scrubbing.evaluate import evaluate
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.machine import Scrubber
from tests.papers.test_scrub import LETTER
from tests.scrubbing.corpus.baselines import search_with_cues, straight_search
from tests.scrubbing.corpus.make import as_gold, corpus
from tests.scrubbing.corpus.mark import Made

ITALIC = (
    "Wednesday, February 2", "Marjorie", "Long", "Virginia", "Townsend", "John's", "32-841-09787",
    "Huntington 18", "05/26/86", "Boston", "02151", "Lang", "Dot", "Frank", "Brigham's",
    "U. S. Junior Gymnastics team", "Hodgkins", "Marina", "473-1214", "Patrick", "Hayes", "34764",
)  # fmt: skip
"""What is set in italics in figure 107, but for the month, the age and the state."""
KEPT = (
    "insulin dependent diabetes mellitus", "Lily Human Insulin", "female in follow up",
    "growing and gaining weight normally", "to schedule a follow-up visit for her daughter", "M.D.",
)  # fmt: skip


def _scrubbed(folder: Path, *choices: str) -> str:
    letter, out = folder / "letter.txt", folder / "scrubbed.txt"
    letter.write_text(LETTER)
    done = CliRunner().invoke(app, ["scrub", str(letter), "-o", str(out), *choices])
    assert done.exit_code == 0
    return out.read_text()


@pytest.mark.parametrize("style", ["pseudonym", "tag", "blank", "remove"])
def test_of_the_letter_of_figure_107_no_part_in_italics_stays(tmp_path: Path, style: str) -> None:
    new = _scrubbed(tmp_path, "--style", style)
    assert [part for part in ITALIC if part in new] == []
    assert [part for part in KEPT if part not in new] == []


def test_the_letter_of_figure_107_becomes_one_like_that_of_figure_108(
    tmp_path: Path,
) -> None:
    new = _scrubbed(tmp_path, "--dates", "month-only")
    name = r"[A-Z][a-z]+"
    forms = [
        r"\AFebruary, 1994\n",
        rf"\n{name} {name}, M\.D\. +RE: {name} {name}\n",
        rf"\nSt\. {name}'s Hospital +CH#\d\d-\d{{3}}-\d{{5}}\n",
        rf"\n{name} \d\d +DOB 05/86\n",
        rf"\n{name}, MA 02100\n",
        rf"\nDear Dr\. {name}:\n",
        rf"know, {name} is a 7 and 6/12 year old\n",
        rf"in June of 1993 by Dr\. {name}\nat {name}'s\.",
        r"with the \[TEAM\]\.",
        rf"contact Mrs\. {name}\nin a week at {name} Corp 555-01\d\d to",
        rf"\n{name} {name}, M\.D\. \d{{5}}\n\Z",
    ]
    assert [form for form in forms if not re.search(form, new)] == []
    patient = re.search(rf"RE: ({name})", new)
    assert patient and f"seeing {patient[1]} this time" in new


def test_straight_search_of_figure_109_leaves_what_the_machine_finds() -> None:
    known = ("Virginia Townsend", "Virginia", "Townsend", "32-841-09787", "Patrick Hayes", "34764")

    def left(findings: Any) -> set[str]:
        covered = {place for start, end, *_ in findings for place in range(start, end)}
        stays = "".join(c if n not in covered else "*" for n, c in enumerate(LETTER))
        return {part for part in ITALIC if part in stays}

    missed = left(straight_search(LETTER, known))
    assert {"Lang", "Dot", "U. S. Junior Gymnastics team", "Brigham's", "473-1214"} <= missed
    assert left(Scrubber().find(LETTER)) == set()


VARIANTS = {
    "plain": (0.99, 0.97),
    "misspelt": (0.98, 0.97),
    "capitals": (0.97, 0.95),
    "lower": (0.93, 0.93),
}
"""Recall and precision that hold for texts as typed and for others, of which each is told apart.

Texts that nobody looked at while detectors were written are in
``tests/scrubbing/test_held_out.py``."""


@pytest.fixture(scope="module")
def made() -> list[Made]:
    return corpus(1000)


@pytest.fixture(scope="module")
def found(made: list[Made]) -> dict[str, list[Finding]]:
    scrubber = Scrubber()
    return {one.text: scrubber.find(one.text) for one in made}


@pytest.mark.parametrize(("variant", "least"), VARIANTS.items())
def test_figure_114_on_the_made_corpus(
    made: list[Made], found: dict[str, list[Finding]], variant: str, least: tuple[float, float]
) -> None:
    some = [one for one in made if one.variant == variant]
    result = evaluate(found.__getitem__, as_gold(some), examples=0)
    assert result.recall is not None and result.precision is not None
    assert result.recall >= least[0]
    assert result.precision >= least[1]


def test_in_figure_114_straight_search_and_cues_are_far_behind(
    made: list[Made], found: dict[str, list[Finding]]
) -> None:
    by_text = {one.text: one for one in made}
    gold = as_gold(made)

    def straight(text: str) -> Any:
        return straight_search(text, by_text[text].known)

    def with_cues(text: str) -> Any:
        return search_with_cues(text, (*by_text[text].known, *by_text[text].keeper))

    finders = (straight, with_cues, found.__getitem__)
    low, middle, high = (evaluate(find, gold, examples=0).recall or 0 for find in finders)
    assert low < middle < high - 0.2
