"""Texts without the characters that nobody sees.

A soft hyphen or a zero-width space splits a name for whoever reads letters one by one, and for
nobody else. Marks of writing direction are of the same kind.
"""

from __future__ import annotations

import re

HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
_BETWEEN = re.compile(r"(?<=[^\W\d_A-Z])\u200b(?=[A-Z])|(?<=[.,;:!?])\u200b(?=\w)")
"""A zero-width space that stands for a space."""


def strip_hidden(text: str) -> str:
    """The text without characters that are not seen.

    Examples
    --------
    >>> strip_hidden("Jo\\u200bhn Sm\\u00adith"), strip_hidden("John\\u200bSmith")
    ('John Smith', 'John Smith')
    """
    if text.isascii() or not HIDDEN.search(text):
        return text
    return HIDDEN.sub("", replace_zero_width(text))


def replace_zero_width(text: str) -> str:
    """The text with a space for each zero-width one that stands between words."""
    return _BETWEEN.sub(" ", text)
