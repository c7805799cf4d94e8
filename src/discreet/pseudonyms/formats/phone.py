"""Phone numbers that no line has.

Notes
-----
[Sweeney2001]_, sec. 6.1, for made-up alternatives.

Departures: in the North American plan 555-0100 to 555-0199 are set apart for fiction in every area.
With the 800 area codes that may be written this gives 80,000 numbers, without an area code 100.
``unassigned`` gives a thousand million (without area code a million) that start with 0, as no area
or exchange does. Numbers of other plans start with 000, which no plan gives out.

Cost: a hash a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.pseudonyms.written import (
    DIGITS,
    byte_at,
    counts,
    kept,
    marks,
    numbers_as_texts,
    with_digits,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.pseudonyms.chance import Chance

Range = Literal["fiction", "unassigned"]
_MARKS, _PLUS = " ()./-", ord("+")
_LATER = marks("23456789")


@dataclass(frozen=True)
class Phone:
    """7 to 15 digits with the usual marks; the range is the same for all tables of a key."""

    name: ClassVar[str] = "phone"
    wanted: ClassVar[str] = "phone numbers (7 to 15 digits, without letters)"
    keeps_type: ClassVar[bool] = True
    roomy: ClassVar[bool] = False
    apart: ClassVar[bool] = True

    range: Range = "fiction"

    def __post_init__(self) -> None:
        if self.range not in get_args(Range):
            raise ParameterError("phone", "range", "fiction or unassigned")

    def numbers(self, whole: pa.Array) -> pa.Array:
        """American numbers of the range for fiction; the others would start with 0."""
        stays = (_is_american(whole) | _has_one(whole)) & (self.range == "fiction")
        return pc.if_else(pa.array(stays), whole, None)

    def fits(self, written: pa.Array) -> pa.Array:
        """7 to 15 digits, spaces, brackets, dots, slashes and dashes; a plus in front."""
        written = pc.fill_null(written, "")
        digits, lengths = counts(written, DIGITS), np.asarray(pc.binary_length(written))
        plus = byte_at(written, 0) == _PLUS
        usual = counts(written, DIGITS | marks(_MARKS)) + plus == lengths
        starts = (DIGITS | marks("+ ("))[byte_at(written, 0)]
        return pa.array(usual & starts & (digits >= 7) & (digits <= 15))

    def canonical(self, written: pa.Array) -> pa.Array:
        """The digits; +1 and 1 before an American number fall away, another plus stays."""
        signed, one = kept(written, DIGITS | marks("+")), _has_one(written)
        if not one.any():
            return signed
        return pc.if_else(pa.array(one), pc.utf8_slice_codeunits(signed, -10), signed)

    def draw(self, canonical: pa.Array, chance: Chance) -> pa.Array:
        """Numbers of the range; those of other plans with 000 in front."""
        widths = np.asarray(pc.binary_length(canonical))
        american, plus = _is_american(canonical), byte_at(canonical, 0) == _PLUS
        groups = (widths * 4 + american * 2 + plus).astype(np.uint8)  # 16 characters at most
        parts, order = [], []
        for group in np.flatnonzero(np.bincount(groups)).tolist():
            rows = np.flatnonzero(groups == group)
            width, kind = divmod(group, 4)
            texts = canonical.take(pa.array(rows))
            parts.append(self._group(texts, width - kind % 2, kind >= 2, chance))
            order.append(rows)
        if not parts:
            return canonical
        drawn = pa.concat_arrays(parts).take(pa.array(np.argsort(np.concatenate(order))))
        if not plus.any():
            return drawn
        return pc.if_else(pa.array(plus), pc.binary_join_element_wise("+", drawn, ""), drawn)

    def dress(self, written: pa.Array, drawn: pa.Array) -> pa.Array:
        """The marks, and a leading 1, as they were."""
        digits, one = kept(drawn, DIGITS), _has_one(written)
        if one.any():
            front = pc.if_else(pa.array(one), "1", "")
            digits = pc.binary_join_element_wise(front, digits, "")
        return with_digits(written, digits)

    def _group(self, texts: pa.Array, width: int, american: bool, chance: Chance) -> pa.Array:
        """Pseudonyms for numbers of one width and plan."""
        if not american:
            return numbers_as_texts(chance.below(texts, 10 ** (width - 3)), width)
        if self.range == "unassigned":
            return numbers_as_texts(chance.below(texts, 10 ** (width - 1)), width)
        return numbers_as_texts(_fiction(chance.below(texts, 80_000), width), width)


def _fiction(chances: NDArray[np.uint64], width: int) -> NDArray[np.uint64]:
    """555-01dd, behind an area from 200 to 999 where there is one."""
    area, line = np.divmod(chances, np.uint64(100))
    number = np.uint64(55_501_00) + line
    if width == 7:
        return np.asarray(number)
    return np.asarray((area + np.uint64(200)) * np.uint64(10_000_000) + number)


def _is_american(digits: pa.Array) -> NDArray[np.bool_]:
    """Seven or ten digits that start with 2 to 9, as an area or exchange does."""
    widths = np.asarray(pc.binary_length(digits))
    return np.asarray(((widths == 7) | (widths == 10)) & _LATER[byte_at(digits, 0)])


def _has_one(written: pa.Array) -> NDArray[np.bool_]:
    """Whether a 1 stands before ten digits of an American number."""
    found = np.asarray(counts(written, DIGITS) == 11)
    if found.any():
        digits = kept(written.filter(pa.array(found)), DIGITS)
        found[found] = (byte_at(digits, 0) == ord("1")) & _LATER[byte_at(digits, 1)]
    return found
