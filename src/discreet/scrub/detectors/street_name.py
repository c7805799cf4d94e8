"""Streets without a house number: on Baker Street, Sycamore Drive, rue Lepic."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import FULL

STREET_NAME = TemplateDetector(
    "street_name",
    "places.txt",
    precedence=FULL,
    examples=(
        ("They met on Baker Street.", (("Baker Street", "STREET"),)),
        ("a house on Sycamore Drive", (("Sycamore Drive", "STREET"),)),
        ("rue Lepic", (("rue Lepic", "STREET"),)),
        ("we met on marrick rd", (("marrick rd", "STREET"),)),
        ("her house on Stockwell St", (("Stockwell St", "STREET"),)),
        ("The road to the street was long. The Court sat.", ()),
    ),
)
