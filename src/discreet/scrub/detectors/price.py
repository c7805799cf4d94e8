"""Amounts of money: kept, so that they are not taken for ids."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector

PRICE = TemplateDetector(
    "price",
    "numbers.txt",
    keep=True,
    examples=(
        ("$1,234.50 or € 20", (("$1,234.50", "PRICE"), ("€ 20", "PRICE"))),
        ("USD 500", (("USD 500", "PRICE"),)),
        ("call 255-1423", ()),
    ),
)
