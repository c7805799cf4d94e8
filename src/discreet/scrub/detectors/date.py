"""Dates in digits, in all orders, with a time if one follows."""

from __future__ import annotations

import re

from discreet.scrub.detectors.checks import is_date, is_joined_date
from discreet.scrub.detectors.detector import Shape, ShapeDetector

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
            check=is_date,
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
            check=is_date,
        ),
        Shape(
            "DATE",
            0.78,
            "day, month, year with spaces",
            re.compile(_START + r"\d \d\d (?:19|20)\d\d" + _END),
            check=is_date,
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
