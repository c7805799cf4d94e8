"""Sets of columns that grow, and what they tell apart: in all rows, or in sampled pairs.

Both ratios can only grow when a column is added. That is all the searches need to know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.identify.coded_table import CodedTable
from discreet.identify.kernels import covered_more
from discreet.identify.partition import Partition


class Growing(Protocol):
    """A set of columns that is being built, and what it tells apart so far."""

    @property
    def value(self) -> int:
        """Pairs told apart, or distinct combinations."""
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
class RowsTold:
    """Counts on all rows of a coded table."""

    table: CodedTable
    distinct: bool
    partition: Partition = field(repr=False)

    @classmethod
    def none(cls, table: CodedTable, distinct: bool) -> RowsTold:
        """The set of no columns."""
        return cls(table, distinct, Partition.whole(len(table)))

    @property
    def value(self) -> int:
        """Distinct combinations, or pairs of rows told apart."""
        return self._value(self.partition.distinct, self.partition.pairs_alike)

    @property
    def diminishing(self) -> bool:
        """Pairs told apart are a cover; distinct combinations are not."""
        return not self.distinct

    def value_with(self, place: int) -> int:
        """The value if a column were added."""
        table = self.table
        return self._value(*self.partition.counts_with(table.codes[place], table.sizes[place]))

    def plus(self, place: int) -> RowsTold:
        """The set with a column added."""
        table = self.table
        finer = self.partition.refine(table.codes[place], table.sizes[place])
        return RowsTold(table, self.distinct, finer)

    def _value(self, distinct: int, alike: int) -> int:
        rows = len(self.table)
        return distinct if self.distinct else rows * (rows - 1) // 2 - alike


@dataclass(frozen=True, eq=False)
class PairsTold:
    """Counts on sampled pairs of rows: ``bits[c]`` says which pairs column c tells apart."""

    bits: npt.NDArray[np.uint64] = field(repr=False)
    covered: npt.NDArray[np.uint64] = field(repr=False)

    @classmethod
    def none(cls, bits: npt.NDArray[np.uint64]) -> PairsTold:
        """The set of no columns."""
        return cls(bits, np.zeros(bits.shape[1], dtype=np.uint64))

    @property
    def value(self) -> int:
        """Pairs told apart."""
        return int(np.bitwise_count(self.covered).sum())

    @property
    def diminishing(self) -> bool:
        """Pairs told apart are a cover."""
        return True

    def value_with(self, place: int) -> int:
        """The value if a column were added."""
        return self.value + int(covered_more(self.bits[place : place + 1], self.covered)[0])

    def plus(self, place: int) -> PairsTold:
        """The set with a column added."""
        return PairsTold(self.bits, self.covered | self.bits[place])


def with_all(start: Growing, places: Sequence[int]) -> Growing:
    """The set with several columns added."""
    for place in places:
        start = start.plus(place)
    return start
