"""What a model gets to see of a table: its classes, and the sensitive values in each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


STRETCH = 1 << 16


def add_up(owner: npt.NDArray[Any], amounts: npt.NDArray[Any], size: int) -> Floats:
    """Sum amounts by owner."""
    if not np.issubdtype(amounts.dtype, np.integer):
        return np.bincount(owner, weights=amounts, minlength=size).astype(np.float64, copy=False)
    # Whole numbers add up to the same in any order, so a stretch at a time can stay in the cache.
    total = np.zeros(max(size, int(owner.max()) + 1 if len(owner) else 0))
    stretch = max(STRETCH, len(total))
    for start in range(0, len(owner), stretch):
        part = slice(start, start + stretch)
        total += np.bincount(owner[part], weights=amounts[part], minlength=len(total))
    return total


@dataclass(frozen=True, eq=False)
class Reference:
    """How a sensitive column is distributed over the whole private table, before suppression.

    ``counts`` has one entry per value code. ``ranks`` has the place of each code from low to high,
    for every order that a model asks for (None: as numbers); ``levels`` are the maps of the
    sensitive column's hierarchy. They are for the ordered and hierarchical ground distances.
    """

    column: str
    counts: Ints
    ranks: Mapping[tuple[str, ...] | None, Ints] = field(default_factory=dict)
    levels: tuple[npt.NDArray[np.int32], ...] = ()

    @cached_property
    def shares(self) -> Floats:
        """Share of the table's rows with each value."""
        return self.counts / max(1, int(self.counts.sum()))


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts of sensitive values by class, as a list of (class, value, rows), in any order."""

    owner: npt.NDArray[np.int32]
    value: npt.NDArray[np.int32]
    count: Ints
    reference: Reference


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of a table under one quasi-identifier.

    ``tallies`` are further sums by class, such as the people of a register whom it fits;
    ``left_out`` counts the rows of the table that are in no class.
    """

    rows: Ints
    histograms: Mapping[str, Histogram] = field(default_factory=dict)
    tallies: Mapping[str, Floats] = field(default_factory=dict)
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.rows)

    def sum_by_class(self, histogram: Histogram, amounts: npt.NDArray[Any]) -> Floats:
        """Add ``amounts``, one per histogram entry, up by class."""
        return add_up(histogram.owner, amounts, len(self.rows))

    def select(self, wanted: Mask) -> Classes:
        """The classes marked in ``wanted``, renumbered."""
        if wanted.all():
            return self
        number = np.cumsum(wanted, dtype=np.int32) - 1
        kept = {}
        for name, histogram in self.histograms.items():
            inside = wanted[histogram.owner]
            kept[name] = Histogram(
                number[histogram.owner[inside]],
                histogram.value[inside],
                histogram.count[inside],
                histogram.reference,
            )
        tallies = {name: sums[wanted] for name, sums in self.tallies.items()}
        return Classes(self.rows[wanted], kept, tallies, self.left_out)
