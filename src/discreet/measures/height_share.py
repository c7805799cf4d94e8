"""What a level costs, for the measures that count levels."""

from __future__ import annotations

import numpy as np

from discreet.frequency.classes import Floats, Ints
from discreet.measures.column_cost import ColumnCost, MeasuredTable, level_means


def height_cost(table: MeasuredTable, weights: Floats) -> ColumnCost:
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

    return ColumnCost(level_means(table, costs), rise, fold, table.total, shares, worth)
