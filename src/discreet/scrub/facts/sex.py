"""The sex of the person: said beside an age, or else told by most pronouns."""

from __future__ import annotations

from collections.abc import Iterable

from discreet.scrub.facts.age import Age
from discreet.scrub.facts.fact_words import FactWords
from discreet.scrub.facts.notes import SURE, Notes

AFTER = 25
"""Characters after an age in which the sex may be said: 7 year old white female."""
SEXES = ("female", "male")
NAMED = r"\b(<female>|<male>)\b"
BESIDE = r"[^.;!?]*?\b(<female>|<male>|<female_letter>|<male_letter>)\b"


def read_sex(text: str, ages: Iterable[Age], words: FactWords, notes: Notes) -> None:
    """Count words of either sex; one that follows the person's own age weighs most."""
    sex_of = {
        word: sex for sex in SEXES for end in ("", "_letter") for word in words.lists[sex + end]
    }
    for match in words.expression(NAMED).finditer(text):
        notes.sexes[sex_of[match[1].lower()]] += 1
    beside = words.expression(BESIDE)
    for one in ages:
        said = beside.match(text, one.end, one.end + AFTER) if one.own else None
        if said is not None:
            notes.sexes[sex_of[said[1].lower()]] += SURE
