"""Counties, parks, lakes, airports: places that are no towns."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import PLACE

AREA = TemplateDetector(
    "area",
    "places.txt",
    precedence=PLACE,
    examples=(
        ("She moved to Suffolk County.", (("Suffolk County", "LOCATION"),)),
        ("We left from Logan Airport.", (("Logan Airport", "LOCATION"),)),
        ("a farm in Co. Sligo", (("Co. Sligo", "LOCATION"),)),
        ("a cousin in Shropshire", (("Shropshire", "LOCATION"),)),
        ("the old Penmarch Lighthouse", (("Penmarch Lighthouse", "LOCATION"),)),
        ("the county paid for the park", ()),
    ),
)
