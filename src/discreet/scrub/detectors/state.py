"""States and provinces."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import PLACE

STATE = TemplateDetector(
    "state",
    "places.txt",
    precedence=PLACE,
    examples=(
        ("They left Massachusetts.", (("Massachusetts", "STATE"),)),
        ("She grew up in Virginia.", (("Virginia", "STATE"),)),
        ("I saw Virginia and Georgia today.", ()),
        ("OK, it is in my hand.", ()),
    ),
)
