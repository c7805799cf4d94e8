"""Dates as people write them, taken apart so that they can be written again in the same form.

Notes
-----
[Sweeney2001]_, fig. 110: March 1, 1991; 3/1/91; first of March; 1-MAR-91; 03-01-91; March 1st.

Departures: two digits of a year below 50 are of the 2000s.

Cost: a few tens of microseconds for a date that is new in its scope.
"""

from __future__ import annotations

import re
from functools import lru_cache

from discreet.display import dataclass
from discreet.scrub.replace.words import Words

_TIME = (
    r"\d{1,2}(?::\d{2}){1,2}(?:[.,]\d+)?(?:\s?[ap]\.?m\b\.?)?(?:\s?uhr\b)?(?:\s?(?:z|utc|gmt)\b)?"
    r"(?:\s?[+-]\d{2}:?\d{2})?|\d{1,2}\s?[ap]\.?m\b\.?"
)
_YEAR = r"['’]?(?P<year>\d{4}|\d{2})"
_DAY = r"(?P<day>\d{1,2})(?P<ending>ENDINGS)?"
_FORMS = (
    r"(?P<year>\d{4})(?P<s>[-/.])(?P<month>\d{1,2})(?P=s)(?P<day>\d{1,2})",
    r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)",
    r"(?P<a>\d{1,2})\s?(?P<s>[-/.])\s?(?P<b>\d{1,2})\s?(?P=s)\s?(?P<year>\d{4}|\d{2})",
    r"(?P<month>\d{1,2})\s?[-/.]\s?(?P<year>\d{4})",
    r"(?P<year>\d{4})[-/](?P<month>\d{1,2})",
    r"(?P<a>\d{1,2})[-/.](?P<b>\d{1,2})\.?",
    r"MONTH\.?(?:\s*,|\s+OF|-)?\s*['’]?(?P<year>\d{4}|(?<=['’])\d\d)",
    rf"MONTH\.?\s*[-,./]?\s*(?:BEFORE\s+)?{_DAY}(?!\d)(?:\s*[,./-]?\s*{_YEAR})?",
    rf"(?:BEFORE\s+)*{_DAY}\.?[\s/-]*(?:(?:day\s+)?OF\s+)?MONTH(?:\.?\s*[,/-]?\s*(?:OF\s+)?{_YEAR})?",
    rf"(?:BEFORE\s+)*(?P<dayword>ORDINALS)\s+(?:(?:day\s+)?OF\s+)?MONTH(?:\.?\s*,?\s*(?:OF\s+)?{_YEAR})?",
    rf"MONTH\.?\s+(?:BEFORE\s+)?(?P<dayword>ORDINALS)(?:\s*,?\s*{_YEAR})?",
    r"MONTH\.?",
    r"['’]?(?P<year>(?:1[789]|20)\d\d|(?<=['’])\d\d)",
    r"(?:BEFORE\s+)*(?P<day>\d{1,2})(?P<ending>ENDINGS)",
)


@dataclass(frozen=True, repr=False)
class Written:
    """A date in a text: what it says, and the places of its parts in the text."""

    text: str
    places: dict[str, tuple[int, int]]
    year: int | None
    month: int | None
    day: int | None

    def part(self, name: str) -> str:
        """A part as it is written."""
        start, end = self.places[name]
        return self.text[start:end]


def read_date(text: str, words: Words) -> Written | None:
    """Take a written date apart; none if it is in no known form, or a month or day cannot be."""
    for form in forms(words):
        match = form.fullmatch(text)
        if match:
            found = _written(match, words)
            if found is not None:
                return found
    return None


@lru_cache(maxsize=8)
def forms(words: Words) -> tuple[re.Pattern[str], ...]:
    """The forms of dates in a language."""
    put = {
        "MONTH": rf"(?P<monthname>{_alternatives(month_numbers(words))})(?![^\W\d_])",
        "ENDINGS": words.any_of("day_endings"),
        "ORDINALS": words.any_of("ordinals"),
        "BEFORE": f"(?:{words.any_of('before_day')})",
        "OF": f"(?:{words.any_of('of')})",
    }
    weekdays = _alternatives(weekday_numbers(words))
    head = rf"\s*(?:(?P<weekday>{weekdays})\b\.?\s*,?\s*(?:{words.any_of('before_day')})?\s*)?"
    tail = rf"(?:(?:\s*,)?(?:\s*T|\s+(?:{words.any_of('at')})|\s)\s*(?P<time>{_TIME}))?\s*,?"
    filled = []
    for form in _FORMS:
        for name, pattern in put.items():
            form = form.replace(name, pattern)
        filled.append(re.compile(f"{head}(?:{form}){tail}", re.IGNORECASE))
    return tuple(filled)


@lru_cache(maxsize=8)
def month_numbers(words: Words) -> dict[str, int]:
    """Months by name, 1 to 12."""
    return _numbers(words, "months", 1)


@lru_cache(maxsize=8)
def weekday_numbers(words: Words) -> dict[str, int]:
    """Days of the week by name, Monday is 0."""
    return _numbers(words, "weekdays", 0)


def _numbers(words: Words, name: str, first: int) -> dict[str, int]:
    full = {word: n for n, word in enumerate(words.order(name), first)}
    short = {word: n for n, word in enumerate(words.order(f"short_{name}"), first)}
    return full | short | words.numbers(f"other_{name}")


def _alternatives(names: dict[str, int]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


def _written(match: re.Match[str], words: Words) -> Written | None:
    """What a match says, with numbers in the language's order."""
    groups = {name: text for name, text in match.groupdict().items() if text is not None}
    places = {name: match.span(name) for name in groups}
    if "a" in groups:
        _order(groups, places, words.text("date_order") == "mdy")
    year, month, day = _number(groups, "year"), _number(groups, "month"), _number(groups, "day")
    if year is not None and len(groups["year"]) == 2:
        year += 2000 if year < 50 else 1900
    if "monthname" in groups:
        month = month_numbers(words)[groups["monthname"].lower()]
    if "dayword" in groups:
        day = 1 + words.order("ordinals").index(groups["dayword"].lower())
    if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        return None
    return Written(match.string, places, year, month, day)


def _order(groups: dict[str, str], places: dict[str, tuple[int, int]], month_first: bool) -> None:
    """Say which of two numbers is the month: by the language, unless it can only be the other."""
    a, b = int(groups["a"]), int(groups["b"])
    if "year" not in groups and b > 31:
        names = ("month", "year")
    elif month_first:
        names = ("day", "month") if a > 12 else ("month", "day")
    else:
        names = ("month", "day") if b > 12 else ("day", "month")
    for old, new in zip("ab", names, strict=True):
        groups[new], places[new] = groups.pop(old), places.pop(old)


def _number(groups: dict[str, str], name: str) -> int | None:
    return int(groups[name]) if name in groups else None
