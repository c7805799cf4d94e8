"""Dates without a year in digits, after a word such as on or since."""

from __future__ import annotations

import re

from discreet.scrub.detectors.cue import CueDetector
from discreet.scrub.page import Page


def is_day_and_month(page: Page, cue: str, start: int, end: int) -> bool:
    """Whether two numbers can be a day and a month."""
    first, second = (int(n) for n in re.findall(r"\d+", page.text[start:end])[:2])
    return 0 < first <= 31 and 0 < second <= 31 and min(first, second) <= 12


SHORT_DATE = CueDetector(
    "short_date",
    "numbers.txt",
    value=re.compile(
        r"\d{1,2}[/.]\d{1,2}\b\.?(?![/\d%-]|\.\d| ?(?:m[gl]|cm|year|of\b|and \d))(?<!\.)"
    ),
    check=is_day_and_month,
    examples=(
        ("seen on 3/14 and since 6/12", (("3/14", "DATE"), ("6/12", "DATE"))),
        ("admitted 2/3, discharged 2/7.", (("2/3", "DATE"), ("2/7", "DATE"))),
        ("on 6/12 year old, pain 7/10, on 2.5 mg", ()),
    ),
)
