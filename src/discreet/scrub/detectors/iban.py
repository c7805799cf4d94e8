"""International bank account numbers, by their check digits or their country and length."""

from __future__ import annotations

import re

from discreet.scrub.detectors.checks import iban
from discreet.scrub.detectors.detector import Shape, ShapeDetector

_FORM = r"[A-Z](?<!\w.)[A-Z]\d\d(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?(?!\w)"

IBAN = ShapeDetector(
    "iban",
    (
        Shape("IBAN", 0.99, "check digits hold", re.compile(f"(?i:{_FORM})"), check=iban),
        Shape(
            "IBAN",
            0.85,
            "form",
            re.compile(f"(?i:{_FORM})"),
            check=lambda text: sum(map(str.isdigit, text)) >= 10,
        ),
    ),
    examples=(
        ("IBAN GB82 WEST 1234 5698 7654 32.", (("GB82 WEST 1234 5698 7654 32", "IBAN"),)),
        ("DE89370400440532013000", (("DE89370400440532013000", "IBAN"),)),
        ("de89 3704 0044 0532 0130 00", (("de89 3704 0044 0532 0130 00", "IBAN"),)),
        ("DE00370400440532013000", (("DE00370400440532013000", "IBAN"),)),
        ("AB12 CDEF GHIJ and GB82 WEST", ()),
    ),
)
