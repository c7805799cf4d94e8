"""The place of the person: where somebody lives, or else what is named most."""

from __future__ import annotations

from collections.abc import Iterable

from discreet.scrub.facts.fact_words import FactWords
from discreet.scrub.facts.notes import SURE, Notes
from discreet.scrub.facts.sentence import before
from discreet.scrub.finding import Finding

KINDS = ("CITY", "LOCATION", "STATE", "COUNTRY")
WEIGHT = {"CITY": 3, "LOCATION": 3}
"""A city says more than its state."""
NEAR = 30
HOME = r"\b(?:<home>)\b"


def read_places(text: str, findings: Iterable[Finding], words: FactWords, notes: Notes) -> None:
    """Note places that scrub found, in small letters and without what follows a comma."""
    home = words.expression(HOME)
    for one in findings:
        if one.kind in KINDS:
            name = " ".join(text[one.start : one.end].partition(",")[0].lower().split())
            at_home = home.search(before(text, one.start)[-NEAR:].rpartition(",")[2])
            notes.places[name] += WEIGHT.get(one.kind, 1) + (SURE if at_home else 0)
