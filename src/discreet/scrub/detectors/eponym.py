"""Diseases, signs and instruments named after people; kept."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector

EPONYM = TemplateDetector(
    "eponym",
    "special.txt",
    keep=True,
    examples=(
        ("He has Parkinson's disease.", (("Parkinson's disease", "MEDICAL"),)),
        ("Her Crohn's is worse.", (("Crohn's", "MEDICAL"),)),
        ("a Foley catheter", (("Foley catheter", "MEDICAL"),)),
        ("Glasgow Coma Scale 15", (("Glasgow Coma Scale", "MEDICAL"),)),
        ("non-Hodgkin lymphoma", (("Hodgkin lymphoma", "MEDICAL"),)),
        ("Mr. Parkinson and Ms. Graves came.", ()),
    ),
)
