"""From costs of the search to scores of the policy's measure."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.box_search import Progress
from discreet.algorithms.exact_search.boxes import Boxes
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.errors import UnclaimedMeasureError
from discreet.measures import ALL, ClassMeasure, ColumnCost


def column_cost(algorithm: str, problem: Problem) -> ColumnCost:
    """The measure set up for this table; refused if it does not add up cell by cell."""
    if problem.cost is None:
        known = [measure.name for measure in ALL if not issubclass(measure, ClassMeasure)]
        raise UnclaimedMeasureError(algorithm, problem.measure.name, known)
    return problem.cost


@dataclass(frozen=True, eq=False)
class MeanCost:
    """Turns the cost of a placement into the least score that it can have, and tells progress."""

    problem: Problem
    cost: ColumnCost
    boxes: Boxes
    progress: Progress | None = None

    def score(self, cost: float) -> float:
        """The score, for measures that add up over rows; no more than the score, for others."""
        nothing = self.cost.score(self.problem.lattice.bottom, np.zeros(len(self.cost.slope)))
        mean = cost * self.boxes.scale / max(self.cost.total, 1e-300)
        return self.cost.least(nothing + mean)

    def __call__(self, bound: float, best: float | None) -> None:
        """Tell how far the search has come."""
        if self.progress is not None:
            found = None if best is None else self.score(best)
            self.progress(self.problem.lattice.nodes, self.score(bound), found)
