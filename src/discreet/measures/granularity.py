"""Granularity: how much of each column's detail is left."""

from __future__ import annotations

from typing import ClassVar

from discreet.display import dataclass
from discreet.frequency.classes import Floats
from discreet.measures.column_cost import ColumnCost, MeasuredTable
from discreet.measures.leaf_share import share_cost


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

        return share_cost(table, fold, weights)

    def shown(self, score: float) -> float:
        """The measure as people know it."""
        return 1.0 - score
