"""First, last and nick names that stand alone, most of them known from the blackboard."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.detectors.full_name import is_no_place
from discreet.scrub.page import Page


def is_no_part_of_a_place(page: Page, first: int, after: int) -> bool:
    """Whether the name is not half of a place's: York in New York, Virginia in Virginia Beach."""
    before = is_no_place(page, first - 1, after) if first else True
    return before and is_no_place(page, first, min(after + 1, len(page.tokens)))


SINGLE_NAME = TemplateDetector(
    "single_name",
    "names.txt",
    check=is_no_part_of_a_place,
    examples=(
        ("I talked with Jennifer.", (("Jennifer", "NAME"),)),
        ("He flew from New York to Virginia Beach.", ()),
        ("Will you come in May? I hope so.", ()),
    ),
)
