"""Employers and companies told by the words before them: works at, engineer at, called."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import FULL

EMPLOYER = TemplateDetector(
    "employer",
    "places.txt",
    precedence=FULL,
    examples=(
        ("She works at Northwind now.", (("Northwind", "ORGANIZATION"),)),
        ("He was employed by IBM.", (("IBM", "ORGANIZATION"),)),
        ("an engineer at Contoso", (("Contoso", "ORGANIZATION"),)),
        ("his employer, Hegstad Slating", (("Hegstad Slating", "ORGANIZATION"),)),
        ("He was laid off from Vantreight.", (("Vantreight", "ORGANIZATION"),)),
        ("She works at home and for the money.", ()),
    ),
)
