"""Precision: how low in their hierarchies the released values are."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from discreet.display import dataclass
from discreet.measures.column_cost import ColumnCost, MeasuredTable, price_by_height
from discreet.models.parameters import require_choice


@dataclass(frozen=True)
class Precision:
    """Sweeney's Prec: one minus the mean of level over height, with equal weights.

    Notes
    -----
    [Sweeney2001]_, sec. 5.4, definition of the precision metric. *Departures*: none; a suppressed
    row counts as fully generalized. *Cost*: none beyond counting.
    """

    name: ClassVar[str] = "precision"

    def on(self, table: MeasuredTable) -> ColumnCost:
        """Set the measure up for a table."""
        return price_by_height(table, np.ones(len(table.hierarchies)))

    def convert_score(self, score: float) -> float:
        """The measure as people know it."""
        return 1.0 - score


# Weighted precision: precision with some columns counting more than others.


@dataclass(frozen=True)
class WeightedPrecision:
    """Prec with some columns counting more than others.

    Parameters
    ----------
    weights
        ``column`` takes the policy's column weights; ``height`` weighs each column by the height
        of its hierarchy, so that one level up costs the same everywhere.

    Notes
    -----
    [Sweeney2001]_, sec. 5.4, weighted precision metric; ``height`` is equation 3. *Departures*:
    weights are by column and rescaled to sum to the number of columns, which keeps Prec within 0
    and 1 as the definition asks. *Cost*: none beyond counting.
    """

    weights: Literal["column", "height"] = "column"

    name: ClassVar[str] = "weighted_precision"

    def __post_init__(self) -> None:
        require_choice(self.name, "weights", self.weights, ("column", "height"))

    def on(self, table: MeasuredTable) -> ColumnCost:
        """Set the measure up for a table."""
        if self.weights == "column":
            return price_by_height(table, table.weights)
        heights = np.array([float(h.height) for h in table.hierarchies])
        return price_by_height(table, heights if heights.any() else np.ones(len(heights)))

    def convert_score(self, score: float) -> float:
        """The measure as people know it."""
        return 1.0 - score
