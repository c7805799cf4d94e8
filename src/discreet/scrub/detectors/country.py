"""Countries."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import PLACE

COUNTRY = TemplateDetector(
    "country",
    "places.txt",
    precedence=PLACE,
    examples=(
        ("We love Portugal.", (("Portugal", "COUNTRY"),)),
        ("He is from Jordan.", (("Jordan", "COUNTRY"),)),
        ("a flight to the USA", (("USA", "COUNTRY"),)),
        ("Jordan and Chad laughed.", ()),
        ("Tell us more.", ()),
    ),
)
