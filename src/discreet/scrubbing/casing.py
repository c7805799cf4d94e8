"""Texts without small letters, or without capitals, in which case says nothing about a word."""

from __future__ import annotations

import re
from string import ascii_lowercase, ascii_uppercase

from discreet.scrubbing.templates.lexicon import Lexicon

NORMAL, UPPER, LOWER = "normal", "upper", "lower"
"""Casing of a text: capitals and small letters, only capitals, only small letters."""

_SAMPLE = 3_000
_ENOUGH, _FEW = 20, 10
"""Letters that decide the case of a text; several words without a small letter need fewer."""
_OTHER = re.compile(r"[^\x00-\x7f]")
_UPPER, _LOWER = ascii_uppercase.encode(), ascii_lowercase.encode()


def find_casing(text: str) -> str:
    """Whether a text mixes capitals and small letters or has only one of them.

    Examples
    --------
    >>> find_casing("SEEN BY DR. FRANK GRAVES TODAY"), find_casing("seen by Dr. Graves today")
    ('upper', 'normal')
    """
    upper, lower = _count_letters(text[:_SAMPLE])
    if upper + lower >= _ENOUGH and upper > 9 * lower:
        return UPPER
    if not lower and upper >= _FEW and len(text[:_SAMPLE].split()) > 1:
        return UPPER
    return LOWER if lower > 200 * max(upper, 1) or (lower >= 8 and not upper) else NORMAL


def _count_letters(sample: str) -> tuple[int, int]:
    """How many capitals and small letters there are."""
    plain = sample.encode("ascii", "ignore")
    upper, lower = (len(plain) - len(plain.translate(None, case)) for case in (_UPPER, _LOWER))
    if len(plain) < len(sample):
        rest = _OTHER.findall(sample)
        upper, lower = upper + sum(map(str.isupper, rest)), lower + sum(map(str.islower, rest))
    return upper, lower


def adjust_to_casing(mask: int, casing: str, lexicon: Lexicon) -> int:
    """The features of a word in a text without small letters, or without capitals.

    Case says nothing there, so the word lists decide which case the word would have: a capital for
    names and unknown words, small letters for ordinary words. A word that is both stays ``upper``;
    in a text without capitals it is ``small``, and so are unknown words, many of which are typing
    errors.
    """
    if casing == NORMAL:
        return mask
    bit = lexicon.bits
    plain_case = bit["upper" if casing == UPPER else "lower"]
    if not mask & plain_case:
        return mask
    ordinary, sure = mask & bit["ordinary"], lexicon.union("sure_first", "sure_last", "sure_city")
    if casing == UPPER:
        if mask & sure or not ordinary:
            return mask & ~plain_case | bit["capitalized"]
        is_both = mask & lexicon.union("first", "last")
        return mask if is_both else mask & ~plain_case | bit["lower"]
    if mask & sure and not mask & lexicon.union("frequent"):
        return mask & ~plain_case | bit["capitalized"]
    return mask | (bit["small"] if mask & lexicon.union("first", "last", "unknown") else 0)
