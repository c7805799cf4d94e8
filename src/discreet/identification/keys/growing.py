"""Growing sets of columns, and what they separate: in all rows, or in sampled pairs.

Both ratios can only grow when a column is added. This is all that the searches rely on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.keys.kernels import count_split, covered_more, split
from discreet.identification.keys.separation import compute_separation, count_pairs_alike

# Rows in classes that a set of columns does not separate.


Codes = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Partition:
    """Rows in classes that are not yet separated; unique rows are left out.

    >>> table = CodedTable.of_codes(["a", "b"], [[0, 0, 1, 1], [0, 1, 0, 0]])
    >>> whole = Partition.whole(4)
    >>> one = whole.refine(table.codes[0], 2)
    >>> one.distinct, one.pairs_alike, one.refine(table.codes[1], 2).distinct
    (2, 2, 3)
    """

    rows: int
    order: Codes = field(repr=False)
    starts: Ints = field(repr=False)

    @classmethod
    def whole(cls, rows: int) -> Partition:
        """The partition by no column: all rows in one class."""
        if rows < 2:
            return cls(rows, np.empty(0, np.int32), np.zeros(1, np.int64))
        return cls(rows, np.arange(rows, dtype=np.int32), np.array([0, rows], dtype=np.int64))

    @classmethod
    def by(cls, table: CodedTable, places: Sequence[int]) -> Partition:
        """The partition of a table by the columns at ``places``."""
        found = cls.whole(len(table))
        for place in places:
            found = found.refine(table.codes[place], table.sizes[place])
        return found

    @property
    def alone(self) -> int:
        """The number of unique rows."""
        return self.rows - len(self.order)

    @property
    def distinct(self) -> int:
        """The number of classes, including those of one row."""
        return self.alone + len(self.starts) - 1

    @property
    def pairs_alike(self) -> int:
        """Pairs of rows in the same class."""
        return count_pairs_alike(np.diff(self.starts))

    @property
    def separation_ratio(self) -> float:
        """The share of pairs of rows in different classes."""
        return compute_separation(self.pairs_alike, self.rows)

    @property
    def sizes(self) -> Ints:
        """Rows of every class."""
        return np.concatenate([np.diff(self.starts), np.ones(self.alone, dtype=np.int64)])

    def refine(self, column: Codes, size: int) -> Partition:
        """The partition when a column is added."""
        order, starts = split(self.order, self.starts, column, size)
        return Partition(self.rows, order, starts)

    def counts_with(self, column: Codes, size: int) -> tuple[int, int]:
        """The number of classes and of equal pairs if a column were added."""
        classes, _, pairs = count_split(self.order, self.starts, column, size)
        return int(classes) + self.alone, int(pairs)


class Growing(Protocol):
    """A set of columns under construction, and what it separates so far."""

    @property
    def value(self) -> int:
        """Separated pairs, or distinct combinations."""
        ...

    @property
    def diminishing(self) -> bool:
        """Whether a column never adds more to a larger set than to a smaller one."""
        ...

    def value_with(self, place: int) -> int:
        """The value if a column were added."""
        ...

    def plus(self, place: int) -> Growing:
        """The set with a column added."""
        ...


@dataclass(frozen=True, eq=False)
class SeparatedRows:
    """Counts on all rows of a coded table."""

    table: CodedTable
    distinct: bool
    partition: Partition = field(repr=False)

    @classmethod
    def none(cls, table: CodedTable, distinct: bool) -> SeparatedRows:
        """The set of no columns."""
        return cls(table, distinct, Partition.whole(len(table)))

    @property
    def value(self) -> int:
        """Distinct combinations, or separated pairs of rows."""
        return self._compute_value(self.partition.distinct, self.partition.pairs_alike)

    @property
    def diminishing(self) -> bool:
        """Separated pairs are a cover; distinct combinations are not."""
        return not self.distinct

    def value_with(self, place: int) -> int:
        """The value if a column were added."""
        table = self.table
        return self._compute_value(
            *self.partition.counts_with(table.codes[place], table.sizes[place])
        )

    def plus(self, place: int) -> SeparatedRows:
        """The set with a column added."""
        table = self.table
        finer = self.partition.refine(table.codes[place], table.sizes[place])
        return SeparatedRows(table, self.distinct, finer)

    def _compute_value(self, distinct: int, alike: int) -> int:
        rows = len(self.table)
        return distinct if self.distinct else rows * (rows - 1) // 2 - alike


@dataclass(frozen=True, eq=False)
class SeparatedPairs:
    """Counts on sampled pairs of rows: ``bits[c]`` says which pairs column c separates."""

    bits: npt.NDArray[np.uint64] = field(repr=False)
    covered: npt.NDArray[np.uint64] = field(repr=False)

    @classmethod
    def none(cls, bits: npt.NDArray[np.uint64]) -> SeparatedPairs:
        """The set of no columns."""
        return cls(bits, np.zeros(bits.shape[1], dtype=np.uint64))

    @property
    def value(self) -> int:
        """The number of separated pairs."""
        return int(np.bitwise_count(self.covered).sum())

    @property
    def diminishing(self) -> bool:
        """Separated pairs are a cover."""
        return True

    def value_with(self, place: int) -> int:
        """The value if a column were added."""
        return self.value + int(covered_more(self.bits[place : place + 1], self.covered)[0])

    def plus(self, place: int) -> SeparatedPairs:
        """The set with a column added."""
        return SeparatedPairs(self.bits, self.covered | self.bits[place])


def add_columns(start: Growing, places: Sequence[int]) -> Growing:
    """The set with several columns added."""
    for place in places:
        start = start.plus(place)
    return start
