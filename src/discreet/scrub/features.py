"""What can be seen of a token without knowing any word: its case, digits, mark or line end.

A token's features are bits of one integer. The first bits are shapes, listed here; the others are
knowledge, one bit for each word list of the language (see ``lexicon.py``).

Notes
-----
[Sweeney2001]_, sec. 9.2, fig. 110: "the writing conventions and immediate context help identify
the kind of information presented".

Departures: the thesis gives no list of conventions; these are ours.

Cost: each different token is looked at once.
"""

from __future__ import annotations

import re

SHAPES = (
    "word",  # letters only, marks and inner apostrophes allowed
    "lower",
    "capitalized",  # a capital first and a small letter after it: Graves, O'Brien, McLean
    "camel",  # capitalized, with a capital inside: McLean, LeBron
    "upper",  # two or more letters, all capitals
    "initial",  # one capital letter
    "mixed",  # a capital inside a word that starts small: iPhone
    "alnum",  # letters and digits, or words joined by _: A12, 5mg, john_smith
    "ordinal",  # 1st, 22nd
    "digits",
    "d1",
    "d2",
    "d3",
    "d4",
    "d5",
    "d6",
    "d7",
    "d8",
    "d9",
    "d10",
    "long",  # more than ten digits
    "mark",  # any single mark
    "stop",  # . ! ? and line ends: what a sentence may start after
    "newline",
    "blank",  # a line end with an empty line after it
    "gap",  # a tab or three or more spaces
    "spaced",  # a space follows
    "possessive",  # 's
    "short",  # a word of at most three letters
    "accented",  # a letter outside a-z
    "apostrophe",  # a word with an inner apostrophe
    "small",  # in a text without capitals: a word that could be a name
)
SHAPE_BIT = {name: 1 << place for place, name in enumerate(SHAPES)}

_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
_B = SHAPE_BIT


def shape(token: str) -> int:
    """The shape bits of a token (with its trailing space, if it has one)."""
    text = token.rstrip(" \xa0")
    spaced = _B["spaced"] if len(text) < len(token) else 0
    if text.isalpha():
        return _word(text) | spaced
    if not text or text.isspace():
        return _space(token)
    if text[0] in "'’" and len(text) == 2 and text[1] in "sS":
        return _B["possessive"] | spaced
    if not any(map(str.isalnum, text)):
        return _B["mark"] | (_B["stop"] if text in ".!?" else 0) | spaced
    if text.isdecimal():
        return _B["digits"] | _B[f"d{len(text)}" if len(text) <= 10 else "long"] | spaced
    if "_" in text or any(map(str.isdigit, text)):
        return _B["alnum"] | (_B["ordinal"] if _ORDINAL.fullmatch(text) else 0) | spaced
    return _word(text) | spaced


def _space(token: str) -> int:
    lines = token.count("\n")
    if not lines:
        return _B["gap"]
    return _B["newline"] | _B["stop"] | (_B["blank"] if lines > 1 else 0)


def _word(text: str) -> int:
    bits = _B["word"] | (_B["short"] if len(text) <= 3 else 0)
    bits |= 0 if text.isascii() else _B["accented"]
    bits |= _B["apostrophe"] if "'" in text or "’" in text else 0
    if text[0].isupper():
        if len(text) == 1:
            return bits | _B["initial"]
        if text.isupper():
            return bits | _B["upper"]
        plain = text[1:] == text[1:].lower()
        return bits | _B["capitalized"] | (0 if plain else _B["camel"])
    if text != text.lower():
        return bits | _B["mixed"]
    return bits | _B["lower"]
