"""Places on the globe: latitude and longitude."""

from __future__ import annotations

import re

from discreet.scrub.detectors.checks import digits_of
from discreet.scrub.detectors.detector import Shape, ShapeDetector


def is_place(text: str) -> bool:
    """Whether two decimal numbers can be latitude and longitude."""
    first, second = (float(n) for n in re.findall(r"-?\d+\.\d+", text)[:2])
    return abs(first) <= 180 and abs(second) <= 180 and len(digits_of(text)) >= 6


COORDINATES = ShapeDetector(
    "coordinates",
    (
        Shape(
            "LOCATION",
            0.95,
            "latitude, longitude",
            re.compile(
                r"[-+\d](?<![\w.$€£][-+\d])(?<!\d[-+])\d{0,3}\.\d{3,}°?(?: ?[NSEW]\b)?, ?"
                r"[-+]?\d{1,3}\.\d{3,}°?(?: ?[NSEW]\b)?(?!\w)"
            ),
            check=is_place,
            sign=".",
        ),
        Shape(
            "LOCATION",
            0.95,
            "degrees",
            re.compile(
                r"\d(?<![\w.]\d)\d{0,2}(?:\.\d+)?°"
                r"(?:[ ]?\d{1,2}(?:\.\d+)?['′](?:[ ]?\d{1,2}(?:\.\d+)?(?:[\"″]|''))?)?[ ]?[NSEW]\b"
            ),
            sign="°",
        ),
    ),
    examples=(
        ("near 42.3601, -71.0589.", (("42.3601, -71.0589", "LOCATION"),)),
        ("[-76.2034,134.6532]", (("-76.2034,134.6532", "LOCATION"),)),
        ("40°26'46\" N", (("40°26'46\" N", "LOCATION"),)),
        ("at 40.7128° N, 74.0060° W", (("40.7128° N, 74.0060° W", "LOCATION"),)),
        ("from 1.5, 2.5 to 98.6° F and $12.345, 13.222", ()),
    ),
)
