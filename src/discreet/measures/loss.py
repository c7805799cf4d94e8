"""Loss: how much of each column's detail is gone."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Floats
from discreet.measures.column_cost import ColumnCost, MeasuredTable, price_by_share


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
        weights = table.weights / table.weights.sum()

        def fold(costs: Floats) -> float:
            return float(np.prod((costs + 1.0) ** weights) - 1.0)

        def least(mean: float) -> float:
            """Log(1 + x) lies above x log 2 from 0 to 1, so the product lies above this power."""
            return float(2.0**mean - 1.0)

        return price_by_share(table, fold, weights, least)

    def convert_score(self, score: float) -> float:
        """The measure as people know it."""
        return score


# Granularity: how much of each column's detail is left.


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
        weights = table.weights / table.weights.sum()

        def fold(costs: Floats) -> float:
            return float((costs * weights).sum())

        return price_by_share(table, fold, weights)

    def convert_score(self, score: float) -> float:
        """The measure as people know it."""
        return 1.0 - score
