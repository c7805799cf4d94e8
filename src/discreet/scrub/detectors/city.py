"""Cities and towns that stand alone, by list and by the words before them."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import PLACE

CITY = TemplateDetector(
    "city",
    "places.txt",
    precedence=PLACE,
    examples=(
        ("She lives in Peabon now.", (("Peabon", "CITY"),)),
        ("The flight from Springfield was late.", (("Springfield", "CITY"),)),
        ("We like Chicago a lot.", (("Chicago", "CITY"),)),
        ("I am from chicago", (("chicago", "CITY"),)),
        ("a shop outside Larch Ridge", (("Larch Ridge", "CITY"),)),
        ("she works in the Lydford office", (("Lydford", "CITY"),)),
        ("They flew to Kenmarra on Sunday.", (("Kenmarra", "CITY"),)),
        ("Prague C2M4, Budapest 4 and the Edinburgh score", ()),
        ("Reading is Nice and Orange is Mobile.", ()),
        ("He was seen in May.", ()),
    ),
)
