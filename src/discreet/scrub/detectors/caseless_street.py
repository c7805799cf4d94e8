"""Streets in text that is all capitals or all small letters."""

from __future__ import annotations

from discreet.scrub.detectors.caseless import Caseless
from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.detectors.street import is_house_number
from discreet.scrub.finding import ADDRESS

CASELESS_STREET = Caseless(
    TemplateDetector(
        "caseless_street",
        "places.txt",
        precedence=ADDRESS,
        check=is_house_number,
        examples=(
            ("HE LIVES AT 43 PROSPECT TERRACE NOW", (("43 PROSPECT TERRACE", "STREET"),)),
            ("SHE WAS SEEN ON KELMAR BLVD TODAY", (("KELMAR BLVD", "STREET"),)),
            ("SHE TOOK 5 STEPS DOWN THE HALL", ()),
        ),
    )
)
