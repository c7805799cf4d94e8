"""Teams, leagues and clubs that somebody belongs to."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import FULL

TEAM = TemplateDetector(
    "team",
    "places.txt",
    precedence=FULL,
    examples=(
        (
            "competing again with the U. S. Junior Gymnastics team.",
            (("U. S. Junior Gymnastics team", "TEAM"),),
        ),
        ("plays for the Springfield Hawks.", (("Springfield Hawks", "TEAM"),)),
        ("Peabody Little League", (("Peabody Little League", "TEAM"),)),
        ("Zorbeth Rovers won.", (("Zorbeth Rovers", "TEAM"),)),
        ("Our team plays football for fun.", ()),
        ("Dear Support Team,", ()),
    ),
)
