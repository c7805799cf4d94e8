"""Measurements, doses, laboratory values and shares: kept, so that they are not taken for ids."""

from __future__ import annotations

import re

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.page import Page


def is_joined(page: Page, first: int, after: int) -> bool:
    """Whether one word is a number and its unit: 5mg."""
    if not page.tokens[first][0].isdigit():
        return False
    parts = re.fullmatch(r"\d+([^\W\d_]+)", page.tokens[first].strip())
    if not parts or (parts[1].isupper() and len(parts[1]) == 1 and parts[1] not in "LVWCFK"):
        return False
    return bool(page.lexicon.mask(parts[1].lower()) & page.lexicon.bit("unit"))


MEASUREMENT = TemplateDetector(
    "measurement",
    "numbers.txt",
    keep=True,
    examples=(
        ("took 5 mg twice", (("5 mg", "MEASUREMENT"),)),
        ("3.5 cm by 2 cm", (("3.5 cm", "MEASUREMENT"), ("2 cm", "MEASUREMENT"))),
        ("BP 120/80, temp 98.6 F", (("120/80", "MEASUREMENT"), ("98.6", "MEASUREMENT"))),
        (
            "12.5% of 1,250,000 people",
            (("12.5%", "MEASUREMENT"), ("1,250,000 people", "MEASUREMENT")),
        ),
        ("5-10 mg/dL", (("5-10 mg", "MEASUREMENT"),)),
        ("call 255-1423, in 2013 Ms Fox, 30962 H, 4 in the room", ()),
    ),
)

MEASURED = TemplateDetector(
    "measured",
    "numbers.txt",
    keep=True,
    check=is_joined,
    examples=(
        ("took 5mg or 250ml", (("5mg", "MEASUREMENT"), ("250ml", "MEASUREMENT"))),
        ("AB12345, 5xyz, 2016R", ()),
    ),
)
