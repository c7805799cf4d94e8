"""Non-uniform entropy: how many bits are lost about what each value was."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints
from discreet.measures.column_cost import ColumnCost, MeasuredTable


@dataclass(frozen=True)
class NonUniformEntropy:
    """Bits lost about the original values, from 0 (none) to 1 (all there were).

    Notes
    -----
    [Gionis2009]_, sec. 3: a value a released as b costs log2 of the rows under b over the rows
    with a. *Departures*: counts are those of the private table, so that a suppressed row costs as
    much as one at the root; each column is divided by its cost at the root. *Cost*: as Loss.
    """

    name: ClassVar[str] = "non_uniform_entropy"

    def on(self, table: MeasuredTable) -> ColumnCost:
        """Set the measure up for a table."""
        base, rise, scales = [], [], []
        for hierarchy, marginal in zip(table.hierarchies, table.marginals, strict=True):
            total = max(float(marginal.sum()), 1e-300)
            with np.errstate(divide="ignore", invalid="ignore"):
                worst = float(np.nansum(marginal * np.log2(total / marginal))) / total
            above, means = [], []
            for level in range(hierarchy.height + 1):
                under = np.bincount(
                    hierarchy.maps[level], weights=marginal, minlength=hierarchy.size(level)
                )
                bits = np.log2(total / np.maximum(under, 1e-300))
                left = float((under * np.where(under > 0, bits, 0.0)).sum()) / total
                scale = worst if worst > 0 else 1.0
                above.append(np.where(under > 0, bits, 0.0) / scale)
                means.append((worst - left) / scale)
            base.append(np.array(means))
            rise.append(tuple(above))
            scales.append(worst if worst > 0 else 1.0)
        weights = table.weights / table.weights.sum()

        def fold(means: Floats) -> float:
            return float((means * weights).sum())

        def worth(column: int, leaves: Ints, steps: Floats, mass: Floats) -> Floats:
            bits = np.log2(table.total / np.maximum(mass, 1e-300)) / scales[column]
            return np.where(mass > 0, bits, 0.0)

        return ColumnCost(tuple(base), tuple(rise), fold, table.total, weights, worth)

    def convert_score(self, score: float) -> float:
        """The measure as people know it."""
        return score
