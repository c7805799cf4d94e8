"""What scrubbing was before Scrub: straight search, and search with cues (figures 109 and 114).

Straight search looks for what the database holds of the person the text is about. Search with cues
also knows the writer, and takes what follows words such as ``Dear`` and ``Dr.`` or a label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

Stretch = tuple[int, int, str]

_NAME = r"[A-Z][\w'’-]+(?:[ ](?:[A-Z]\.[ ])?[A-Z][\w'’-]+)*"
CUES = (
    re.compile(rf"\b(?:Dear|Hi|Hello)[ ](?:(?:Dr|Mr|Mrs|Ms|Doctor)\.?[ ])?({_NAME})"),
    re.compile(rf"\b(?:Dr|Mr|Mrs|Ms)\.?[ ]({_NAME})"),
    re.compile(r"(?im)^(?:re|patient|name|patient name|attending|dob|mrn|tel\.?|phone)[:# ]+(.+)$"),
    re.compile(rf"(?m)^({_NAME}),? M\.?D\.?"),
    re.compile(r"(?m)^(.+ \d{5}(?:-\d{4})?)$"),
)


def straight_search(text: str, known: Iterable[str]) -> list[Stretch]:
    """Every occurrence of what is known, whole words, in any case."""
    found = []
    for value in {value for value in known if len(value) > 1}:
        pattern = rf"(?<!\w){re.escape(value)}(?!\w)"
        found += [
            (match.start(), match.end(), "KNOWN")
            for match in re.finditer(pattern, text, re.IGNORECASE)
        ]
    return found


def search_with_cues(text: str, known: Iterable[str]) -> list[Stretch]:
    """Straight search, and what the cues of a letter point at."""
    found = straight_search(text, known)
    for cue in CUES:
        found += [(*match.span(1), "CUE") for match in cue.finditer(text)]
    return found
