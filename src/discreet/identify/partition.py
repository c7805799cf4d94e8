"""Rows in classes of those that a set of columns does not tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.identify.coded_table import CodedTable
from discreet.identify.kernels import count_split, split
from discreet.identify.separation import alike, separation_of

Codes = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Partition:
    """Rows in classes of those not yet told apart; rows alone in their class are left out.

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
        """Rows that are alone in their class."""
        return self.rows - len(self.order)

    @property
    def distinct(self) -> int:
        """Classes, those of one row included."""
        return self.alone + len(self.starts) - 1

    @property
    def pairs_alike(self) -> int:
        """Pairs of rows in the same class."""
        return alike(np.diff(self.starts))

    @property
    def separation_ratio(self) -> float:
        """The share of pairs of rows in different classes."""
        return separation_of(self.pairs_alike, self.rows)

    @property
    def sizes(self) -> Ints:
        """Rows of every class."""
        return np.concatenate([np.diff(self.starts), np.ones(self.alone, dtype=np.int64)])

    def refine(self, column: Codes, size: int) -> Partition:
        """The partition when a column is added."""
        order, starts = split(self.order, self.starts, column, size)
        return Partition(self.rows, order, starts)

    def counts_with(self, column: Codes, size: int) -> tuple[int, int]:
        """Distinct classes and pairs alike when a column is added, without making the classes."""
        classes, _, pairs = count_split(self.order, self.starts, column, size)
        return int(classes) + self.alone, int(pairs)
