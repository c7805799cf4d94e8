"""Dates in digits, in all orders, with a time if one follows."""

from __future__ import annotations

import re

from discreet.kinds.dates import is_joined_date, may_be_date_in_text
from discreet.scrubbing.detectors.cue import CueDetector
from discreet.scrubbing.detectors.detector import Shape, ShapeDetector, TemplateDetector
from discreet.scrubbing.finding import ADDRESS
from discreet.scrubbing.page import Page
from discreet.scrubbing.templates.alphabet import NORMAL

TIME = (
    r"(?:(?:,? (?:at )?|T)\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[AaPp]\.?[Mm]\.?(?!\w))?"
    r"(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})(?!\w))?)?"
)
_START = r"\d(?<![\w.$€£/+-]\d)"
_END = r"(?![\w%]|[-/]\d|\.\d)"

DATE = ShapeDetector(
    "date",
    (
        Shape(
            "DATE",
            0.97,
            "year, month, day",
            re.compile(
                _START
                + r"\d{3}(?P<same>[-/._])\d{1,2}(?P=same)\d{1,2}"
                + TIME
                + r"(?![\w%]|[-/]\d)"
            ),
            check=may_be_date_in_text,
        ),
        Shape(
            "DATE",
            0.96,
            "day, month, year",
            re.compile(
                _START
                + r"\d?(?P<same>[-/._]|\. | [/-] )\d{1,2}(?P=same)(?:\d{4}|\d{2})(?!\d)"
                + r"(?:[-–]\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})(?!\d))?"
                + TIME
                + _END
            ),
            check=may_be_date_in_text,
        ),
        Shape(
            "DATE",
            0.78,
            "day, month, year with spaces",
            re.compile(_START + r"\d \d\d (?:19|20)\d\d" + _END),
            check=may_be_date_in_text,
        ),
        Shape(
            "DATE",
            0.85,
            "month, year",
            re.compile(
                r"(?:[01](?<![\w.$€£/+-].)\d[/-]|[1-9](?<![\w.$€£/+-].)/)(?:19|20)\d\d"
                + _END
                + r"(?!-\w)"
            ),
            check=lambda text: 1 <= int(re.split("[/-]", text)[0]) <= 12,
        ),
        Shape(
            "DATE",
            0.93,
            "month in Roman numerals",
            re.compile(
                _START
                + r"\d?(?P<same>[./-])(?:I?[VX]|[VX]?I{1,3}|XI{0,2})(?P=same)(?:19|20)\d\d"
                + _END
            ),
        ),
        Shape(
            "DATE",
            0.75,
            "day. month.",
            re.compile(
                r"(?:0[1-9]|[12]\d|3[01])(?<![\w.,$€£/+-]..)\."
                r"(?:0[1-9]|1[0-2])\.(?=[,;)\n]|$| ?[-–])"
            ),
        ),
        Shape(
            "DATE",
            0.73,
            "year, month",
            re.compile(r"(?:19|20)(?<![\w.$€£/+-]..)\d\d-(?:0[1-9]|1[0-2])" + _END),
        ),
        Shape(
            "DATE",
            0.76,
            "month, short year",
            re.compile(
                r"(?:0(?<![\w.$€£/+-].)[1-9]/\d\d|[1-9](?<![\w.$€£/+-].)/(?!52)[4-9]\d)(?!/)" + _END
            ),
        ),
        Shape(
            "DATE",
            0.8,
            "eight digits",
            re.compile(r"(?:19|20)(?<![\w.$€£/+-]..)\d{6}(?:T?\d{6}Z?)?(?![\w%]|[-/.]\d)"),
            check=lambda text: is_joined_date(text[:8]),
        ),
    ),
    examples=(
        ("on 3/1/91 and 03-01-91", (("3/1/91", "DATE"), ("03-01-91", "DATE"))),
        ("DOB 05/26/86.", (("05/26/86", "DATE"),)),
        ("31.12.2020, 1. 3. 2020", (("31.12.2020", "DATE"), ("1. 3. 2020", "DATE"))),
        ("2024-03-01T10:00:00Z", (("2024-03-01T10:00:00Z", "DATE"),)),
        ("2024/03/01 10:00 am", (("2024/03/01 10:00 am", "DATE"),)),
        ("in 05/86, 3/91 and 11/2019", (("05/86", "DATE"), ("3/91", "DATE"), ("11/2019", "DATE"))),
        ("born 19910301", (("19910301", "DATE"),)),
        ("5/6/20-7/6/20, 12.III.1999", (("5/6/20-7/6/20", "DATE"), ("12.III.1999", "DATE"))),
        ("08 / 05 / 1997, 17.09.\n", (("08 / 05 / 1997", "DATE"), ("17.09.", "DATE"))),
        ("BP 120/80, 6/12 year old, pain 7/10, 1.2.3, 45/12/99, 24/7, 1,234.56, $3/91, 2/52", ()),
    ),
)


# Dates without a year in digits, after a word such as on or since.


_RANGE = re.compile(r"^(?:from|by|until|till|til|through|since|on|d|t)\b", re.IGNORECASE)


def is_day_and_month(page: Page, cue: str, start: int, end: int) -> bool:
    """Whether two numbers can be a day and a month rather than a decimal number or a range."""
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


# Dates with the name of a month, of a weekday, or in words.


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


def is_joined_written_date(page: Page, first: int, after: int) -> bool:
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
    check=is_joined_written_date,
    examples=(
        ("on 01MAR1991 or 1Mar91", (("01MAR1991", "DATE"), ("1Mar91", "DATE"))),
        ("5mg, 10ABC1991, 45MAR1991", ()),
    ),
)


_DENOMINATORS = frozenset({2, 3, 4, 5, 6, 7, 8, 10, 12, 24})
"""Denominators of ratios, scores and durations: 3/4, 7/10, 2/7."""

_DASHED = re.compile(r"(?:^|[.;] )(?:0?[1-9]|1[0-2])-[0-3]\d(?= [A-Za-z])", re.MULTILINE)
_TIME = re.compile(r"[,;]? ?(?:at |@ ?)?\d{1,2}:\d\d|: ?[A-Za-z]|[ ]?\d{4}(?:h|hrs)?\b")
_NEAR = re.compile(r"(?<!\d)(\d{1,2})/\d{1,2}(?: ?[-–&]| or| and| to) ?$")


def is_day_of_year(page: Page, first: int, after: int) -> bool:
    """Whether the context makes two numbers a day and a month, not a ratio."""
    month, day = (
        int(n) for n in re.findall(r"\d+", page.text[page.start(first) : page.end(after - 1)])
    )
    if not 0 < min(month, day) <= 12 or max(month, day) > 31 or (month, day) == (24, 7):
        return False
    if "-" in page.text[page.start(first) : page.end(after - 1)]:
        return month <= 12 and page.has_several(_DASHED)
    if first == 0 or page.tokens[first - 1].endswith("\n"):
        return 0 < month <= 12
    lexicon = page.lexicon
    word = page.tokens[first - 1] if page.tokens[first - 1][0].isalpha() else ""
    before = lexicon.mask(word.strip().lower()) if word else 0
    place, end = page.start(first), page.end(after - 1)
    if _TIME.match(page.text, end):
        return True
    is_dated = bool(before & lexicon.union("dated_word"))
    if re.search(r"\b0\d", page.text[place:end]):
        return True
    if before & lexicon.union("ratio_word") or (
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


# Dates relative to another date: last Tuesday, two weeks ago. They are a kind of their own.


RELATIVE_DATE = TemplateDetector(
    "relative_date",
    "numbers.txt",
    examples=(
        ("seen last Tuesday", (("last Tuesday", "RELATIVE_DATE"),)),
        (
            "two weeks ago, 3 days later",
            (("two weeks ago", "RELATIVE_DATE"), ("3 days later", "RELATIVE_DATE")),
        ),
        (
            "yesterday and next month",
            (("yesterday", "RELATIVE_DATE"), ("next month", "RELATIVE_DATE")),
        ),
        ("for two weeks, the last time", ()),
    ),
)


# Times of day: kept, because they identify nobody without a date.


TIME_OF_DAY = TemplateDetector(
    "time_of_day",
    "numbers.txt",
    keep=True,
    examples=(
        ("at 10:30 am, 14:05", (("10:30 am", "TIME"), ("14:05", "TIME"))),
        ("from 5 p.m. on", (("5 p.m.", "TIME"),)),
        ("ratio 10:300", ()),
    ),
)


# Ages of people, in numbers and words.


def is_possible_age(page: Page, first: int, after: int) -> bool:
    """Whether no number is above 125; a number between commas must follow a name or be high."""
    numbers = re.findall(r"\d+", page.text[page.start(first) : page.end(after - 1)])
    if any(int(number) > 125 for number in numbers):
        return False
    if after - first == 1 and first > 1 and page.tokens[first - 1].strip() in (",", "("):
        high = page.tokens[first - 1][0] == "," and 90 <= int(numbers[0] if numbers else 90) <= 115
        return high or _is_name(page, first - 2)
    return True


def _is_name(page: Page, token: int) -> bool:
    """Whether a word is a first or last name and is written as one."""
    lexicon, word = page.lexicon, page.tokens[token].strip()
    return bool(lexicon.mask(word) & lexicon.union("first", "last")) and not word.islower()


def is_joined_age(page: Page, first: int, after: int) -> bool:
    """Whether one word is a number and an abbreviation of years old: 45yo."""
    if not page.tokens[first][0].isdigit():
        return False
    parts = re.fullmatch(r"(\d{1,3})([A-Za-z]{1,4})", page.tokens[first].strip())
    if parts and parts[2] in "FM" and first and page.tokens[first - 1].istitle():
        high = 90 <= int(parts[1]) <= 112
        return high and (parts[2] == "M" or not 97 <= int(parts[1]) <= 104)
    months = page.tokens[after] if after < len(page.tokens) else ""
    return bool(
        parts
        and int(parts[1]) <= 125
        and not re.fullmatch(r"\d+m", months.strip())
        and page.lexicon.mask(parts[2].lower()) & page.lexicon.bit("age_suffix")
    )


AGE = TemplateDetector(
    "age",
    "numbers.txt",
    check=is_possible_age,
    examples=(
        ("an 89-year-old man", (("89-year-old", "AGE"),)),
        ("Dot is a 7 and 6/12 year old female", (("7 and 6/12 year old", "AGE"),)),
        ("aged 92; age: 45; Age 7", (("92", "AGE"), ("45", "AGE"), ("7", "AGE"))),
        ("in her nineties, in his early 80s", (("nineties", "AGE"), ("early 80s", "AGE"))),
        ("45 y/o, 45 yo F, 45 y.o.", (("45 y/o", "AGE"), ("45 yo", "AGE"), ("45 y.o", "AGE"))),
        ("ninety-two years old", (("ninety-two years old", "AGE"),)),
        ("She is 91 years of age and turned 92.", (("91 years of age", "AGE"), ("92", "AGE"))),
        ("a six month old girl", (("six month old", "AGE"),)),
        ("I am 34 and he's 52, both well", (("34", "AGE"), ("52", "AGE"))),
        ("Gran, 96 tomorrow! Mrs Ada Fox (94)", (("96", "AGE"), ("94", "AGE"))),
        (
            "in his 97th year; she'll turn 44, hes 91 now",
            (("97th", "AGE"), ("44", "AGE"), ("91", "AGE")),
        ),
        ("She was ninety-six.", (("ninety-six", "AGE"),)),
        (
            "A woman, 102, won. Ada M., 99, Lodi. He died at 91.",
            (("102", "AGE"), ("99", "AGE"), ("91", "AGE")),
        ),
        ("Scores: Visitors, 45, and Hosts, 61, at 20", ()),
        ("people aged 45 to 65 after 2 yrs W-2", ()),
        ("for 20 years, in the 90s, page 45, age 300, 5 years ago, he is 5 feet tall", ()),
    ),
)

JOINED_AGE = TemplateDetector(
    "joined_age",
    "numbers.txt",
    check=is_joined_age,
    examples=(
        ("a 45yo, 87yof, Ida Fox 96F", (("45yo", "AGE"), ("87yof", "AGE"), ("96F", "AGE"))),
        ("in the 90s, 5mg, 300yo, service 12y 4m", ()),
    ),
)
