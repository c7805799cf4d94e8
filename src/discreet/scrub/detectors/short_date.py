"""Dates without a year in digits, after a word such as on or since."""

from __future__ import annotations

import re

from discreet.scrub.detectors.cue import CueDetector
from discreet.scrub.page import Page

_RANGE = re.compile(r"^(?:from|by|until|till|til|through|since|on|d|t)\b", re.IGNORECASE)


def is_day_and_month(page: Page, cue: str, start: int, end: int) -> bool:
    """Whether two numbers can be a day and a month, and are no decimal number or range."""
    value = page.text[start:end]
    if value.isdigit():
        first, second, third = (int(value[i : i + 2]) for i in (0, 2, 4))
        is_day = 0 < second <= 12 and (0 < first <= 31 or 0 < third <= 31)
        return is_day and re.search(r"dat|dob", cue, re.IGNORECASE) is not None
    first, second = (int(n) for n in re.findall(r"\d+", value)[:2])
    if "." in value and not re.search(r"\.(?:0[1-9]|1[0-2])$", value):
        return False
    if "-" in value and (_RANGE.search(cue) or not first <= 12 < second):
        return False
    return 0 < first <= 31 and 0 < second <= 31 and min(first, second) <= 12


SHORT_DATE = CueDetector(
    "short_date",
    "numbers.txt",
    value=re.compile(
        r"\d{6}(?![\w%]|[-./:]\d)"
        r"|\d{1,2}[/.-]\d{1,2}\b\.?(?![/\d%-]|\.\d| ?(?:m[gl]|cm|year|of\b|and \d))(?<!\.)"
    ),
    check=is_day_and_month,
    examples=(
        ("seen on 3/14 and since 6/12", (("3/14", "DATE"), ("6/12", "DATE"))),
        ("admitted 2/3, discharged 2/7.", (("2/3", "DATE"), ("2/7", "DATE"))),
        (
            "slipped and fell 9-28, D: 4/2 T: 4/3",
            (("9-28", "DATE"), ("4/2", "DATE"), ("4/3", "DATE")),
        ),
        ("up from 2.7 to 11.9, from 10-20 of them, visit 6/12", ()),
        ("value date 190823. He sat on 190823", (("190823", "DATE"),)),
        ("on 6/12 year old, pain 7/10, on 2.5 mg", ()),
    ),
)
