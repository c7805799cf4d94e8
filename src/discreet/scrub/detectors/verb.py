"""Verbs with a capital that are names as well: Will you, Mark the date; kept."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector

VERB = TemplateDetector(
    "verb",
    "special.txt",
    keep=True,
    examples=(
        ("Will you come? Mark the date.", (("Will", "VERB"), ("Mark", "VERB"))),
        ("Mark came.", ()),
    ),
)
