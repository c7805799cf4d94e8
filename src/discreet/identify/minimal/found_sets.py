"""The answer of the search for all minimal sets, and what is known about it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.display import dataclass
from discreet.identify.coded_table import CodedTable
from discreet.identify.cover.goal import Measure
from discreet.identify.cover.growing import RowsTold
from discreet.identify.minimal.judges import Along
from discreet.identify.samples import Promise
from discreet.identify.separation import Separation

Path = tuple[int, ...]


@dataclass(frozen=True)
class SampledSet:
    """A set that was found in a sample; how much it tells apart in all rows was not counted."""

    columns: tuple[str, ...]

    def facts(self) -> dict[str, Any]:
        """The set as plain data."""
        figures = ("distinct_ratio", "separation_ratio", "distinct", "uniques", "entropy")
        return {"columns": list(self.columns), **dict.fromkeys(figures)}


@dataclass(frozen=True)
class FoundSets:
    """All minimal sets with at least a ratio, and how much is known about them.

    ``sets`` has small sets first, and of a size the most identifying first.
    ``exact`` says that these are all, each of them minimal, proven on all rows. ``complete`` is
    False when time ran out: then there may be more. With ``delta``, all of this holds with
    probability 1 - delta only: because of samples that ruled sets out, or, with a ``promise``,
    because nothing but a sample was looked at. The figures of every set are counted on all rows,
    where these were at hand.
    """

    measure: Measure
    beta: float
    max_size: int | None
    rows: int
    duplicates_removed: int
    sets: tuple[Separation | SampledSet, ...]
    exact: bool
    complete: bool
    delta: float | None = None
    promise: Promise | None = None
    looked: int = 0
    notes: tuple[str, ...] = ()

    def facts(self) -> dict[str, Any]:
        """The answer as plain data."""
        return {
            "measure": self.measure,
            "beta": self.beta,
            "max_size": self.max_size,
            "rows": self.rows,
            "duplicates_removed": self.duplicates_removed,
            "sets": [one.facts() for one in self.sets],
            "exact": self.exact,
            "complete": self.complete,
            "delta": self.delta,
            "promise": None if self.promise is None else self.promise.facts(),
            "looked_at": self.looked,
            "notes": list(self.notes),
        }


def in_order(
    sets: Sequence[Separation | SampledSet], columns: Sequence[str], measure: Measure
) -> tuple[Separation | SampledSet, ...]:
    """Small sets first, of a size the most identifying first, then as the columns stand."""
    place = {name: i for i, name in enumerate(columns)}

    def order(one: Separation | SampledSet) -> tuple[int, int, list[int]]:
        left = 0
        if isinstance(one, Separation):
            left = -one.distinct if measure == "distinct" else one.pairs_alike
        return len(one.columns), left, [place[name] for name in one.columns]

    return tuple(sorted(sets, key=order))


def names(columns: Sequence[str], path: Path) -> tuple[str, ...]:
    """The columns of a set, as they stand in the table."""
    return tuple(columns[place] for place in sorted(path))


def measured(table: CodedTable, path: Path, along: Along[RowsTold] | None) -> Separation:
    """The figures of a set, counted on all rows; without ``along`` it is known to be a key."""
    columns, rows = names(table.columns, path), len(table)
    if along is None:
        return Separation(columns, rows, rows, rows, 0, math.log2(rows))
    found = along.at(path).partition
    share = np.diff(found.starts) / rows
    alone = found.alone / rows * math.log2(rows)
    entropy = max(0.0, alone - float((share * np.log2(share)).sum()))
    return Separation(columns, rows, found.distinct, found.alone, found.pairs_alike, entropy)
