"""Phrases found in a text, each with the name of what it tells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from discreet.display import safe_repr

WORD = re.compile(r"[^\W\d_]{2,}")
LETTERS = 2
"""Letters of its first word by which a phrase is looked up."""


@safe_repr
class Told(NamedTuple):
    """Characters ``start`` to ``end`` tell ``name``."""

    start: int
    end: int
    name: str


class Phrases:
    """Looks for phrases, in any case; a star stands for any ending of a word.

    Of phrases that begin at one place the longest is taken; those inside it are left out.

    Notes
    -----
    Cost: one look-up for each word of the text, by its first letters.

    Examples
    --------
    >>> phrases = Phrases([("fire setting", "set fire"), ("transplant", "transplant*")])
    >>> [told.name for told in phrases.find("He set\\nfire to it before his transplantation.")]
    ['fire setting', 'transplant']
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        ways: dict[str, dict[str, str]] = {}
        for name, phrase in pairs:
            phrase = phrase.lower()
            ways.setdefault(phrase[:LETTERS], {})[phrase] = name
        self._starts = {letters: _compiled(phrases) for letters, phrases in ways.items()}

    def find(self, text: str) -> Iterator[Told]:
        """Where a phrase stands, in the order of the text."""
        lower = text.lower()
        if len(lower) != len(text):  # a few letters are two when they are small
            lower = "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
        done = 0
        for word in WORD.finditer(lower):
            start = word.start()
            known = self._starts.get(lower[start : start + LETTERS])
            if known is None or start < done:
                continue
            pattern, names = known
            match = pattern.match(lower, start)
            if match is not None and match.lastindex is not None:
                done = match.end()
                yield Told(start, done, names[match.lastindex - 1])


def _compiled(phrases: dict[str, str]) -> tuple[re.Pattern[str], list[str]]:
    """One expression for phrases that begin alike, a group for each, the longest first."""
    order = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    either = "|".join(f"({_pattern(phrase)})" for phrase in order)
    return re.compile(rf"(?:{either})(?!\w)"), [phrases[phrase] for phrase in order]


def _pattern(phrase: str) -> str:
    words = (re.escape(word).replace(r"\*", r"\w*") for word in re.split(r"[ -]+", phrase))
    return r"(?:\s+|\s?-\s?)".join(words).replace("'", "['’]")
