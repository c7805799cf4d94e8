"""How names are compared: without case, accents and punctuation, and with small mistakes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Generic, TypeVar

from discreet.kinds.column_name import fold

SHORTEST_MISSPELT = 6
"""Shorter names are taken as they are spelled: one letter makes Iraq of Iran."""

CODE_LENGTH = 3
"""So many letters or fewer are a code, such as DE or USA."""

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
_ARTICLE = re.compile(r"\s*the\s+", re.IGNORECASE)

Found = TypeVar("Found")


def simplify(text: str) -> str:
    """Write a name with its letters and digits only, in lower case and without accents.

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
    """The simple forms of a name: Österreich is written with o or with oe."""
    return {simplify(name), simplify(name.translate(_UMLAUTS))} - {""}


def is_code(key: str) -> bool:
    """Whether a simplified name is a code or abbreviation, which proves little by itself.

    >>> is_code("de"), is_code("276"), is_code("germany")
    (True, True, False)
    """
    return len(key) <= CODE_LENGTH or any(map(str.isdigit, key))


class Spellings(Generic[Found]):
    """Names and what each stands for, to be looked up however they are written."""

    def __init__(self, named: Mapping[str, Found]) -> None:
        self.named = named

    def find(self, text: str) -> Found | None:
        """What a text stands for: as it is, or with one mistake if that leaves no doubt."""
        key = simplify(text)
        exact = self.named.get(key)
        return exact if exact is not None else self._find_near(key)

    def find_exact(self, text: str) -> Found | None:
        """What a text stands for, if it is spelled right."""
        return self.named.get(simplify(text))

    def _find_near(self, key: str) -> Found | None:
        """The one name that differs in a letter added, left out, changed or swapped.

        Where two names are that near and stand for different things, none is taken.
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
        """Every long name under each form of it that lacks a letter."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in self.named:
            # One letter shorter than a text may be, so that Nigera is near to Niger, too.
            if len(name) >= SHORTEST_MISSPELT - 1 and not is_code(name):
                for variant in _shorten(name):
                    found[variant].append(name)
        return found


def _shorten(word: str) -> Iterable[str]:
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def _differ_once(one: str, other: str) -> bool:
    """Whether one edit makes one word of the other, two neighbours swapped being one edit."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) < len(other):
        return one[at:] == other[at + 1 :]
    swapped = one[at : at + 2] == other[at : at + 2][::-1]
    return one[at + 1 :] == other[at + 1 :] or (swapped and one[at + 2 :] == other[at + 2 :])
