"""Text cut into tokens: words, digits, single marks, line ends and wide gaps, nothing left out.

Notes
-----
[Sweeney2001]_, sec. 9.2: the reader "used templates and localized knowledge"; both deal with words
and marks, so the text is first cut into these.

Departures: none; the thesis does not say how text is cut.

Cost: one regular expression over the text, in C. Every character belongs to exactly one token, so
offsets are sums of lengths and need no work until they are asked for.
"""

from __future__ import annotations

import re
from itertools import accumulate

MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
)
"""Combining marks, which Python does not count as part of a word."""

TOKEN = re.compile(
    r"(?:"
    rf"[^\W_]+(?:(?:['’](?![sS](?![^\W_]))|_|[{MARKS}]+)[^\W_]+)*[{MARKS}]*"
    r"|['’][sS](?![^\W_])"  # a possessive is a token of its own
    r"|[^\w\s]|_"
    r")[ \xa0]{0,2}"  # one or two spaces after a token belong to it
    r"|[^\S\n]*\n\s*"  # a line end, with the empty lines and the indent after it
    r"|[^\S\n]+"  # the rest: tabs, and gaps of three or more spaces
)


def tokenize(text: str) -> list[str]:
    """The tokens of a text, each with the space after it; joined, they give the text back.

    Examples
    --------
    >>> tokenize("Dear Dr. O'Brien's,")
    ['Dear ', 'Dr', '. ', "O'Brien", "'s", ',']
    """
    return TOKEN.findall(text)


def find_token_ends(tokens: list[str]) -> list[int]:
    """Where each token ends in the text, its trailing space included.

    Examples
    --------
    >>> find_token_ends(['Dear ', 'Dr', '.'])
    [5, 7, 8]
    """
    return list(accumulate(map(len, tokens)))
