"""What a mean share of leaves costs, for the measures that count leaves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from discreet.frequency.classes import Floats, Ints
from discreet.measures.column_cost import ColumnCost, MeasuredTable, level_means


def share_cost(
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

    def folded(means: Floats) -> float:
        return fold(normalized(means, leaves))

    def worth(column: int, under: Ints, steps: Floats, mass: Floats) -> Floats:
        return np.asarray(1.0 - under / leaves[column], dtype=np.float64)

    return ColumnCost(level_means(table, costs), rise, folded, table.total, slope, worth, least)


def normalized(means: Floats, leaves: Floats) -> Floats:
    """Rescale mean shares from 1/leaves..1 to 0..1."""
    least = 1.0 / leaves
    span = np.where(leaves > 1, 1.0 - least, 1.0)
    return np.where(leaves > 1, np.maximum(0.0, (means - least) / span), 0.0)
