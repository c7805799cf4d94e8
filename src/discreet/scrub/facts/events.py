"""Rare events, with the age at which they came to pass."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.scrub.facts.age import Age
from discreet.scrub.facts.fact_words import FactWords
from discreet.scrub.facts.notes import Notes
from discreet.scrub.facts.sentence import before, bounds

NEAR = 35
"""Characters before an event in which it may be denied."""
DENIED = r"\b(?:<negation>)\b"


def read_events(text: str, ages: Sequence[Age], words: FactWords, notes: Notes) -> None:
    """Note the events, those of the family too: they single a person out as well."""
    denied = words.expression(DENIED)
    for told in words.events.find(text):
        if denied.search(before(text, told.start)[-NEAR:].rpartition(",")[2]):
            continue
        notes.events.add(told.name)
        years = _age_at(text, told.start, ages)
        if years is not None:
            notes.history.add((years, told.name))


def _age_at(text: str, place: int, ages: Sequence[Age]) -> int | None:
    """The age at which the event came to pass: the nearest in the same sentence."""
    if not ages:
        return None
    start, end = bounds(text, place)
    within = [one for one in ages if start <= one.start < end and one.own and one.then]
    if not within:
        return None
    return min(within, key=lambda one: abs(one.start - place)).years
