"""Drugs, by list and dose; kept."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector

DRUG = TemplateDetector(
    "drug",
    "special.txt",
    keep=True,
    examples=(
        ("currently on Lily Human Insulin", (("Lily Human Insulin", "DRUG"),)),
        ("Tylenol and Zyloprix 5 mg", (("Tylenol", "DRUG"), ("Zyloprix", "DRUG"))),
        ("Mary takes it.", ()),
    ),
)
