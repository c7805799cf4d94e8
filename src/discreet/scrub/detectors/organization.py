"""Companies: by their legal form, by words that end company names, by label."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import FULL

ORGANIZATION = TemplateDetector(
    "organization",
    "places.txt",
    precedence=FULL,
    examples=(
        ("We called Marina Corp today.", (("Marina Corp", "ORGANIZATION"),)),
        ("Peabon Industries, Inc. paid.", (("Peabon Industries, Inc.", "ORGANIZATION"),)),
        ("Huber Logistik GmbH & Co. KG", (("Huber Logistik GmbH & Co. KG", "ORGANIZATION"),)),
        ("Garcia and Sons", (("Garcia and Sons", "ORGANIZATION"),)),
        ("Smith, Jones and Brown", (("Smith, Jones and Brown", "ORGANIZATION"),)),
        ("The Company and its Services are limited.", ()),
        ("We work in a group.", ()),
    ),
)
