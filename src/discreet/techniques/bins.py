"""The values of a column in at most about a hundred bins, fixed before anything is changed."""

from __future__ import annotations

from dataclasses import field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.techniques.arrow_rows import Floats, Ints
from discreet.techniques.ordered import ordered_numbers

MOST = 100
CUTS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
"""Tenths, finer at the ends: top coding changes nothing else."""
MISSING, NEW, RARE, FIRST = 0, 1, 2, 3


@dataclass(frozen=True, eq=False)
class Bins:
    """How one column is binned: numbers and dates by quantiles, others by name.

    The bins come from the column as it was. Bin 0 is for missing cells, 1 for values that were not
    there before, 2 for all but the 100 most frequent values.

    >>> column = pa.array(["a", "b", "a"])
    >>> Bins.of(column).codes(pa.array(["b", None, "c", "a"])).tolist()
    [4, 0, 1, 3]
    """

    edges: Floats | None = field(repr=False)
    names: pa.Array = field(repr=False)
    known: pa.Array = field(repr=False)

    @classmethod
    def of(cls, column: pa.Array) -> Bins:
        """The bins of a column."""
        numbers = ordered_numbers(column)
        if numbers is not None and np.isfinite(numbers).any():
            filled = numbers[np.isfinite(numbers)]
            edges = np.unique(np.quantile(filled, CUTS, method="lower"))
            return cls(edges, pa.array([], pa.string()), pa.array([], pa.string()))
        counts = column.drop_null().cast(pa.string()).value_counts()
        values, frequency = counts.field("values"), counts.field("counts")
        most = np.argsort(-frequency.to_numpy(), kind="stable")[:MOST]
        return cls(None, values.take(pa.array(most)), values)

    @property
    def count(self) -> int:
        """How many bins there are."""
        return FIRST + (len(self.names) if self.edges is None else len(self.edges) + 1)

    def codes(self, column: pa.Array) -> Ints:
        """The bin of each cell."""
        if self.edges is None:
            texts = column.cast(pa.string())
            places = pc.index_in(texts, value_set=self.names).fill_null(-1)
            found = places.to_numpy(zero_copy_only=False).astype(np.int64) + FIRST
            known = pc.is_in(texts, value_set=self.known).to_numpy(zero_copy_only=False)
            found[found < FIRST] = np.where(known[found < FIRST], RARE, NEW)
        else:
            numbers = ordered_numbers(column)
            if numbers is None:
                found = np.full(len(column), NEW, dtype=np.int64)
            else:
                found = np.searchsorted(self.edges, numbers, side="right") + FIRST
        found[column.is_null().to_numpy(zero_copy_only=False)] = MISSING
        return np.asarray(found, dtype=np.int64)


def total_variation(before: Ints, after: Ints) -> float:
    """Half the sum of the differences of two sets of shares: 0 the same, 1 nothing in common."""
    rows, others = max(int(before.sum()), 1), max(int(after.sum()), 1)
    return int(np.abs(before * others - after * rows).sum()) / (2 * rows * others)


def divergence(before: Ints, after: Ints) -> float:
    """Jensen-Shannon divergence in bits: 0 the same, 1 nothing in common.

    >>> divergence(np.array([1, 1]), np.array([2, 2]))
    0.0
    >>> divergence(np.array([1, 0]), np.array([0, 1]))
    1.0
    """
    first, second = _shares(before), _shares(after)
    mean = (first + second) / 2
    bits = _entropy(mean) - (_entropy(first) + _entropy(second)) / 2
    return min(1.0, max(0.0, bits))


def _shares(counts: Ints) -> Floats:
    return np.asarray(counts / max(int(counts.sum()), 1), dtype=np.float64)


def _entropy(shares: Floats) -> float:
    some = shares[shares > 0]
    return float(-(some * np.log2(some)).sum())
