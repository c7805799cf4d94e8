"""Universally unique identifiers."""

from __future__ import annotations

import re

from discreet.scrub.detectors.around import AroundDetector, Mark

UUID = AroundDetector(
    "uuid",
    (
        Mark(
            "ID",
            0.97,
            "UUID",
            re.compile(r"(?<!\w)[0-9a-fA-F]{8}$"),
            re.compile(r"-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?!\w)"),
        ),
    ),
    examples=(
        (
            "id 123e4567-e89b-42d3-a456-426614174000.",
            (("123e4567-e89b-42d3-a456-426614174000", "ID"),),
        ),
        ("a-b-c, 2019-12-12", ()),
    ),
)
