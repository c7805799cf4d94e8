"""Measures that add up cell by cell: what each column loses at each level."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints
from discreet.hierarchy.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class MeasuredTable:
    """What a measure needs to know of a table: hierarchies, rows by value, column weights."""

    hierarchies: tuple[Hierarchy, ...]
    marginals: tuple[Floats, ...]
    weights: Floats

    @property
    def total(self) -> float:
        """Number of rows, or their total weight."""
        return float(self.marginals[0].sum()) if self.marginals else 0.0


@dataclass(frozen=True, eq=False)
class ColumnCost:
    """A measure set up for one table.

    ``base[c][level]`` is column c's mean cost over all rows when nothing is suppressed;
    ``rise[c][level][code]`` is how much a row with that code costs more once it is suppressed.
    ``fold`` turns one mean cost a column into the score, lower is better; it grows with each.

    The rest is for releases that decide cell by cell. ``worth`` is what ``rise`` is for any value,
    on a level or not: it takes a column, the leaves under each value, its level as a share of the
    height, and the rows of the table under it. ``slope`` is the score that a cost of 1 in each
    column adds, where the score adds up over rows (near no cost at all where it does not), and
    ``least`` the least score of a release whose rows add up to so much.
    """

    base: tuple[Floats, ...]
    rise: tuple[tuple[Floats, ...], ...]
    fold: Callable[[Floats], float]
    total: float
    slope: Floats
    worth: Callable[[int, Ints, Floats, Floats], Floats]
    least: Callable[[float], float] = float

    def means(self, node: Sequence[int], risen: Floats) -> Floats:
        """Mean cost a column at a node, given what suppressed rows add up to in each."""
        base = np.array([column[level] for column, level in zip(self.base, node, strict=True)])
        return base + risen / max(self.total, 1e-300)

    def score(self, node: Sequence[int], risen: Floats) -> float:
        """The score of a node, lower is better."""
        return self.fold(self.means(node, risen))


def level_means(table: MeasuredTable, costs: Sequence[Sequence[Floats]]) -> tuple[Floats, ...]:
    """Mean cost a column and level, from the cost of each level code."""
    result = []
    for hierarchy, marginal, levels in zip(table.hierarchies, table.marginals, costs, strict=True):
        total = max(float(marginal.sum()), 1e-300)
        means = [
            float((marginal * cost[hierarchy.maps[level]]).sum()) / total
            for level, cost in enumerate(levels)
        ]
        result.append(np.array(means))
    return tuple(result)
