"""Texts of one length that look like nothing: for identifiers whose format has too little room.

Notes
-----
[Sweeney2001]_, sec. 6.1, for made-up alternatives.

Departures: the format is not kept. Numbers from 1 to 1000 in a column of a thousand rows leave no
other numbers of their length; these do.

Cost: a hash an identifier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.pseudonyms.formats.shape import Shape
from discreet.pseudonyms.written import base32

if TYPE_CHECKING:
    from discreet.pseudonyms.chance import Chance

_FEWEST, _MOST = 16, 25


@dataclass(frozen=True)
class Token:
    """``length`` characters of a to z and 2 to 7, five bits each; whole numbers become text."""

    name: ClassVar[str] = "token"
    wanted: ClassVar[str] = "texts"
    keeps_type: ClassVar[bool] = False
    roomy: ClassVar[bool] = True
    apart: ClassVar[bool] = True

    length: int = 20

    def __post_init__(self) -> None:
        if type(self.length) is not int or not _FEWEST <= self.length <= _MOST:
            raise ParameterError("token", "length", f"a whole number from {_FEWEST} to {_MOST}")

    def numbers(self, whole: pa.Array) -> pa.Array:
        """As they are: a number and its text have the same token."""
        return whole

    def fits(self, written: pa.Array) -> pa.Array:
        """Everything does."""
        return pa.array(np.ones(len(written), bool))

    def canonical(self, written: pa.Array) -> pa.Array:
        """As written; accents in one of the two ways that Unicode has."""
        return Shape().canonical(written)

    def draw(self, canonical: pa.Array, chance: Chance) -> pa.Array:
        """One character for each five bits of the hash, as far as the length goes."""
        return pc.utf8_slice_codeunits(base32(chance.digests(canonical)), 0, self.length)

    def dress(self, written: pa.Array, drawn: pa.Array) -> pa.Array:
        """As drawn."""
        return drawn
