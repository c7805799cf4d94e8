"""Times of day: kept, as they point to nobody without a date."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector

TIME_OF_DAY = TemplateDetector(
    "time_of_day",
    "numbers.txt",
    keep=True,
    examples=(
        ("at 10:30 am, 14:05", (("10:30 am", "TIME"), ("14:05", "TIME"))),
        ("from 5 p.m. on", (("5 p.m.", "TIME"),)),
        ("ratio 10:300", ()),
    ),
)
