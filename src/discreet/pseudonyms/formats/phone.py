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

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.errors import ParameterError
from discreet.pseudonyms.written import numbers_as_texts, with_digits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.pseudonyms.keyed_hash import Chance

Range = Literal["fiction", "unassigned"]
_WRITTEN = r"^\+?[ (]*[0-9][0-9 ()./-]*$"
_AMERICAN = r"^([2-9][0-9]{6}|[2-9][0-9]{9})$"
_LEADING_ONE = r"^\+?1[2-9][0-9]{9}$"


@dataclass(frozen=True)
class Phone:
    """7 to 15 digits with the usual marks; the range is the same for all tables of a key."""

    name: ClassVar[str] = "phone"
    wanted: ClassVar[str] = "phone numbers (7 to 15 digits, without letters)"
    keeps_type: ClassVar[bool] = True

    range: Range = "fiction"

    def __post_init__(self) -> None:
        if self.range not in get_args(Range):
            raise ParameterError("phone", "range", "fiction or unassigned")

    def fits(self, written: pa.Array) -> pa.Array:
        """7 to 15 digits, spaces, brackets, dots, slashes and dashes; a plus in front."""
        count = pc.count_substring_regex(written, "[0-9]")
        enough = pc.and_(pc.greater_equal(count, 7), pc.less_equal(count, 15))
        return pc.and_(pc.match_substring_regex(written, _WRITTEN), enough)

    def canonical(self, written: pa.Array) -> pa.Array:
        """The digits; +1 and 1 before an American number fall away, another plus stays."""
        digits = pc.replace_substring_regex(written, "[^0-9+]", "")
        return pc.if_else(_has_one(digits), pc.utf8_slice_codeunits(digits, -10), digits)

    def draw(self, canonical: pa.Array, chance: Chance) -> pa.Array:
        """Numbers of the range; those of other plans with 000 in front."""
        widths = np.asarray(pc.binary_length(canonical))
        american = np.asarray(pc.match_substring_regex(canonical, _AMERICAN))
        plus = np.asarray(pc.starts_with(canonical, "+"))
        groups = widths * 4 + american * 2 + plus
        parts, order = [], []
        for group in np.unique(groups).tolist():
            rows = np.flatnonzero(groups == group)
            width, kind = divmod(group, 4)
            texts = canonical.take(pa.array(rows))
            parts.append(self._group(texts, width - kind % 2, kind >= 2, chance))
            order.append(rows)
        if not parts:
            return canonical
        drawn = pa.concat_arrays(parts).take(pa.array(np.argsort(np.concatenate(order))))
        return pc.if_else(pa.array(plus), pc.binary_join_element_wise("+", drawn, ""), drawn)

    def dress(self, written: pa.Array, drawn: pa.Array) -> pa.Array:
        """The marks, and a leading 1, as they were."""
        one = _has_one(pc.replace_substring_regex(written, "[^0-9+]", ""))
        digits = pc.replace_substring_regex(drawn, r"^\+", "")
        led = pc.if_else(one, pc.binary_join_element_wise("1", digits, ""), digits)
        return with_digits(written, led)

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


def _has_one(digits: pa.Array) -> pa.Array:
    return pc.match_substring_regex(digits, _LEADING_ONE)
