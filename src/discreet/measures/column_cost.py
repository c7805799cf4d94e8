"""Measures that add up cell by cell: what each column loses at each level."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints
from discreet.hierarchy.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class MeasuredTable:
    """The facts that a measure needs about a table: hierarchies, rows by value, column weights."""

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


def average_levels(table: MeasuredTable, costs: Sequence[Sequence[Floats]]) -> tuple[Floats, ...]:
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


# The cost of a level, for the measures that count levels.


def price_by_height(table: MeasuredTable, weights: Floats) -> ColumnCost:
    """Each value costs its level over the height of its hierarchy, a suppressed row as the root.

    That is 1, but 0 for a column that has no level above its values: there is nothing to lose.
    """
    costs = [
        [np.full(h.size(level), level / max(1, h.height)) for level in range(h.height + 1)]
        for h in table.hierarchies
    ]
    shares = weights / max(float(weights.sum()), 1e-300)
    roots = [float(h.height > 0) for h in table.hierarchies]
    rise = tuple(
        tuple(root - cost for cost in levels) for root, levels in zip(roots, costs, strict=True)
    )

    def fold(means: Floats) -> float:
        return float((means * shares).sum())

    def worth(column: int, under: Ints, steps: Floats, mass: Floats) -> Floats:
        return roots[column] - steps

    return ColumnCost(average_levels(table, costs), rise, fold, table.total, shares, worth)


# The cost of a mean share of leaves, for the measures that count leaves.


def price_by_share(
    table: MeasuredTable,
    fold: Callable[[Floats], float],
    weights: Floats,
    least: Callable[[float], float] = float,
) -> ColumnCost:
    """Each value costs the share of its hierarchy's leaves under it, a suppressed row 1.

    ``fold`` gets one number a column: its mean share, rescaled so that the ground level costs 0 and
    the root 1. ``weights`` add up to 1.
    """
    costs = [[leaves / h.leaf_count for leaves in h.leaves] for h in table.hierarchies]
    leaves = np.array([h.leaf_count for h in table.hierarchies], dtype=np.float64)
    rise = tuple(tuple(1.0 - cost for cost in levels) for levels in costs)
    slope = np.where(leaves > 1, weights / np.maximum(1.0 - 1.0 / leaves, 1e-300), 0.0)

    def fold_shares(means: Floats) -> float:
        return fold(normalize_shares(means, leaves))

    def worth(column: int, under: Ints, steps: Floats, mass: Floats) -> Floats:
        return np.asarray(1.0 - under / leaves[column], dtype=np.float64)

    return ColumnCost(
        average_levels(table, costs), rise, fold_shares, table.total, slope, worth, least
    )


def normalize_shares(means: Floats, leaves: Floats) -> Floats:
    """Rescale mean shares from 1/leaves..1 to 0..1."""
    least = 1.0 / leaves
    span = np.where(leaves > 1, 1.0 - least, 1.0)
    return np.where(leaves > 1, np.maximum(0.0, (means - least) / span), 0.0)
