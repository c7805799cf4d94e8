"""Loss and granularity: how much of each column's detail is gone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from discreet.frequency.classes import Floats
from discreet.measures.column_cost import ColumnCost, MeasuredTable, level_means


def _share_cost(table: MeasuredTable) -> tuple[list[list[Floats]], Floats]:
    """Share of the hierarchy's leaves under each value, and the leaves of each column."""
    costs = [[leaves / h.leaf_count for leaves in h.leaves] for h in table.hierarchies]
    return costs, np.array([h.leaf_count for h in table.hierarchies], dtype=np.float64)


def normalized(means: Floats, leaves: Floats) -> Floats:
    """Rescale mean shares so that the ground level costs 0 and the root 1."""
    least = 1.0 / leaves
    span = np.where(leaves > 1, 1.0 - least, 1.0)
    return np.where(leaves > 1, np.maximum(0.0, (means - least) / span), 0.0)


@dataclass(frozen=True)
class Loss:
    """How much detail is lost, from 0 (none) to 1 (all), as the geometric mean of the columns.

    Notes
    -----
    Iyengar's share of leaves, normalized and combined as ARX does: x' is a column's mean share
    rescaled from 1/D..1 to 0..1, the total is the product of (x' + 1)^(w/sum w), less 1. A
    suppressed row has share 1. [Prasser2014]_. *Departures*: none. *Cost*: a table look-up a
    suppressed class.
    """

    name: ClassVar[str] = "loss"

    def on(self, table: MeasuredTable) -> ColumnCost:
        """Set the measure up for a table."""
        costs, leaves = _share_cost(table)
        weights = table.weights / table.weights.sum()
        rise = tuple(tuple(1.0 - cost for cost in levels) for levels in costs)

        def fold(means: Floats) -> float:
            return float(np.prod((normalized(means, leaves) + 1.0) ** weights) - 1.0)

        return ColumnCost(level_means(table, costs), rise, fold, table.total)

    def shown(self, score: float) -> float:
        """The measure as people know it."""
        return score


@dataclass(frozen=True)
class Granularity:
    """How much detail is left, from 0 (none) to 1 (all), as the mean of the columns.

    Notes
    -----
    One minus the (weighted) mean over columns of the x' of :class:`Loss`. [Iyengar2002]_.
    *Departures*: none. *Cost*: as Loss.
    """

    name: ClassVar[str] = "granularity"

    def on(self, table: MeasuredTable) -> ColumnCost:
        """Set the measure up for a table."""
        costs, leaves = _share_cost(table)
        weights = table.weights / table.weights.sum()
        rise = tuple(tuple(1.0 - cost for cost in levels) for levels in costs)

        def fold(means: Floats) -> float:
            return float((normalized(means, leaves) * weights).sum())

        return ColumnCost(level_means(table, costs), rise, fold, table.total)

    def shown(self, score: float) -> float:
        """The measure as people know it."""
        return 1.0 - score
