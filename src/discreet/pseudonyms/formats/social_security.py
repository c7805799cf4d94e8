"""Social security numbers that were never given to anybody.

Notes
-----
[Sweeney2001]_, sec. 6.1, fig. 37: SSNs are "automatically replaced with made-up alternatives".

Departures: the made-up numbers have an area from 900 to 999, which is not given out, and a group
from 01 to 49, so that they are no taxpayer numbers either. Areas 000 and 666 are not given out as
well, but 000 loses its zeros in a spreadsheet and 666 adds little room.

Cost: a hash a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.pseudonyms.written import DIGITS, by_length, numbers_as_texts, texts_of, with_digits

if TYPE_CHECKING:
    from discreet.pseudonyms.chance import Chance

_PARTED = [0, 1, 2, 4, 5, 7, 8, 9, 10]
"""Where the digits are, with a mark between the parts."""
_NUMBER = r"^[1-9][0-9]{6,8}$"
_GROUPS, _SERIALS = 49, 9999
ROOM = 100 * _GROUPS * _SERIALS
"""How many there are: 48,995,100."""


@dataclass(frozen=True)
class SocialSecurity:
    """Nine digits, with dashes, spaces or nothing between; 9dd-(01 to 49)-(0001 to 9999)."""

    name: ClassVar[str] = "ssn"
    wanted: ClassVar[str] = "social security numbers (nine digits)"
    keeps_type: ClassVar[bool] = True
    roomy: ClassVar[bool] = False
    apart: ClassVar[bool] = True

    def numbers(self, whole: pa.Array) -> pa.Array:
        """With the zeros in front that a number lacks: no area is below 001, no group below 01."""
        return pc.if_else(
            pc.match_substring_regex(whole, _NUMBER), pc.ascii_lpad(whole, 9, "0"), None
        )

    def fits(self, written: pa.Array) -> pa.Array:
        """Nine digits, in one of the three usual ways."""
        fits = np.zeros(len(written), bool)
        for rows, cells in by_length(pc.fill_null(written, "")):
            parts = cells[:, _PARTED] if cells.shape[1] == 11 else cells
            if parts.shape[1] == 9:
                fits[rows] = DIGITS[parts].all(axis=1)
            if parts is not cells:
                between = cells[:, [3, 6]]
                same = (between == ord("-")).all(axis=1) | (between == ord(" ")).all(axis=1)
                fits[rows] &= same
        return pa.array(fits)

    def canonical(self, written: pa.Array) -> pa.Array:
        """The nine digits."""
        digits = np.empty((len(written), 9), np.uint8)
        for rows, cells in by_length(written):
            digits[rows] = cells if cells.shape[1] == 9 else cells[:, _PARTED]
        return texts_of(np.arange(len(written) + 1, dtype=np.int32) * np.int32(9), digits.ravel())

    def draw(self, canonical: pa.Array, chance: Chance) -> pa.Array:
        """Numbers of the range that nobody has."""
        left, serial = np.divmod(chance.below(canonical, ROOM), np.uint64(_SERIALS))
        area, group = np.divmod(left, np.uint64(_GROUPS))
        one, first = np.uint64(1), np.uint64(900)
        number = ((area + first) * np.uint64(100) + group + one) * np.uint64(10_000)
        return numbers_as_texts(number + serial + one, 9)

    def dress(self, written: pa.Array, drawn: pa.Array) -> pa.Array:
        """The dashes or spaces as they were."""
        return with_digits(written, drawn)
