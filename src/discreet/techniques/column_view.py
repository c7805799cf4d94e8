"""One column as two tables are compared in it: in bins, and as numbers where it has an order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from discreet.display import dataclass
from discreet.techniques.arrow_rows import Floats, Ints, column_of
from discreet.techniques.bins import Bins
from discreet.techniques.ordered import ordered_numbers


@dataclass(frozen=True, eq=False)
class ColumnView:
    """The cells of a column with the bin of each, and the number of each (None: no order)."""

    cells: pa.Array
    bins: Bins
    codes: Ints
    numbers: Floats | None

    @classmethod
    def of(cls, cells: pa.Array, bins: Bins | None = None) -> ColumnView:
        """In bins of its own, or in those of the column before it was changed."""
        bins = bins or Bins.of(cells)
        return cls(cells, bins, bins.codes(cells), ordered_numbers(cells))

    @property
    def missing(self) -> float:
        """The share of missing cells."""
        return float(self.cells.null_count / len(self.cells))

    @property
    def counts(self) -> Ints:
        """How many cells each bin has."""
        return np.bincount(self.codes, minlength=self.bins.count)

    @property
    def filled(self) -> Floats:
        """The numbers that are there."""
        return np.empty(0) if self.numbers is None else self.numbers[np.isfinite(self.numbers)]

    def beside(self, other: ColumnView) -> Ints:
        """How many rows each pair of bins has: the contingency table of two columns."""
        codes = self.codes * other.bins.count + other.codes
        return np.bincount(codes, minlength=self.bins.count * other.bins.count)


def views(rows: pa.Table, names: Sequence[str]) -> dict[str, ColumnView]:
    """Columns in bins of their own."""
    return {name: ColumnView.of(column_of(rows, name)) for name in names}


def views_after(rows: pa.Table, before: Mapping[str, ColumnView]) -> dict[str, ColumnView]:
    """The same columns after a change, in the bins of before; one that is gone is all missing."""
    found = {}
    for name, view in before.items():
        there = name in rows.column_names
        cells = column_of(rows, name) if there else pa.nulls(rows.num_rows, view.cells.type)
        found[name] = ColumnView.of(cells, view.bins)
    return found
