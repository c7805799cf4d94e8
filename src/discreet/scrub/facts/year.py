"""Years: of birth, and the latest of all others."""

from __future__ import annotations

import re
from collections.abc import Iterable

from discreet.scrub.facts.fact_words import FactWords
from discreet.scrub.facts.notes import Notes
from discreet.scrub.facts.sentence import before
from discreet.scrub.finding import Finding

FULL = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
SHORT = re.compile(r"(?:\d\s?[-/.]|[A-Za-z]{3}[-\s']{1,2}|['’])\s?(\d\d)$")
BIRTH = r"\b(?:<birth>)\b"
ALONE = r"\b(?:<year>)\s+(1[89]\d\d|20\d\d)\b(?![-/])"
NEAR = 25
PIVOT = 30
"""Years of two digits below this are of this century."""


def read_years(text: str, findings: Iterable[Finding], words: FactWords, notes: Notes) -> None:
    """Note the years of dates that scrub found, and of years that stand alone."""
    birth = words.expression(BIRTH)
    alone = words.expression(ALONE)
    dates = [(one.start, text[one.start : one.end]) for one in findings if one.kind == "DATE"]
    for start, told in (*dates, *((m.start(1), m[1]) for m in alone.finditer(text))):
        year = year_of(told)
        if year is None:
            continue
        if birth.search(before(text, start)[-NEAR:]):
            notes.births[year] += 1
        else:
            notes.years.add(year)


def year_of(date: str) -> int | None:
    """The year of a written date; two digits are a year of 1930 to 2029.

    Examples
    --------
    >>> [year_of(date) for date in ("05/26/86", "June of 1993", "1-MAR-91", "March 1st")]
    [1986, 1993, 1991, None]
    """
    if full := FULL.findall(date):
        return int(full[-1])
    if short := SHORT.search(date.strip()):
        two = int(short[1])
        return two + (2000 if two < PIVOT else 1900)
    return None
