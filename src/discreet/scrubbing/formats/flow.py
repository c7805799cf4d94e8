"""A document's text as people read it, and the way back into its markup.

A name may be split over three pieces of markup, each with its own formatting. Detectors must see it
as a whole; the markup must stay unchanged.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from itertools import chain
from typing import NamedTuple
from xml.sax.saxutils import escape as escape_xml

from discreet.display import dataclass, safe_repr
from discreet.scrubbing.finding import Finding

NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")


@safe_repr
class Edit(NamedTuple):
    """Characters ``start`` to ``end`` become ``new``; ``kind`` is that of the finding, if any."""

    start: int
    end: int
    new: str
    kind: str = ""


@safe_repr
class Slot(NamedTuple):
    """A span of markup with its ``text``, and what the reader sees ``before`` it.

    ``write`` names how new text is written there: verbatim, or escaped for html, xml or json.
    """

    part: int
    start: int
    end: int
    text: str
    before: str = ""
    write: str = "plain"


@dataclass(frozen=True)
class Flow:
    """Slots of one or more parts, joined to one text; ``cuts`` are always removed.

    ``removed`` counts these; ``problems`` counts what could not be read.

    Examples
    --------
    >>> flow = Flow(["<b>Fra</b>nk left"], [Slot(0, 3, 6, "Fra"), Slot(0, 10, 17, "nk left")])
    >>> flow.text
    'Frank left'
    >>> flow.put_back([Edit(0, 5, "Odo")])
    ['<b>Odo</b> left']
    """

    parts: list[str]
    slots: list[Slot]
    cuts: list[tuple[int, Edit]] = field(default_factory=list)
    removed: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)

    @cached_property
    def text(self) -> str:
        """All slots, each with its ``before``, as one text."""
        return "".join(slot.before + slot.text for slot in self.slots)

    @property
    def content(self) -> str:
        """The slots alone, without the names of fields before them."""
        return "".join(("\n" if slot.before else "") + slot.text for slot in self.slots)

    def find_part(self, place: int) -> int:
        """The part that a character of the text is in."""
        end = 0
        for slot in self.slots:
            end += len(slot.before) + len(slot.text)
            if place < end:
                return slot.part
        return len(self.parts) - 1

    def put_back(self, edits: Sequence[Edit]) -> list[str]:
        """The parts with edits of the text applied to their slots; everything else is unchanged."""
        changes = list(self.cuts)
        for place, text in self._list_changed(edits):
            slot = self.slots[place]
            changes.append((slot.part, Edit(slot.start, slot.end, WRITE[slot.write](text))))
        by_part: dict[int, list[Edit]] = {}
        for part, edit in changes:
            by_part.setdefault(part, []).append(edit)
        return [
            apply_edits(part, sorted(by_part.get(number, ())))
            for number, part in enumerate(self.parts)
        ]

    def _list_changed(self, edits: Sequence[Edit]) -> Iterator[tuple[int, str]]:
        """The slots that edits touch, with their new text."""
        starts, place = [], 0
        for slot in self.slots:
            place += len(slot.before)
            starts.append(place)
            place += len(slot.text)
        inner: dict[int, list[Edit]] = {}
        first = 0
        for edit in edits:
            while first < len(starts) and starts[first] + len(self.slots[first].text) <= edit.start:
                first += 1
            touched = []
            last = first
            while last < len(starts) and starts[last] < edit.end:
                if self.slots[last].text:
                    touched.append(last)
                last += 1
            for place, new in zip(touched, self._share_text(edit.new, touched), strict=True):
                start = max(edit.start - starts[place], 0)
                end = min(edit.end - starts[place], len(self.slots[place].text))
                inner.setdefault(place, []).append(Edit(start, end, new))
        for place, changes in inner.items():
            yield place, apply_edits(self.slots[place].text, changes)

    def _share_text(self, new: str, touched: list[int]) -> list[str]:
        """A new text divided among slots: line by line if the lines match, else all to the first.

        The other slots of a line get nothing.
        """
        if len(touched) < 2:
            return [new] * len(touched)
        lines = [0]
        for slot in touched[1:]:
            lines.append(lines[-1] + ("\n" in self.slots[slot].before))
        given = new.split("\n")
        if len(given) != lines[-1] + 1:
            given = [new.replace("\n", " ")] + [""] * lines[-1]
        return [
            given[line] if place == 0 or line != lines[place - 1] else ""
            for place, line in enumerate(lines)
        ]


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """The text with edits applied; these are in order and do not overlap."""
    pieces, done = [], 0
    for edit in edits:
        pieces += [text[done : edit.start], edit.new]
        done = edit.end
    pieces.append(text[done:])
    return "".join(pieces)


def _write_json_number(text: str) -> str:
    """A number stays a number; anything else becomes a string."""
    return text if NUMBER.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _write_json_string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


WRITE: dict[str, Callable[[str], str]] = {
    "plain": str,
    "html": lambda text: html.escape(text, quote=False),
    "attribute": lambda text: html.escape(text, quote=True),
    "quoted attribute": lambda text: f'"{html.escape(text, quote=True)}"',
    "xml": escape_xml,
    "json": _write_json_string,
    "json number": _write_json_number,
}
"""How new text is written into a slot."""


# Texts of any length are read in pieces of bounded size that overlap, so nothing at a cut is
# missed.
#
# A piece shows some text on both sides of its own part. A finding across a cut is seen whole by the
# piece it starts in; the next piece continues after it.


PIECE = 1 << 19
"""Characters of a piece: a document that is no longer is read as a whole."""
MARGIN = 4_000
"""Characters shown on either side of a piece."""


@safe_repr
class Piece(NamedTuple):
    """A span of a text: characters ``lead`` to ``end`` of what it shows are its own."""

    shown: str
    lead: int
    end: int

    @property
    def own(self) -> str:
        """The characters that belong to no other piece."""
        return self.shown[self.lead : self.end]


def cut_pieces(blocks: Iterable[str], size: int = PIECE, margin: int = MARGIN) -> Iterator[Piece]:
    """Cut a stream of text at white space; an empty text is one empty piece.

    Examples
    --------
    >>> [piece.own for piece in cut_pieces(["one two ", "three"], size=5, margin=2)]
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


def select_owned(piece: Piece, findings: Sequence[Finding], done: int) -> list[Finding]:
    """The findings that start in a piece's own text, from its character ``done`` on.

    A finding that the previous piece has partly replaced is reduced to its rest.
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
