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

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.pseudonyms.written import numbers_as_texts, with_digits

if TYPE_CHECKING:
    from discreet.pseudonyms.keyed_hash import Chance

_WRITTEN = r"^([0-9]{9}|[0-9]{3}-[0-9]{2}-[0-9]{4}|[0-9]{3} [0-9]{2} [0-9]{4})$"
_GROUPS, _SERIALS = 49, 9999
ROOM = 100 * _GROUPS * _SERIALS
"""How many there are: 48,995,100."""


@dataclass(frozen=True)
class SocialSecurity:
    """Nine digits, with dashes, spaces or nothing between; 9dd-(01 to 49)-(0001 to 9999)."""

    name: ClassVar[str] = "ssn"
    wanted: ClassVar[str] = "social security numbers (nine digits)"
    keeps_type: ClassVar[bool] = True

    def fits(self, written: pa.Array) -> pa.Array:
        """Nine digits, in one of the three usual ways."""
        return pc.match_substring_regex(written, _WRITTEN)

    def canonical(self, written: pa.Array) -> pa.Array:
        """The nine digits."""
        if pc.all(pc.equal(pc.binary_length(written), 9)).as_py() is not False:
            return written
        return pc.replace_substring_regex(written, "[- ]", "")

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
