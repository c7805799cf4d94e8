"""Numbers of devices: IMEI, serial numbers after a cue, the signature of a browser."""

from __future__ import annotations

import re

from discreet.scrub.detectors.checks import luhn
from discreet.scrub.detectors.cue import CueDetector
from discreet.scrub.detectors.detector import Shape, ShapeDetector

DEVICE = ShapeDetector(
    "device",
    (
        Shape(
            "DEVICE",
            0.97,
            "IMEI, check digit holds",
            re.compile(r"\d(?<![\w-]\d)\d[- ]?\d{6}[- ]?\d{6}[- ]?\d(?![\w]|-\d)"),
            check=luhn,
        ),
        Shape(
            "DEVICE",
            0.9,
            "IMEI",
            re.compile(r"\d(?<![\w-]\d)\d-\d{6}-\d{6}-\d{1,2}(?![\w]|-\d)"),
            sign="-",
        ),
    ),
    examples=(
        ("IMEI 49-015420-323751-8", (("49-015420-323751-8", "DEVICE"),)),
        ("490154203237518", (("490154203237518", "DEVICE"),)),
        ("490154203237519 and Mozilla", ()),
    ),
)

CUED_DEVICE = CueDetector(
    "cued_device",
    "numbers.txt",
    examples=(
        ("serial number: SN-48213-B", (("SN-48213-B", "DEVICE"),)),
        ("S/N 4471-2231", (("4471-2231", "DEVICE"),)),
        ("IMEI: 123456789012345", (("123456789012345", "DEVICE"),)),
        ("pacemaker serial no. PM4471223", (("PM4471223", "DEVICE"),)),
        ("a serial killer in 3 films", ()),
    ),
)
