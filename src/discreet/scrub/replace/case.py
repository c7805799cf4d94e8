"""A new word is written as the one it stands for: in capitals, small, or capitalized."""

from __future__ import annotations

import unicodedata


def written_like(found: str, new: str) -> str:
    """Give ``new`` (in small letters) the case of ``found``.

    Examples
    --------
    >>> [written_like(found, "wandel") for found in ("GRAVES", "graves", "Graves", "McLean")]
    ['WANDEL', 'wandel', 'Wandel', 'Wandel']
    """
    if found.islower():
        return new
    if len(found) > 1 and found.isupper():
        return new.upper()
    return new[:1].upper() + new[1:]


def folded(word: str) -> str:
    """A word without case and accents: what all its spellings have in common.

    Examples
    --------
    >>> folded("JOSÉ") == folded("Jose")
    True
    """
    word = word.casefold()
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFKD", word)
    return "".join(c for c in parts if not unicodedata.combining(c))


def is_latin(word: str) -> bool:
    """Whether all letters are Latin: others have sounds that made-up names do not know."""
    return word.isascii() or all(
        unicodedata.name(c, "").startswith("LATIN") for c in word if c.isalpha()
    )
