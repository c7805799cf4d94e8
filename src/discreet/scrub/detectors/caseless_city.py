"""Towns in text that is all capitals or all small letters, by the words before them."""

from __future__ import annotations

from discreet.scrub.detectors.caseless import Caseless
from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import PLACE

CASELESS_CITY = Caseless(
    TemplateDetector(
        "caseless_city",
        "places.txt",
        precedence=PLACE,
        examples=(
            ("THE FAMILY LIVES IN MOBILE NOW", (("MOBILE", "CITY"),)),
            ("SHE IS BACK FROM BELFAST AGAIN", (("BELFAST", "CITY"),)),
            ("THE FAMILY LIVES IN A HOUSE", ()),
        ),
    )
)
