"""Towns with state and ZIP in text that is all capitals or all small letters."""

from __future__ import annotations

from discreet.scrub.detectors.caseless import Caseless
from discreet.scrub.detectors.location import Location

CASELESS_LOCATION = Caseless(
    Location(
        "caseless_location",
        "places.txt",
        examples=(
            (
                "LETTER TO HARTFORD CT 06116 TODAY",
                (("HARTFORD", "CITY"), ("CT", "STATE"), ("06116", "ZIP")),
            ),
            ("THE COST IS 10000 IN ALL OR SO", ()),
        ),
    )
)
