"""Texts are looked at without the characters that nobody sees, and replaced with them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from discreet.scrubbing.finder import Finder, Looked, Work
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.visible import HIDDEN, replace_zero_width, strip_hidden


def look(finder: Finder, works: Iterable[Work]) -> Iterator[tuple[Work, Looked]]:
    """What ``finder.look`` gives, found in the visible texts, at its places in the texts given.

    A finder that goes by the texts as they are has ``sees_all`` and is given these.
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
            looked = Looked(
                *(
                    [_move_back(found, hidden) for found, hidden in zip(many, places, strict=True)]
                    for many in looked
                )
            )
        yield work, looked


def _find_hidden(texts: tuple[str, ...]) -> list[list[int]]:
    """For each text, after how many of the characters that are seen each hidden one stands."""
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
    """Findings of a visible text, at their places in the text with hidden characters."""
    if not hidden:
        return findings
    return [
        one._replace(
            start=one.start + bisect_right(hidden, one.start),
            end=one.end + bisect_right(hidden, one.end - 1),
        )
        for one in findings
    ]
