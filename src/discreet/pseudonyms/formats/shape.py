"""Identifiers of any kind: letters become letters, digits digits; marks and length stay.

Notes
-----
[Sweeney2001]_, sec. 6.1 and, for the form, fig. 108 (``CH#32-841-09787``, ``CH#18-512-32871``).

Departures: a first digit that is not 0 becomes one that is not 0, so that numbers keep their
length. Letters beyond A to Z become letters from A to Z.

Cost: a hash for each 16 characters.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.pseudonyms.keyed_hash import DIGEST
from discreet.pseudonyms.written import NINE, ZERO, flat, texts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.pseudonyms.keyed_hash import Chance

_CHOICES = DIGEST // 2
"""Characters that one digest decides: two bytes each."""


def _alphabets() -> NDArray[np.uint32]:
    """For each byte the first character that may take its place, and how many there are."""
    table = np.ones((256, 2), np.uint32)
    table[:, 0] = np.arange(256)
    for first, last in ((ZERO, NINE), (ord("A"), ord("Z")), (ord("a"), ord("z"))):
        table[first : last + 1] = first, last - first + 1
    return table


_INSIDE = _alphabets()
_FIRST = _INSIDE.copy()
_FIRST[ZERO + 1 : NINE + 1] = ZERO + 1, 9


@dataclass(frozen=True)
class Shape:
    """The pattern of letters and digits as found; upper case stays upper case."""

    name: ClassVar[str] = "shape"
    wanted: ClassVar[str] = "identifiers with a letter or a digit"
    keeps_type: ClassVar[bool] = True

    def fits(self, written: pa.Array) -> pa.Array:
        """There is something to change."""
        return pc.match_substring_regex(written, r"[\pL\pN]")

    def canonical(self, written: pa.Array) -> pa.Array:
        """As written; accents in one of the two ways that Unicode has (NFC)."""
        if pc.all(pc.string_is_ascii(written)).as_py() is not False:
            return written
        return pc.utf8_normalize(written, form="NFC")

    def draw(self, canonical: pa.Array, chance: Chance) -> pa.Array:
        """Another text of the same pattern."""
        ends, data = flat(_plain_letters(canonical))
        lengths = np.diff(ends)
        new = np.empty_like(data)
        for length in np.unique(lengths).tolist():
            rows = np.flatnonzero(lengths == length)
            every = len(rows) == len(lengths)
            texts = canonical if every else canonical.take(pa.array(rows))
            places = ends[rows][:, None] + np.arange(length)
            cells = data.reshape(-1, length) if every else data[places]
            drawn = _drawn(cells, texts, chance)
            if every:
                return texts_of(ends, drawn.ravel())
            new[places] = drawn
        return texts_of(ends, new)

    def dress(self, written: pa.Array, drawn: pa.Array) -> pa.Array:
        """As drawn: the marks are those of the identifier."""
        return drawn


def _drawn(cells: NDArray[np.uint8], texts: pa.Array, chance: Chance) -> NDArray[np.uint8]:
    """Other characters for texts of one length, place by place."""
    new = np.empty_like(cells)
    length = cells.shape[1]
    for start in range(0, length, _CHOICES):
        chances = chance.digests(texts, start // _CHOICES).view("<u2")
        for place in range(start, min(start + _CHOICES, length)):
            alphabet = (_FIRST if place == 0 and length > 1 else _INSIDE)[cells[:, place]]
            choice = chances[:, place - start].astype(np.uint32)
            new[:, place] = alphabet[:, 0] + (choice * alphabet[:, 1] >> 16)
    return new


def _plain_letters(texts: pa.Array) -> pa.Array:
    """Letters and digits of all alphabets as those of ASCII; other characters as they are."""
    ascii_only = pc.string_is_ascii(texts)
    if pc.all(ascii_only).as_py() is not False:
        return texts
    other = texts.filter(pc.invert(ascii_only)).to_pylist()
    plain = pa.array(["".join(map(_plain, text)) for text in other], pa.string())
    return pc.replace_with_mask(texts, pc.invert(ascii_only), plain)


def _plain(character: str) -> str:
    kind = unicodedata.category(character)
    if character.isascii() or kind[0] not in "LMN":
        return character
    return "0" if kind[0] == "N" else "A" if kind == "Lu" else "a"
