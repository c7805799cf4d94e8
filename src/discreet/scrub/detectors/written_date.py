"""Dates with the name of a month, of a weekday, or in words."""

from __future__ import annotations

import re

from discreet.scrub.alphabet import NORMAL
from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import ADDRESS
from discreet.scrub.page import Page


def has_a_possible_day(page: Page, first: int, after: int) -> bool:
    """Whether the numbers can be days and a year."""
    text = page.text[page.start(first) : page.end(after - 1)]
    numbers = re.findall(r"\d+", text.split(":")[0])
    short = [int(n) for n in numbers if len(n) < 3]
    years = [int(n) for n in numbers if len(n) == 4]
    if any(len(n) == 3 or len(n) > 4 for n in numbers) or not all(1500 < y < 2200 for y in years):
        return False
    if re.search(r"\D\d\d?[/.]\d\d?$", text):
        return len(short) == 2 and 0 < min(short) <= 12 and max(short) < 32
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
    precedence=ADDRESS,
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
            (("the 5th of March, 2020", "DATE"), ("5 March 2020", "DATE")),
        ),
        ("3-5 March 2020, March 3 to 5", (("3-5 March 2020", "DATE"), ("March 3 to 5", "DATE"))),
        ("Sept. 11, 2001", (("Sept. 11, 2001", "DATE"),)),
        ("born in 1953, class of 1975", (("1953", "DATE"), ("1975", "DATE"))),
        ("March twenty-first", (("March twenty-first", "DATE"),)),
        (
            "the fifth of the third, eighty-one; May the sixth nineteen fifty-two",
            (
                ("the fifth of the third, eighty-one", "DATE"),
                ("May the sixth nineteen fifty-two", "DATE"),
            ),
        ),
        ("le 14 juillet 2003, octber 9", (("14 juillet 2003", "DATE"), ("octber 9", "DATE"))),
        ("Wed 4/17, tues 21st", (("Wed 4/17", "DATE"), ("tues 21st", "DATE"))),
        ("2, 3 and 5 April 2011", (("2, 3 and 5 April 2011", "DATE"),)),
        ("on Boxing Day and at Easter 1988", (("Boxing Day", "DATE"), ("Easter 1988", "DATE"))),
        ("in late June 1999", (("late June 1999", "DATE"),)),
        ("the Christmas party, a third of the second half, Mars 2020", ()),
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


_DENOMINATORS = frozenset({2, 3, 4, 5, 6, 7, 8, 10, 12, 24})
"""What stands below in ratios, scores and short notes of how long: 3/4, 7/10, 2/7."""

_DASHED = re.compile(r"(?:^|[.;] )(?:0?[1-9]|1[0-2])-[0-3]\d(?= [A-Za-z])", re.MULTILINE)
_TIME = re.compile(r"[,;]? ?(?:at |@ ?)?\d{1,2}:\d\d|: ?[A-Za-z]|[ ]?\d{4}(?:h|hrs)?\b")
_NEAR = re.compile(r"(?<!\d)(\d{1,2})/\d{1,2}(?: ?[-–&]| or| and| to) ?$")


def is_day_of_year(page: Page, first: int, after: int) -> bool:
    """Whether two numbers are a day and a month by what stands around, and no ratio."""
    month, day = (
        int(n) for n in re.findall(r"\d+", page.text[page.start(first) : page.end(after - 1)])
    )
    if not 0 < min(month, day) <= 12 or max(month, day) > 31 or (month, day) == (24, 7):
        return False
    if "-" in page.text[page.start(first) : page.end(after - 1)]:
        return month <= 12 and len(_DASHED.findall(page.text)) > 1
    if first == 0 or page.tokens[first - 1].endswith("\n"):
        return 0 < month <= 12
    lexicon = page.lexicon
    word = page.tokens[first - 1] if page.tokens[first - 1][0].isalpha() else ""
    before = lexicon.mask(word.strip().lower()) if word else 0
    place, end = page.start(first), page.end(after - 1)
    if _TIME.match(page.text, end):
        return True
    is_dated = bool(before & lexicon.bit("dated_word"))
    if re.search(r"\b0\d", page.text[place:end]):
        return True
    if before & lexicon.bit("ratio_word") or (
        word.isupper() and page.casing == NORMAL and not is_dated
    ):
        return False
    if max(month, day) > 12:
        return day not in _DENOMINATORS or month > 12
    is_plain = len(word.strip()) > 3 and not before & lexicon.bit("drug")
    if is_plain and (month > max(day, 3) or (day in (9, 11) and month != 6)):
        return True
    near = _NEAR.search(page.text[max(0, place - 12) : place])
    return (
        is_dated
        or (len(word) > 5 and word.strip().endswith("ed"))
        or (near is not None and int(near[1]) == month)
    )


BARE_DATE = TemplateDetector(
    "bare_date",
    "numbers.txt",
    check=is_day_of_year,
    examples=(
        ("7/1 seen by us", (("7/1", "DATE"),)),
        ("met the team 2/21.", (("2/21", "DATE"),)),
        (
            "Transferred 11/4, weaned 11/6. Tel 9/2: well",
            (("11/4", "DATE"), ("11/6", "DATE"), ("9/2", "DATE")),
        ),
        ("03-08 met Ida. 03-19 called her", (("03-08", "DATE"), ("03-19", "DATE"))),
        ("10-12 eggs\nand more", ()),
        ("board 28/09, tried 4/1 or 4/2", (("28/09", "DATE"), ("4/1", "DATE"), ("4/2", "DATE"))),
        ("pain was 7/10, 3/4 cup, 6/12 year old, 12/40 patients, 1/2/13, strength 4/5", ()),
        ("open 24/7, Visit 5/12, a 2/6 and 4/6 share, for 3/52, scored 3/10, over 5/24", ()),
    ),
)
