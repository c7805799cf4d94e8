"""Numbers of payment cards, by their check digit or their groups; codes and dates after a cue."""

from __future__ import annotations

import re

from discreet.scrub.detectors.checks import luhn
from discreet.scrub.detectors.cue import CueDetector
from discreet.scrub.detectors.detector import Shape, ShapeDetector

_START = r"\d(?<![\w.$€£+-]\d)"

CARD = ShapeDetector(
    "card",
    (
        Shape(
            "CARD",
            0.97,
            "check digit holds",
            re.compile(_START + r"(?:[ -]?\d){12,18}(?![\w]|[-.]\d)"),
            check=luhn,
        ),
        Shape(
            "CARD",
            0.88,
            "groups of four, or 4-6-5",
            re.compile(
                _START
                + r"\d{3}(?P<same>[ -])(?:\d{4}(?P=same)\d{4}(?P=same)\d{1,7}|\d{6}(?P=same)\d{5})"
                r"(?![\w]|[-.]\d)"
            ),
        ),
    ),
    examples=(
        ("card 4111 1111 1111 1111 exp", (("4111 1111 1111 1111", "CARD"),)),
        ("4111111111111111", (("4111111111111111", "CARD"),)),
        ("3782-822463-10005", (("3782-822463-10005", "CARD"),)),
        ("1234-5678-9012-3456", (("1234-5678-9012-3456", "CARD"),)),
        ("in 2019 2020 2021 there were 4111111111111112", ()),
    ),
)

CUED_CARD = CueDetector(
    "cued_card",
    "numbers.txt",
    value=re.compile(r"#?(?P<it>\d[\d -]{10,21}\d|\d{3,4}|\d\d/(?:\d\d){1,2})(?![\w/]|[-.]\d)"),
    examples=(
        ("CVV: 123", (("123", "CARD"),)),
        ("the security code is 4821", (("4821", "CARD"),)),
        ("Visa card number 4929 1234 5678 901", (("4929 1234 5678 901", "CARD"),)),
        ("card ending in 4242", (("4242", "CARD"),)),
        ("Card expires 04/27", (("04/27", "DATE"),)),
        ("a card of 300 words, the code is long", ()),
    ),
)
