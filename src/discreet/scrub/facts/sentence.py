"""What stands in the same sentence before a place of a text."""

from __future__ import annotations

import re

END = re.compile(r"(?<!\b[A-Za-z])[.!?;](?=\s)|\n[^\S\n]*\n")
LONGEST = 300
"""Characters that are looked at: some texts have no sentences."""


def before(text: str, place: int) -> str:
    """The sentence up to a place.

    Examples
    --------
    >>> before("It rained. At noon we left.", 18)
    ' At noon'
    """
    start = max(place - LONGEST, 0)
    part = text[start:place]
    for end in END.finditer(part):
        start = place - len(part) + end.end()
    return text[start:place]


def bounds(text: str, place: int) -> tuple[int, int]:
    """Where the sentence around a place starts and ends."""
    after = END.search(text, place, place + LONGEST)
    end = after.start() if after else min(place + LONGEST, len(text))
    return place - len(before(text, place)), end
