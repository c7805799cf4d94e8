"""Telephone numbers: American, British, German, French and international forms."""

from __future__ import annotations

import re

from discreet.kinds.checksums import extract_digits
from discreet.kinds.dates import may_be_date_in_text
from discreet.scrubbing.detectors.cue import CueDetector
from discreet.scrubbing.detectors.detector import Shape, ShapeDetector
from discreet.scrubbing.page import Page

EXTENSION = r"(?:,?[ ]?(?:[xX]|[eE]xt(?:ension|n)?\.?|EXT\.?|#)[ ]?\d{1,6})?(?![\w]|[-.]\d)"
_NOT_AFTER = r"[\w./$€£#*-]"
_NUMBER_START = rf"\d(?<!{_NOT_AFTER}\d)"


def is_phone(text: str) -> bool:
    """Whether a number with a leading zero is as long as a phone number and is not a date."""
    count = len(extract_digits(re.split(r"[xXeE#]", text)[0]))
    return (
        9 <= count <= 15
        and not re.fullmatch(r"\d{4}(?:/\d{4})+", text)
        and not re.match(r"\d{1,2}[-./ ]\d{1,2}[-./ ]\d{4}(?!\d)", text)
        and not (
            re.match(r"\d{1,2}([-./])\d{1,2}\1\d{2}(?!\d)", text)
            and may_be_date_in_text(text)
            and " " in text
        )
    )


PHONE_SHAPES = (
    Shape(
        "PHONE",
        0.96,
        "international",
        re.compile(r"\+(?<!\w\+)[ ]?\d(?:[ .\-/()\xa0\u2010-\u2013]{0,3}\d){6,14}" + EXTENSION),
        sign="+",
    ),
    Shape(
        "PHONE",
        0.95,
        "area code in parentheses",
        re.compile(
            r"\((?:(?:\+?\d{1,3}[ -])?\d{2,5}|0)\)[ .\-/\xa0]{0,2}\d(?:[ .\-/]{0,2}\d){4,9}"
            + EXTENSION
        ),
        sign="(",
    ),
    Shape(
        "PHONE",
        0.94,
        "area code, number",
        re.compile(
            _NUMBER_START + r"(?:(?<=1)[-. ]\d|(?<=0)01[-. ]\d)?\d{2}"
            r"(?:[-.\u2010-\u2013 ]|[ ]?/[ ]?)\d{3}[-.\u2010-\u2013 ]?\d{4}" + EXTENSION
        ),
    ),
    Shape(
        "PHONE",
        0.85,
        "leading zero",
        re.compile(
            r"0(?<!" + _NOT_AFTER + r"0)\d(?:[ .\-/\xa0]{0,1}(?:[ ]?[/-][ ])?\d){7,13}" + EXTENSION
        ),
        check=is_phone,
    ),
    Shape(
        "PHONE",
        0.8,
        "local number",
        re.compile(
            _NUMBER_START + r"(?<!\d,\d)\d{2}[-\u2010-\u2013]\d{4}" + EXTENSION + r"(?![/%])"
        ),
    ),
    Shape(
        "PHONE",
        0.8,
        "five and five",
        re.compile(r"[6-9](?<!" + _NOT_AFTER + r".)\d{4} \d{5}(?![\w%]|[-.,]\d)"),
    ),
    Shape(
        "PHONE",
        0.76,
        "ten digits",
        re.compile(_NUMBER_START.replace(r"\d(", r"[2-9](", 1) + r"\d{2}[2-9]\d{6}" + EXTENSION),
    ),
)

PHONE = ShapeDetector(
    "phone",
    PHONE_SHAPES,
    examples=(
        ("Call 255-1423 today.", (("255-1423", "PHONE"),)),
        ("(304) 255-1423", (("(304) 255-1423", "PHONE"),)),
        ("304/ 255-1423", (("304/ 255-1423", "PHONE"),)),
        ("255-1000 ext 1423", (("255-1000 ext 1423", "PHONE"),)),
        ("phone: 255-1423", (("255-1423", "PHONE"),)),
        ("Reach me at 1-800-555-0199 x12.", (("1-800-555-0199 x12", "PHONE"),)),
        ("304.255.1423 or 304 255 1423", (("304.255.1423", "PHONE"), ("304 255 1423", "PHONE"))),
        ("001-581-896-0013x3890", (("001-581-896-0013x3890", "PHONE"),)),
        ("+44 20 7946 0958", (("+44 20 7946 0958", "PHONE"),)),
        ("+49 (0)30 1234567", (("+49 (0)30 1234567", "PHONE"),)),
        ("tel. 07700 900123", (("07700 900123", "PHONE"),)),
        (
            "020 7946 0958; 01 23 45 67 89",
            (("020 7946 0958", "PHONE"), ("01 23 45 67 89", "PHONE")),
        ),
        (
            "030 / 123456789, (0)20 7946 0958",
            (("030 / 123456789", "PHONE"), ("(0)20 7946 0958", "PHONE")),
        ),
        ("3042551423 or 97316 40825", (("3042551423", "PHONE"), ("97316 40825", "PHONE"))),
        ("on 03-01-1991 and 03/01/91 14 20 15, at 0645/1045/1445", ()),
        ("It cost 1,255-1423.50 or 12.255-1423", ()),
        ("In 2019-2020 we had 300-400 beds, ratio 0.123456789", ()),
    ),
)


# Phone numbers and extensions of any form after a word such as phone or call.


VALUE = re.compile(
    r"(?P<it>[+(]?\d(?:[ .\-/()\xa0\u2010-\u2013]{0,3}\d){5,14}" + EXTENSION + r")"
    r"|(?P<part>-?[xX]?\d{2,6}|\d-\d{4})(?![\w]|[-./:]\d)"
)
_NAMED = re.compile(r"(?:at|on|her|him|me|us|them|desk|office|nurse|station|ring|or)\b", re.I)
_SHORT = re.compile(r"ext|pager|pgr|beeper|x|bleep", re.IGNORECASE)


def is_long_or_extension(page: Page, cue: str, start: int, end: int) -> bool:
    """Whether the number is long enough for its cue: an extension may have three digits."""
    value = page.text[start:end]
    if cue[0].isdigit():
        return value[0] == "-" and end - start == 5
    if value[0] in "xX":
        return end - start > 3
    return (end - start > 6 and not _NAMED.match(cue)) or _SHORT.match(cue) is not None


CUED_PHONE = CueDetector(
    "cued_phone",
    "numbers.txt",
    value=VALUE,
    check=is_long_or_extension,
    examples=(
        ("extension 1423", (("1423", "PHONE"),)),
        ("phone: 255 1423", (("255 1423", "PHONE"),)),
        ("Tel.: 12 34 56 78", (("12 34 56 78", "PHONE"),)),
        ("his mobile number is 98765 43210", (("98765 43210", "PHONE"),)),
        ("pager 4471", (("4471", "PHONE"),)),
        ("call her x5520 or x610", (("x5520", "PHONE"), ("x610", "PHONE"))),
        ("ext 6-3907", (("6-3907", "PHONE"),)),
        ("304-255-1423 or Bo -1424", (("-1424", "PHONE"),)),
        ("texts to 255 1423, pgr 30962", (("255 1423", "PHONE"), ("30962", "PHONE"))),
        ("Phone:\\n255 1423", (("255 1423", "PHONE"),)),
        ("text 300 words, 255-1423 or 300 more", ()),
        ("Call 911. Phone 2 friends.", ()),
    ),
)


# Fax numbers: numbers in the form of a phone number after a word such as fax.


AFTER_CUE = re.compile(r"[+(]?\d(?:[ .\-/()\xa0\u2010-\u2013]{0,3}\d){5,14}" + EXTENSION)

FAX = CueDetector(
    "fax",
    "numbers.txt",
    value=AFTER_CUE,
    examples=(
        ("Fax: (304) 255-1423", (("(304) 255-1423", "FAX"),)),
        ("FAX NO. 304 255 1423", (("304 255 1423", "FAX"),)),
        ("by facsimile at +44 20 7946 0958.", (("+44 20 7946 0958", "FAX"),)),
        ("We sent 3 faxes. The fax is broken.", ()),
    ),
)
