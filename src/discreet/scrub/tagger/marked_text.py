"""Texts with marks in them, as the tagger is fitted to: ``Dear {{NAME:Ann}},``.

A text begins with a line ``=== id | genre`` and goes on to the next such line. ``{{KIND:...}}``
marks what has to be found, ``{{?KIND:...}}`` what may be found or left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from discreet.display import safe_repr

_HEAD = re.compile(r"^=== .*\n", re.MULTILINE)
_MARK = re.compile(r"\{\{(\??)([A-Z/_]+):(.*?)\}\}", re.DOTALL)


@safe_repr
class Mark(NamedTuple):
    """Characters ``start`` to before ``end`` are of a kind."""

    start: int
    end: int
    kind: str
    optional: bool = False


@safe_repr
class MarkedText(NamedTuple):
    """A text and its marks, in order."""

    text: str
    marks: tuple[Mark, ...]


def read_marked(content: str) -> Iterator[MarkedText]:
    """The texts of a file.

    Examples
    --------
    >>> (one,) = read_marked("=== 1 | mail\\nDear {{NAME:Ann}},\\n")
    >>> one.text, one.marks
    ('Dear Ann,\\n', (Mark(start=5, end=8, kind='NAME', optional=False),))
    """
    for body in _HEAD.split(content)[1:]:
        yield _read(body.strip("\n") + "\n")


def _read(body: str) -> MarkedText:
    parts, marks, length, last = [], [], 0, 0
    for found in _MARK.finditer(body):
        before, characters = body[last : found.start()], found[3]
        start = length + len(before)
        length = start + len(characters)
        parts += [before, characters]
        marks.append(Mark(start, length, found[2], bool(found[1])))
        last = found.end()
    return MarkedText("".join(parts) + body[last:], tuple(marks))
