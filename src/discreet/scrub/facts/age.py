"""Ages in years, and whether they are the person's own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from discreet.display import safe_repr
from discreet.scrub.facts.fact_words import FactWords
from discreet.scrub.facts.sentence import before
from discreet.scrub.finding import Finding

OLDEST = 125
NEAR = 25
"""Characters before an age in which a relative may be the one who has it."""
RELATION = r"\b(?:<relation>)\b"
POINT = r"\b(?:<point>)\s+(?:the\s+age\s+of\s+)?$"


@safe_repr
class Age(NamedTuple):
    """An age that is told; ``own`` is False where it is a relative's.

    ``then`` marks an age at which something came to pass, not that of today.
    """

    start: int
    end: int
    years: int
    own: bool
    then: bool = False


def read_ages(text: str, findings: Iterable[Finding], words: FactWords) -> list[Age]:
    """The ages among what scrub found."""
    relation = words.expression(RELATION)
    at_a_time = words.expression(POINT)
    ages = []
    for one in findings:
        if one.kind == "AGE":
            years = years_of(text[one.start : one.end], words)
            if years is not None:
                said = before(text, one.start)
                own = relation.search(said[-NEAR:]) is None
                ages.append(Age(one.start, one.end, years, own, bool(at_a_time.search(said))))
    return ages


def years_of(told: str, words: FactWords) -> int | None:
    """An age in whole years; months and weeks are 0 years, a decade is its first year.

    Examples
    --------
    >>> from discreet.scrub.facts.fact_words import load_fact_words
    >>> ages = "7 and 6/12 year old", "ninety-two years old", "six-month-old", "eighties"
    >>> [years_of(age, load_fact_words("en")) for age in ages]
    [7, 92, 0, 80]
    """
    lists = words.lists
    parts = re.findall(r"\d+|[^\W\d_]+", told.lower())
    young = any(part in lists["months"] for part in parts)
    if not parts or (young and not any(part.startswith("year") for part in parts)):
        return 0 if parts else None
    for place, part in enumerate(parts):
        if part.isdigit():
            return int(part) if len(part) <= len(str(OLDEST)) and int(part) <= OLDEST else None
        if part in lists["decades"]:
            return 10 * (lists["decades"].index(part) + 1)
        if part in lists["tens"]:
            rest = parts[place + 1] if place + 1 < len(parts) else ""
            ones = lists["numbers"].index(rest) + 1 if rest in lists["numbers"][:9] else 0
            return 10 * (lists["tens"].index(part) + 1) + ones
        if part in lists["numbers"]:
            return lists["numbers"].index(part) + 1
    return None
