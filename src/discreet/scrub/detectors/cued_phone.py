"""Telephone numbers and extensions of any form after a word such as phone or call."""

from __future__ import annotations

import re

from discreet.scrub.detectors.cue import CueDetector
from discreet.scrub.detectors.phone import EXTENSION
from discreet.scrub.page import Page

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
