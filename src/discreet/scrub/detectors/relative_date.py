"""Dates that need a second date to be known: last Tuesday, two weeks ago. A kind of its own."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector

RELATIVE_DATE = TemplateDetector(
    "relative_date",
    "numbers.txt",
    examples=(
        ("seen last Tuesday", (("last Tuesday", "RELATIVE_DATE"),)),
        (
            "two weeks ago, 3 days later",
            (("two weeks ago", "RELATIVE_DATE"), ("3 days later", "RELATIVE_DATE")),
        ),
        (
            "yesterday and next month",
            (("yesterday", "RELATIVE_DATE"), ("next month", "RELATIVE_DATE")),
        ),
        ("for two weeks, the last time", ()),
    ),
)
