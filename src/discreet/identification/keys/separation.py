"""How well a set of columns separates rows: distinct ratio, separation ratio, uniques, entropy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.errors import EmptyTableError
from discreet.frequency.frequency_list import FrequencyList
from discreet.identification.keys.coded_table import CodedTable, select_columns
from discreet.identification.keys.kernels import refine_labels

Codes = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Separation:
    """What a set of columns separates in a table.

    ``distinct`` counts the distinct combinations of values, ``uniques`` the rows with a unique
    combination, ``pairs_alike`` the pairs of rows that the set does not separate. ``entropy`` is in
    bits: the mean information that the set gives about whose row it is.

    Notes
    -----
    [Motwani2007]_, sec. 1.1. *Departures*: a table of one row has no pair; its separation ratio is
    1, as every set of columns is a key of it. Uniques and entropy are not in the paper.
    """

    columns: tuple[str, ...]
    rows: int
    distinct: int
    uniques: int
    pairs_alike: int
    entropy: float

    @property
    def pairs(self) -> int:
        """The number of pairs of rows."""
        return self.rows * (self.rows - 1) // 2

    @property
    def distinct_ratio(self) -> float:
        """The share of rows left when only one row of each combination is kept."""
        return self.distinct / self.rows

    @property
    def separation_ratio(self) -> float:
        """The share of all pairs of rows that differ somewhere in the set."""
        return compute_separation(self.pairs_alike, self.rows)

    @property
    def is_key(self) -> bool:
        """Whether every row is unique."""
        return self.distinct == self.rows

    def facts(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "columns": list(self.columns),
            "distinct_ratio": self.distinct_ratio,
            "separation_ratio": self.separation_ratio,
            "distinct": self.distinct,
            "uniques": self.uniques,
            "entropy": self.entropy,
        }


def refine(labels: Codes, column: Codes, classes: int, size: int) -> tuple[Codes, int]:
    """The class number of every row after a column is added, and how many classes there are.

    ``labels`` are below ``classes``, the codes of ``column`` below ``size``. Start with zeros
    and 1.
    """
    found, number = refine_labels(labels, column, classes, size)
    return found, int(number)


def measure(table: CodedTable | FrequencyList, columns: Sequence[str] | None = None) -> Separation:
    """What a set of columns separates, exactly; all columns if none are named.

    >>> table = CodedTable.of_codes(["age", "sex"], [[0, 1, 2, 0, 2], [0, 0, 0, 1, 1]])
    >>> found = measure(table, ["age"])
    >>> found.distinct_ratio, found.separation_ratio, found.uniques
    (0.6, 0.8, 1)

    Notes
    -----
    [Motwani2007]_, sec. 1.1. *Departures*: none. *Cost*: one pass over the rows in memory, or over
    the distinct tuples of a frequency list, for each column of the set.
    """
    name = table.name if isinstance(table, CodedTable) else "the frequency list"
    names = select_columns(name, table.columns, columns, empty=True)
    sizes = count_class_sizes(table, names)
    rows = int(sizes.sum())
    if not rows:
        raise EmptyTableError(name, "the table has no rows")
    share = sizes / rows
    entropy = float(-(share * np.log2(share)).sum()) if len(sizes) > 1 else 0.0
    return Separation(
        names, rows, len(sizes), int((sizes == 1).sum()), count_pairs_alike(sizes), entropy
    )


def count_class_sizes(table: CodedTable | FrequencyList, names: Sequence[str]) -> Ints:
    """The rows of every class by a set of columns."""
    labels = np.zeros(table.codes[0].shape[0] if len(table.columns) else len(table), dtype=np.int32)
    classes = min(1, len(labels))
    for name in names:
        if classes == len(labels):
            break
        place = table.columns.index(name)
        column = np.ascontiguousarray(table.codes[place], dtype=np.int32)
        size = table.sizes[place] if isinstance(table, CodedTable) else int(column.max()) + 1
        labels, classes = refine(labels, column, classes, size)
    if isinstance(table, CodedTable):
        return np.bincount(labels, minlength=classes).astype(np.int64, copy=False)
    sizes = np.zeros(classes, dtype=np.int64)
    np.add.at(sizes, labels, table.rows)
    return sizes[sizes > 0]


def distinct_ratio(table: CodedTable | FrequencyList, columns: Sequence[str]) -> float:
    """The share of rows left when only one row of each combination of values is kept."""
    return measure(table, columns).distinct_ratio


def separation_ratio(table: CodedTable | FrequencyList, columns: Sequence[str]) -> float:
    """The share of all pairs of rows that differ in at least one of the columns."""
    return measure(table, columns).separation_ratio


def count_uniques(table: CodedTable | FrequencyList, columns: Sequence[str]) -> int:
    """The number of rows that are unique in the columns."""
    return measure(table, columns).uniques


def entropy(table: CodedTable | FrequencyList, columns: Sequence[str]) -> float:
    """The mean information, in bits, that the columns give about whose row it is."""
    return measure(table, columns).entropy


def count_pairs_alike(sizes: Ints) -> int:
    """Pairs of rows in the same class; exact for any table of fewer than 2**31 rows."""
    return int((sizes * (sizes - 1) // 2).sum())


def compute_separation(pairs_alike: int, rows: int) -> float:
    """The separation ratio; 1 for a table without pairs."""
    pairs = rows * (rows - 1) // 2
    return (pairs - pairs_alike) / pairs if pairs else 1.0
