"""Texts of any length in pieces of bounded size, so that nothing on a cut is missed.

A piece shows some text on both sides of what is its own. What lies across a cut is seen whole by
the piece it starts in; the next piece takes up after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from discreet.display import safe_repr
from discreet.scrub.finding import Finding

PIECE = 1 << 19
"""Characters of a piece: a document that is not longer is looked at as a whole."""
MARGIN = 4_000
"""Characters shown on either side of a piece."""


@safe_repr
class Piece(NamedTuple):
    """A stretch of a text: characters ``lead`` to ``end`` of what is shown are its own."""

    shown: str
    lead: int
    end: int

    @property
    def own(self) -> str:
        """The characters that no other piece has."""
        return self.shown[self.lead : self.end]


def pieces(blocks: Iterable[str], size: int = PIECE, margin: int = MARGIN) -> Iterator[Piece]:
    """A stream of text cut at white space; an empty text is one empty piece.

    Examples
    --------
    >>> [piece.own for piece in pieces(["one two ", "three"], size=5, margin=2)]
    ['one ', 'two ', 'three']
    """
    waiting, lead, first = "", 0, True
    for block, room in chain(((block, margin) for block in blocks), [("", 0)]):
        waiting += block
        while len(waiting) - lead > size + room:
            cut = _cut(waiting, lead, lead + size, margin)
            yield Piece(waiting[: cut + margin], lead, cut)
            start = max(cut - margin, 0)
            waiting, lead, first = waiting[start:], cut - start, False
    if first or len(waiting) > lead:
        yield Piece(waiting, lead, len(waiting))


def owned(piece: Piece, findings: Sequence[Finding], done: int) -> list[Finding]:
    """The findings that start in a piece's own text, from its character ``done`` on.

    One that the piece before has replaced in part gives its rest.
    """
    kept = []
    for finding in findings:
        start = max(finding.start, done)
        if start < min(finding.end, piece.end):
            kept.append(finding._replace(start=start))
    return kept


def _cut(text: str, after: int, before: int, margin: int) -> int:
    """Where to cut: after a line end, else after white space, else at the limit."""
    reach = max(after + 1, before - 4 * margin)
    for mark in ("\n", " ", "\t"):
        found = text.rfind(mark, reach - 1, before)
        if found >= after:
            return found + 1
    place = before
    while place > reach and not text[place - 1].isspace():
        place -= 1
    return place if place > reach else before
