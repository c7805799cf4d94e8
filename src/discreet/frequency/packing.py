"""Where each column's code sits in a packed key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass

WORD = 64
FIELD = 10


@dataclass(frozen=True, eq=False)
class Field:
    """Neighbouring columns that are recoded together by one table look-up."""

    word: int
    shift: int
    bits: int
    columns: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Packing:
    """Gives each column a field of a 64-bit word, and as many words as the columns need.

    Columns never straddle two words, so no number of columns and no column size overflows.

    >>> Packing.of([3, 200]).words
    1
    """

    word: npt.NDArray[np.int64]
    shift: npt.NDArray[np.int64]
    bits: npt.NDArray[np.int64]

    @classmethod
    def of(cls, sizes: Sequence[int]) -> Packing:
        """Lay out columns that have ``sizes`` different codes each."""
        word, shift, bits = [], [], []
        current, used = 0, 0
        for size in sizes:
            width = max(1, int(size - 1).bit_length())
            if used + width > WORD:
                current, used = current + 1, 0
            word.append(current)
            shift.append(used)
            bits.append(width)
            used += width
        return cls(*(np.array(part, dtype=np.int64) for part in (word, shift, bits)))

    @property
    def words(self) -> int:
        """Number of 64-bit words in a key."""
        return int(self.word.max()) + 1 if len(self.word) else 1

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """Neighbouring columns joined while they fit in a small table; a large column alone."""
        fields: list[Field] = []
        for column in range(len(self.word)):
            word, shift, bits = (int(part[column]) for part in (self.word, self.shift, self.bits))
            last = fields[-1] if fields else None
            if last is not None and last.word == word and last.bits + bits <= FIELD:
                joined = (*last.columns, column)
                fields[-1] = Field(word, last.shift, last.bits + bits, joined)
            else:
                fields.append(Field(word, shift, bits, (column,)))
        return tuple(fields)

    def pack(
        self, codes: Iterable[npt.NDArray[np.integer[Any]]], rows: int
    ) -> npt.NDArray[np.uint64]:
        """Pack one code array per column into keys of shape (words, rows)."""
        keys = np.zeros((self.words, rows), dtype=np.uint64)
        for column, code in enumerate(codes):
            keys[self.word[column]] |= code.astype(np.uint64) << np.uint64(self.shift[column])
        return keys

    def unpack(self, keys: npt.NDArray[np.uint64], column: int) -> npt.NDArray[np.int32]:
        """The codes of one column."""
        mask = np.uint64((1 << int(self.bits[column])) - 1)
        field = keys[self.word[column]] >> np.uint64(self.shift[column])
        codes: npt.NDArray[np.int32] = (field & mask).astype(np.int32)
        return codes
