"""Identifiers of any kind: letters become letters, digits digits; marks and length stay.

Notes
-----
[Sweeney2001]_, sec. 6.1 and, for the form, fig. 108 (``CH#32-841-09787``, ``CH#18-512-32871``).

Departures: a first digit that is not 0 becomes one that is not 0, so that numbers keep their
length. Letters beyond A to Z become letters from A to Z.

Cost: a hash for each 8 characters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.pseudonyms.keyed_hash import BLOCK
from discreet.pseudonyms.written import NINE, ZERO, by_length, counts, flat, texts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.pseudonyms.chance import Chance

LONGEST = 256
_CHOICES = BLOCK // 2
"""Characters that one digest decides: two bytes each."""


def _alphabets() -> NDArray[np.uint32]:
    """For each byte the first character that may take its place, and how many there are."""
    table = np.ones((2, 256), np.uint32)
    table[0] = np.arange(256)
    for first, last in ((ZERO, NINE), (ord("A"), ord("Z")), (ord("a"), ord("z"))):
        table[:, first : last + 1] = [[first], [last - first + 1]]
    return table


_OTHERS = tuple(
    (rf"[^\x00-\x7F\P{{{kind}}}]", plain)
    for kind, plain in (("Lu", "A"), ("L", "a"), ("M", "a"), ("N", "0"))
)
"""Classes of Unicode without the characters of ASCII, and what stands for them."""
_INSIDE = _alphabets()
_FIRST = _INSIDE.copy()
_FIRST[:, ZERO + 1 : NINE + 1] = [[ZERO + 1], [9]]


@dataclass(frozen=True)
class Shape:
    """The pattern of letters and digits as found; upper case stays upper case."""

    name: ClassVar[str] = "shape"
    wanted: ClassVar[str] = f"identifiers with a letter or a digit, of at most {LONGEST} characters"
    keeps_type: ClassVar[bool] = True
    roomy: ClassVar[bool] = False
    apart: ClassVar[bool] = False

    def numbers(self, whole: pa.Array) -> pa.Array:
        """As they are, if they have no sign and fit into 64 bits whichever digits they get."""
        return pc.if_else(pc.match_substring_regex(whole, "^[0-9]{1,18}$"), whole, None)

    def fits(self, written: pa.Array) -> pa.Array:
        """There is something to change, and it is no document."""
        written = pc.fill_null(written, "")
        short = pc.less_equal(pc.utf8_length(written), LONGEST)
        fits = pa.array(counts(written, _INSIDE[1] > 1) > 0)
        if pc.all(pc.string_is_ascii(written)).as_py() is False:
            fits = pc.or_(fits, pc.match_substring_regex(written, r"[\pL\pN]"))
        return pc.and_(fits, short)

    def canonical(self, written: pa.Array) -> pa.Array:
        """As written; accents in one of the two ways that Unicode has (NFC)."""
        if pc.all(pc.string_is_ascii(written)).as_py() is not False:
            return written
        return pc.utf8_normalize(written, form="NFC")

    def draw(self, canonical: pa.Array, chance: Chance) -> pa.Array:
        """Another text of the same pattern."""
        plain = _plain_letters(canonical)
        ends, data = flat(plain)
        new = np.empty_like(data)
        for rows, cells in by_length(plain):
            if isinstance(rows, slice):
                return texts_of(ends, _drawn(cells, canonical, chance).ravel())
            drawn = _drawn(cells, canonical.take(pa.array(rows)), chance)
            new[ends[rows][:, None] + np.arange(cells.shape[1])] = drawn
        return texts_of(ends, new)

    def dress(self, written: pa.Array, drawn: pa.Array) -> pa.Array:
        """As drawn: the marks are those of the identifier."""
        return drawn


def _drawn(cells: NDArray[np.uint8], texts: pa.Array, chance: Chance) -> NDArray[np.uint8]:
    """Other characters for texts of one length, place by place."""
    length, rows = cells.shape[1], cells.T.copy()  # a place after the other in memory
    new = np.empty_like(rows)
    for start in range(0, length, _CHOICES):
        chances = chance.digests(texts, start // _CHOICES).view("<u2").T.astype(np.uint32)
        for place in range(start, min(start + _CHOICES, length)):
            alphabet = _FIRST if place == 0 and length > 1 else _INSIDE
            first, many = alphabet[0, rows[place]], alphabet[1, rows[place]]
            new[place] = first + (chances[place - start] * many >> 16)
    return np.ascontiguousarray(new.T)


def _plain_letters(texts: pa.Array) -> pa.Array:
    """Letters and digits of all alphabets as those of ASCII; other characters as they are."""
    if pc.all(pc.string_is_ascii(texts)).as_py() is not False:
        return texts
    for other, plain in _OTHERS:
        texts = pc.replace_substring_regex(texts, other, plain)
    return texts
