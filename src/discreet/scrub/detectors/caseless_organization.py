"""Organizations in text that is all capitals or all small letters."""

from __future__ import annotations

from discreet.scrub.detectors.caseless import Caseless
from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import FULL

CASELESS_ORGANIZATION = Caseless(
    TemplateDetector(
        "caseless_organization",
        "places.txt",
        precedence=FULL,
        examples=(
            ("PATIENT WAS SEEN AT MERCY HOSPITAL TODAY", (("MERCY HOSPITAL", "ORGANIZATION"),)),
            ("SENT FROM WANSBY HOSP TODAY BY CAR", (("WANSBY HOSP", "ORGANIZATION"),)),
            ("She was seen at mercy hospital.", ()),
            ("PATIENT WAS TAKEN TO THE HOSPITAL TODAY", ()),
        ),
    )
)
