"""Fields of forms that hold places and organizations: the label says what the rest of a line is."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import FULL

FORM_FIELD = TemplateDetector(
    "form_field",
    "places.txt",
    precedence=FULL,
    examples=(
        ("Home address: Gale Hollow 3", (("Gale Hollow 3", "ADDRESS"),)),
        ("Employer: acme widgets", (("acme widgets", "ORGANIZATION"),)),
        ("Age: 5\nCountry: Chad", (("Chad", "COUNTRY"),)),
        ("City: Mobile", (("Mobile", "CITY"),)),
        ('{"state": "tx", "n": 3}', (("tx", "STATE"),)),
        ("<state>UT</state>", (("UT", "STATE"),)),
        ("<company>Zorb Tools</company>", (("Zorb Tools", "ORGANIZATION"),)),
        ("the city is nice", ()),
    ),
)
