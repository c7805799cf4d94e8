"""Medical words with a capital, as headings and lists have them; kept."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector

MEDICAL_TERM = TemplateDetector(
    "medical_term",
    "special.txt",
    keep=True,
    examples=(
        ("Diabetes Mellitus, type 2", (("Diabetes Mellitus", "MEDICAL"),)),
        ("Mary is well.", ()),
    ),
)
