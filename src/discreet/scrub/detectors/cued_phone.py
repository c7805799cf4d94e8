"""Telephone numbers and extensions of any form after a word such as phone or call."""

from __future__ import annotations

import re

from discreet.scrub.detectors.cue import CueDetector
from discreet.scrub.detectors.phone import EXTENSION

VALUE = re.compile(
    r"[+(]?\d(?:[ .\-/()\xa0\u2010-\u2013]{0,3}\d){5,14}" + EXTENSION + r"|\d{2,6}(?![\w]|[-./:]\d)"
)


def is_long_or_extension(page: object, cue: str, start: int, end: int) -> bool:
    """Whether the number is long enough for its cue: an extension may have three digits."""
    return end - start > 6 or cue.lower().startswith(("ext", "pager", "beeper", "x", "bleep"))


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
        ("Call 911. Phone 2 friends.", ()),
    ),
)
