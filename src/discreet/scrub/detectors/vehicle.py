"""Vehicle numbers (VIN) and plates."""

from __future__ import annotations

import re

from discreet.scrub.detectors.checks import vin
from discreet.scrub.detectors.cue import CueDetector
from discreet.scrub.detectors.detector import Shape, ShapeDetector
from discreet.scrub.page import Page

_FORM = re.compile(
    r"[A-HJ-NPR-Z0-9](?<!\w.)(?=[A-Z0-9]{0,15}\d)(?=\d{0,15}[A-Z])[A-HJ-NPR-Z0-9]{16}(?!\w)"
)

VEHICLE = ShapeDetector(
    "vehicle",
    (
        Shape("VEHICLE", 0.98, "VIN, check digit holds", _FORM, check=vin),
        Shape("VEHICLE", 0.86, "VIN", _FORM),
        Shape(
            "VEHICLE",
            0.85,
            "British plate",
            re.compile(r"[A-Z](?<!\w.)[A-Z]\d{2} ?[A-Z]{3}(?!\w)"),
        ),
    ),
    examples=(
        ("VIN 1M8GDM9AXKP042788", (("1M8GDM9AXKP042788", "VEHICLE"),)),
        ("1M8GDM9A0KP042788", (("1M8GDM9A0KP042788", "VEHICLE"),)),
        ("his car, AB12 CDE,", (("AB12 CDE", "VEHICLE"),)),
        ("12345678901234567 and ABCDEFGHJKLMNPRST", ()),
    ),
)


_PLATE = re.compile(
    r"[A-Z]{2,3}[ -]?\d{3,4}(?:[ -]?[A-Z]{1,3})?|\d{1,4}[ -]?[A-Z]{2,3}(?:[ -]?\d{1,4})?"
    r"|[A-Z]{2}\d{2} ?[A-Z]{3}|[A-Z]{1,3}-[A-Z]{1,2} \d{1,4}|[A-Z]{2}-\d{3}-[A-Z]{2}"
)
"""Plates of many countries, for where only a make and a comma stand before."""


def has_letters_or_number(page: Page, cue: str, start: int, end: int) -> bool:
    """Whether a plate has letters and digits, or its cue says number."""
    value = page.text[start:end]
    mixed = any(map(str.isalpha, value)) and any(map(str.isdigit, value))
    if cue.rstrip().endswith(","):
        return _PLATE.fullmatch(value) is not None
    is_weak = re.match(r"vehicle|car|truck|lorry|van|taxi|trailer|tag", cue, re.I)
    return (mixed and len(value) > (5 if is_weak else 4)) or bool(
        re.search(r"number|no\b|#|vin|plate", cue, re.I)
    )


CUED_VEHICLE = CueDetector(
    "cued_vehicle",
    "numbers.txt",
    check=has_letters_or_number,
    value=re.compile(
        r"#?(?P<it>(?=[A-Z -]*\d)[A-Z0-9]{1,4}(?:[ -][A-Z0-9]{1,5}){1,3}(?![\w-])"
        r"|[a-z]{2,3}[ -]\d{3,4}(?![\w-])|\d{3,4}[ -][a-z]{3}(?![\w-])"
        r"|(?=[A-Z]*\d)[A-Z0-9]{4,17}(?![\w-])|(?=[A-Za-z]*\d)[A-Za-z0-9-]{5,8}(?!\w))"
    ),
    examples=(
        ("license plate: ABC 1234", (("ABC 1234", "VEHICLE"),)),
        ("registration number 7ABC123", (("7ABC123", "VEHICLE"),)),
        ("plates B-MW 4471", (("B-MW 4471", "VEHICLE"),)),
        ("VIN: WBA3A5C58CF256985", (("WBA3A5C58CF256985", "VEHICLE"),)),
        ("the van, registration BTC 7219, was", (("BTC 7219", "VEHICLE"),)),
        ("registration dvm 5326, car 1234", (("dvm 5326", "VEHICLE"),)),
        (
            "a grey Kia, TMD-617, left; Isuzu, RKL 305 GP",
            (("TMD-617", "VEHICLE"), ("RKL 305 GP", "VEHICLE")),
        ),
        ("a new Ford, A4 paper, 300 km, an old Golf, and 2019", ()),
        ("a plate of 12 cookies; tag: sale", ()),
    ),
)
