"""The signature of a browser, which tells device and software."""

from __future__ import annotations

import re

from discreet.scrub.detectors.detector import Shape, ShapeDetector
from discreet.scrub.finding import FULL

_FORM = r"/\d[\d.]*(?: \([^()\n]*\)+| [A-Za-z]+/[\w.+]+| \w+(?= \())*"

BROWSER = ShapeDetector(
    "browser",
    (
        Shape("DEVICE", 0.96, "browser", re.compile("Mozilla" + _FORM), sign="Mozilla/"),
        Shape("DEVICE", 0.96, "browser", re.compile("Opera" + _FORM), sign="Opera/"),
    ),
    precedence=FULL,
    examples=(
        (
            "by Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0",
            (
                (
                    "Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0",
                    "DEVICE",
                ),
            ),
        ),
        ("Mozilla and Opera", ()),
    ),
)
