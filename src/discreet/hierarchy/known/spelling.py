"""Compares names without case, accents and punctuation, allowing for small mistakes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Generic, TypeVar

from discreet.kinds.column_name import fold

SHORTEST_MISSPELT = 6
"""Shorter names must be spelled correctly: one letter turns Iran into Iraq."""

CODE_LENGTH = 3
"""Most letters of a code, such as DE or USA."""

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
_ARTICLE = re.compile(r"\s*the\s+", re.IGNORECASE)

Found = TypeVar("Found")


def simplify(text: str) -> str:
    """Reduce a name to letters and digits, in lower case and without accents.

    >>> simplify("Trinidad & Tobago") == simplify("trinidad-and-tobago")
    True
    >>> simplify("Côte d'Ivoire"), simplify("The Netherlands")
    ('cotedivoire', 'netherlands')
    """
    article = _ARTICLE.match(text)
    if article:
        text = text[article.end() :]
    text = text.replace("&", " and ")
    folded = text.lower() if text.isascii() else fold(text)
    return folded if folded.isalnum() else "".join(filter(str.isalnum, folded))


def list_spellings(name: str) -> set[str]:
    """The simplified forms of a name: Österreich is written with o or with oe."""
    return {simplify(name), simplify(name.translate(_UMLAUTS))} - {""}


def is_code(key: str) -> bool:
    """Whether a simplified name is a code or abbreviation, which proves little by itself.

    >>> is_code("de"), is_code("276"), is_code("germany")
    (True, True, False)
    """
    return len(key) <= CODE_LENGTH or any(map(str.isdigit, key))


class Spellings(Generic[Found]):
    """A dictionary of names that can be looked up in any spelling."""

    def __init__(self, named: Mapping[str, Found]) -> None:
        self.named = named

    def find(self, text: str) -> Found | None:
        """The entry for a text, exact or with one mistake if that is unambiguous."""
        key = simplify(text)
        exact = self.named.get(key)
        return exact if exact is not None else self._find_near(key)

    def find_exact(self, text: str) -> Found | None:
        """The entry for a text that is spelled correctly."""
        return self.named.get(simplify(text))

    def _find_near(self, key: str) -> Found | None:
        """The one name that differs by a letter added, left out, changed or swapped.

        If two such names mean different things, neither is used.
        """
        if len(key) < SHORTEST_MISSPELT or is_code(key):
            return None
        variants = _shorten(key)
        near = {
            name
            for variant in variants
            for name in self._shortened.get(variant, ())
            if _differ_once(key, name)
        }
        meant = {self.named[name] for name in near}
        return meant.pop() if len(meant) == 1 else None

    @cached_property
    def _shortened(self) -> dict[str, list[str]]:
        """Every long name, by each of its forms that lacks a letter."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in self.named:
            # One letter shorter than a text may be, so that Nigera is also close to Niger.
            if len(name) >= SHORTEST_MISSPELT - 1 and not is_code(name):
                for variant in _shorten(name):
                    found[variant].append(name)
        return found


def _shorten(word: str) -> Iterable[str]:
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def _differ_once(one: str, other: str) -> bool:
    """Whether the words differ by one edit; swapping two neighbours is one edit."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) < len(other):
        return one[at:] == other[at + 1 :]
    swapped = one[at : at + 2] == other[at : at + 2][::-1]
    return one[at + 1 :] == other[at + 1 :] or (swapped and one[at + 2 :] == other[at + 2 :])
