"""Invisible characters: texts are searched without them, and replaced together with them.

A soft hyphen or a zero-width space splits a name for a program that reads characters, but not for a
person. The same is true of marks of writing direction.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from discreet.scrubbing.finding import Finding

if TYPE_CHECKING:
    from discreet.scrubbing.finder import Finder, Work, WorkFindings

HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
_BETWEEN = re.compile(r"(?<=[^\W\d_A-Z])\u200b(?=[A-Z])|(?<=[.,;:!?])\u200b(?=\w)")
"""A zero-width space used instead of a space."""


def strip_hidden(text: str) -> str:
    """The text without invisible characters.

    Examples
    --------
    >>> strip_hidden("Jo\\u200bhn Sm\\u00adith"), strip_hidden("John\\u200bSmith")
    ('John Smith', 'John Smith')
    """
    if text.isascii() or not HIDDEN.search(text):
        return text
    return HIDDEN.sub("", replace_zero_width(text))


def replace_zero_width(text: str) -> str:
    """The text with a space in place of each zero-width space between words."""
    return _BETWEEN.sub(" ", text)


def look(finder: Finder, works: Iterable[Work]) -> Iterator[tuple[Work, WorkFindings]]:
    """The results of ``finder.look`` on the visible texts, with places in the given texts.

    A finder that works on the unchanged texts has ``sees_all`` and gets these.
    """
    if getattr(finder, "sees_all", False):
        yield from finder.look(works)
        return
    seen = (
        work._replace(
            texts=tuple(map(strip_hidden, work.texts)), tag=(work, _find_hidden(work.texts))
        )
        for work in works
    )
    for asked, looked in finder.look(seen):
        work, places = asked.tag
        if any(places):
            findings, doubtful = (
                [_move_back(one, hidden) for one, hidden in zip(many, places, strict=True)]
                for many in looked
            )
            looked = looked._replace(findings=findings, doubtful=doubtful)
        yield work, looked


def _find_hidden(texts: tuple[str, ...]) -> list[list[int]]:
    """For each text, the number of visible characters before each hidden one."""
    places: list[list[int]] = []
    for text in texts:
        hidden: list[int] = []
        if not text.isascii():
            hidden = [
                found.start() - n
                for n, found in enumerate(HIDDEN.finditer(replace_zero_width(text)))
            ]
        places.append(hidden)
    return places


def _move_back(findings: list[Finding], hidden: list[int]) -> list[Finding]:
    """Findings of a visible text, moved to their places in the text with hidden characters."""
    if not hidden:
        return findings
    return [
        one._replace(
            start=one.start + bisect_right(hidden, one.start),
            end=one.end + bisect_right(hidden, one.end - 1),
        )
        for one in findings
    ]
