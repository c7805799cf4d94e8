"""Social security numbers: with dashes or spaces, masked, bare or the last four after a cue."""

from __future__ import annotations

import re

from discreet.scrub.detectors.checks import ssn
from discreet.scrub.detectors.cue import CueDetector
from discreet.scrub.detectors.detector import Shape, ShapeDetector

SSN = ShapeDetector(
    "ssn",
    (
        Shape(
            "SSN",
            0.96,
            "three parts",
            re.compile(
                r"\d(?<![\w-]\d)\d{2}(?P<same>[-\u2010-\u2013])\d{2}(?P=same)\d{4}(?![\w]|-\d)"
            ),
            check=ssn,
        ),
        Shape(
            "SSN",
            0.86,
            "three parts with spaces or points",
            re.compile(
                r"\d(?<![\w.,$€£-]\d)\d{2}(?P<same>[ .])\d{2}(?P=same)\d{4}(?![\w%]|[-.,]\d)"
            ),
            check=ssn,
        ),
        Shape(
            "SSN",
            0.9,
            "British national insurance number",
            re.compile(
                r"[A-CEGHJ-TW-Z](?<!\w.)[A-CEGHJ-NP-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)"
            ),
        ),
    ),
    examples=(
        ("SSN 078-05-1120.", (("078-05-1120", "SSN"),)),
        ("078 05 1120", (("078 05 1120", "SSN"),)),
        ("NI number QQ 12 34 56 C or AB123456D", (("QQ 12 34 56 C", "SSN"), ("AB123456D", "SSN"))),
        ("000-12-3456, 1078-05-1120, 078-05-11201, $100 20 3000", ()),
    ),
)

CUED_SSN = CueDetector(
    "cued_ssn",
    "numbers.txt",
    value=re.compile(
        r"#?(?P<it>[\dxX*#•]{3}[- .]?[\dxX*#•]{2}[- .]?\d{4}|\d(?:[ .-]?\d){3,13}[A-Z]?"
        r"|[A-Z]{2}(?: ?\d{2}){3} ?[A-Z]|(?=[A-Z]*\d)[A-Z0-9]{8,16})(?!\w|[-/]\d)"
    ),
    examples=(
        ("SSN: 078051120", (("078051120", "SSN"),)),
        ("Social Security Number is 078-05-1120", (("078-05-1120", "SSN"),)),
        ("last four of her social: 1120", (("1120", "SSN"),)),
        ("SSN ending in 1120", (("1120", "SSN"),)),
        ("social security no. 996 076 6460", (("996 076 6460", "SSN"),)),
        ("national insurance number: QQ 12 34 56 C", (("QQ 12 34 56 C", "SSN"),)),
        ("Social security pays 1,200 a month; a social 2020 event", ()),
    ),
)
