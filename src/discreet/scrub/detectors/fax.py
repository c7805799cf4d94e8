"""Fax numbers: numbers with the form of a phone number after a word such as fax."""

from __future__ import annotations

import re

from discreet.scrub.detectors.cue import CueDetector
from discreet.scrub.detectors.phone import EXTENSION

AFTER_CUE = re.compile(r"[+(]?\d(?:[ .\-/()\xa0\u2010-\u2013]{0,3}\d){5,14}" + EXTENSION)

FAX = CueDetector(
    "fax",
    "numbers.txt",
    value=AFTER_CUE,
    examples=(
        ("Fax: (304) 255-1423", (("(304) 255-1423", "FAX"),)),
        ("FAX NO. 304 255 1423", (("304 255 1423", "FAX"),)),
        ("by facsimile at +44 20 7946 0958.", (("+44 20 7946 0958", "FAX"),)),
        ("We sent 3 faxes. The fax is broken.", ()),
    ),
)
