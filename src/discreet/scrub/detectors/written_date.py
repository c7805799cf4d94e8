"""Dates with the name of a month, of a weekday, or in words."""

from __future__ import annotations

import re

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.page import Page


def has_a_possible_day(page: Page, first: int, after: int) -> bool:
    """Whether the numbers can be days and a year."""
    text = page.text[page.start(first) : page.end(after - 1)]
    numbers = re.findall(r"\d+", text.split(":")[0])
    short = [int(n) for n in numbers if len(n) < 3]
    years = [int(n) for n in numbers if len(n) == 4]
    if any(len(n) == 3 or len(n) > 4 for n in numbers) or not all(1500 < y < 2200 for y in years):
        return False
    days = short if years or not re.search(r"[-/'’,.]\s?\d+$", text) else short[:-1]
    return all(0 < day < 32 for day in days)


def is_joined(page: Page, first: int, after: int) -> bool:
    """Whether one word is a day, a month and a year: 01MAR1991."""
    if not page.tokens[first][0].isdigit():
        return False
    parts = re.fullmatch(r"(\d{1,2})([A-Za-z]{3,9})(\d{2}|\d{4})", page.tokens[first].strip())
    return bool(
        parts
        and 0 < int(parts[1]) < 32
        and page.lexicon.mask(parts[2].lower()) & page.lexicon.bit("month")
    )


WRITTEN_DATE = TemplateDetector(
    "written_date",
    "numbers.txt",
    check=has_a_possible_day,
    examples=(
        (
            "On March 1, 1991 and first of March",
            (("March 1, 1991", "DATE"), ("first of March", "DATE")),
        ),
        ("1-MAR-91; March 1st", (("1-MAR-91", "DATE"), ("March 1st", "DATE"))),
        ("Wednesday, February 2, 1994", (("Wednesday, February 2, 1994", "DATE"),)),
        ("in June of 1993 and March 1991", (("June of 1993", "DATE"), ("March 1991", "DATE"))),
        (
            "the 5th of March, 2020 or 5 March 2020",
            (("5th of March, 2020", "DATE"), ("5 March 2020", "DATE")),
        ),
        ("3-5 March 2020, March 3 to 5", (("3-5 March 2020", "DATE"), ("March 3 to 5", "DATE"))),
        ("Sept. 11, 2001", (("Sept. 11, 2001", "DATE"),)),
        ("born in 1953, class of 1975", (("1953", "DATE"), ("1975", "DATE"))),
        ("March twenty-first", (("March twenty-first", "DATE"),)),
        ("We may 5 times march 20 miles in 1993; May I? Oct 45", ()),
    ),
)

JOINED_DATE = TemplateDetector(
    "joined_date",
    "numbers.txt",
    check=is_joined,
    examples=(
        ("on 01MAR1991 or 1Mar91", (("01MAR1991", "DATE"), ("1Mar91", "DATE"))),
        ("5mg, 10ABC1991, 45MAR1991", ()),
    ),
)


def is_day_of_year(page: Page, first: int, after: int) -> bool:
    """Whether month and day are possible; inside a line, the day must be no usual denominator."""
    month, day = (
        int(n) for n in re.findall(r"\d+", page.text[page.start(first) : page.end(after - 1)])
    )
    if first == 0 or page.tokens[first - 1].endswith("\n"):
        return 0 < month <= 12 and 0 < day <= 31
    return 0 < month <= 12 < day <= 31


BARE_DATE = TemplateDetector(
    "bare_date",
    "numbers.txt",
    check=is_day_of_year,
    examples=(
        ("7/1 seen by us", (("7/1", "DATE"),)),
        ("met the team 2/21.", (("2/21", "DATE"),)),
        ("pain was 7/10, 3/4 cup, 6/12 year old, 12/40 patients, 1/2/13", ()),
    ),
)
