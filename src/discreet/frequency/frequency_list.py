"""The frequency list: each different combination of quasi values once, with its counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass, format_count
from discreet.frequency import kernels
from discreet.frequency.classes import Floats, Ints

Codes = npt.NDArray[np.int32]
AnyCodes = npt.NDArray[np.integer[Any]]
"""Codes in whatever integer type is large enough."""


@dataclass(frozen=True, eq=False)
class Entries:
    """How often each sensitive value goes with each tuple: (tuple, value, rows)."""

    owner: Codes
    value: Codes
    count: Ints


@dataclass(frozen=True, eq=False)
class FrequencyList:
    """All that a search needs to know of a table, whatever its number of rows.

    ``codes[c]`` holds column c's code of every distinct tuple and ``rows`` how many rows have that
    tuple. ``values`` are the texts behind the codes (None: missing). ``sensitive`` counts sensitive
    values by tuple; ``tallies`` are further sums by tuple, such as row weights or a population.

    Notes
    -----
    [Sweeney2001]_, sec. 6.2, step 1 of fig. 39. *Departures*: row numbers are not kept; the
    recoding is applied in a second pass over the rows. *Cost*: one pass, memory for the distinct
    tuples.
    """

    columns: tuple[str, ...]
    codes: tuple[AnyCodes, ...]
    rows: Ints
    values: Mapping[str, tuple[str | None, ...]]
    sensitive: Mapping[str, Entries] = field(default_factory=dict)
    tallies: Mapping[str, Floats] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        columns, rows = format_count(len(self.columns), "column"), format_count(self.total, "row")
        return f"FrequencyList({columns}, {len(self):,} different of {rows})"

    @property
    def total(self) -> int:
        """Number of rows of the table."""
        return int(self.rows.sum())


# Where each column's code sits in a packed key.


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
        return self.join_columns(FIELD)

    def join_columns(self, most: int) -> tuple[Field, ...]:
        """Fields of neighbouring columns that have at most so many bits; a large column alone."""
        fields: list[Field] = []
        for column in range(len(self.word)):
            word, shift, bits = (int(part[column]) for part in (self.word, self.shift, self.bits))
            last = fields[-1] if fields else None
            if last is not None and last.word == word and last.bits + bits <= most:
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
            word, shift = keys[self.word[column]], np.uint64(self.shift[column])
            for part in split_rows(rows):
                word[part] |= code[part].astype(np.uint64) << shift
        return keys

    def pack_cells(self, cells: Sequence[tuple[AnyCodes, AnyCodes]]) -> npt.NDArray[np.uint64]:
        """As :meth:`pack`, of codes that come as a table and the place of each cell in it."""
        return self.pack((table[places] for table, places in cells), len(cells[0][1]))

    def unpack(self, keys: npt.NDArray[np.uint64], column: int) -> npt.NDArray[np.int32]:
        """The codes of one column."""
        codes = np.empty(keys.shape[1], dtype=np.int32)
        self.unpack_into(keys, column, codes)
        return codes

    def unpack_into(self, keys: npt.NDArray[np.uint64], column: int, codes: AnyCodes) -> None:
        """Fill an array of any integer type that holds them with the codes of one column."""
        mask = np.uint64((1 << int(self.bits[column])) - 1)
        word, shift = keys[self.word[column]], np.uint64(self.shift[column])
        for part in split_rows(len(codes)):
            codes[part] = (word[part] >> shift) & mask


STRETCH = 1 << 15


def split_rows(rows: int) -> Iterator[slice]:
    """Stretches of rows for which what is found on the way stays in the processor's cache."""
    return (slice(start, start + STRETCH) for start in range(0, rows, STRETCH))


# Looks up the class of a row by its packed key.


class KeyIndex:
    """Finds keys among the distinct keys of a node's classes."""

    def __init__(self, keys: npt.NDArray[np.uint64]) -> None:
        size = 4
        while size < 2 * keys.shape[1]:
            size *= 2
        self._keys = keys
        self._slots = np.full(size, kernels.EMPTY, dtype=np.int32)
        self._indexed = np.zeros(1, dtype=np.int64)

    def find(self, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.int32]:
        """The class of each key, or -1 for a key that no class has."""
        found: npt.NDArray[np.int32] = kernels.find(self._slots, self._indexed, self._keys, keys)
        return found
