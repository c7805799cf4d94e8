"""Precision: how low in their hierarchies the released values are."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.measures.column_cost import ColumnCost, MeasuredTable
from discreet.measures.height_share import height_cost


@dataclass(frozen=True)
class Precision:
    """Sweeney's Prec: one minus the mean of level over height, all columns alike.

    Notes
    -----
    [Sweeney2001]_, sec. 5.4, definition of the precision metric. *Departures*: none; a suppressed
    row counts as fully generalized. *Cost*: none beyond counting.
    """

    name: ClassVar[str] = "precision"

    def on(self, table: MeasuredTable) -> ColumnCost:
        """Set the measure up for a table."""
        return height_cost(table, np.ones(len(table.hierarchies)))

    def shown(self, score: float) -> float:
        """The measure as people know it."""
        return 1.0 - score
