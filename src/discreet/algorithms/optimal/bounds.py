"""Lower bounds on the score of all nodes in a box, which make the search of the lattice exact."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from discreet.algorithms.problem import Attempt, Problem
from discreet.display import dataclass
from discreet.frequency.classes import Floats, Mask
from discreet.hierarchy.lattice import Node
from discreet.measures import ColumnCost, Loss, Measure


@dataclass(frozen=True, eq=False)
class Floor:
    """The least cost of a group of columns, on the scale of :class:`AdditiveScore`."""

    columns: Mask
    least: float


class AdditiveScore:
    """A score as a sum of what each group of columns adds to the score of the ground level.

    Every measure by column is additive; for loss, the logarithm of 1 + loss is.
    """

    def __init__(self, measure: Measure, cost: ColumnCost) -> None:
        self._cost = cost
        self._loss = isinstance(measure, Loss)
        self._ground = np.array([levels[0] for levels in cost.base])
        self._least = self._scale(cost.fold(self._ground))

    def part(self, means: Floats, columns: Mask) -> float:
        """What a group of columns adds."""
        return self._scale(self._cost.fold(np.where(columns, means, self._ground))) - self._least

    def parts(self, score: float) -> float:
        """What all columns together add."""
        return self._scale(score) - self._least

    def score(self, parts: float) -> float:
        """The score of a node whose columns add ``parts``."""
        total = self._least + parts
        return math.expm1(total) if self._loss else total

    def _scale(self, score: float) -> float:
        return math.log1p(score) if self._loss else score


class ColumnBound:
    """For measures that add up by column: no counting is needed.

    Without suppression a node's cost follows from its levels alone and grows with each. Every node
    below ``high`` suppresses at least the rows that ``high`` must, so their cost counts too, in the
    stronger of two ways: the rows that fail at ``high`` cost at least what they do there (if
    failing is hereditary), and any suppressed row costs at least the cheapest rise of its column's
    level.

    ``floors`` are groups of columns, each column in one of them, with the least cost of a group at
    any allowed node (see :mod:`discreet.algorithms.optimal.optimal`).
    """

    def __init__(self, problem: Problem, cost: ColumnCost, floors: Sequence[Floor] = ()) -> None:
        self._problem, self._cost, self._floors = problem, cost, tuple(floors)
        self._sum = AdditiveScore(problem.measure, cost)
        top = max(len(levels) for levels in cost.base)
        self._level = np.arange(top)
        self._base = np.full((len(cost.base), top), np.inf)
        self._rise = np.zeros((len(cost.base), top))
        for column, levels in enumerate(cost.base):
            self._base[column, : len(levels)] = levels
            for level, rise in enumerate(cost.rise[column]):
                self._rise[column, level] = rise.min(initial=np.inf)

    def __call__(self, low: Node, high: Attempt) -> float:
        """The bound for all nodes from ``low`` up to the counted node ``high``."""
        columns = np.arange(len(low))
        lowest = np.array(low)
        means = self._base[columns, lowest]
        least = high.least_suppressed
        if least:
            share = least / max(1, self._problem.total)
            between = (self._level >= lowest[:, None]) & (
                self._level <= np.array(high.node)[:, None]
            )
            priced = np.where(between, self._base + share * self._rise, np.inf)
            cheapest = priced.min(axis=1) if self._problem.unweighted else means
            if self._problem.requirement.hereditary:
                means = means + high.risen / max(self._cost.total, 1e-300)
            means = np.maximum(means, cheapest)
        if not self._floors:
            return self._cost.fold(means)
        parts = (max(f.least, self._sum.part(means, f.columns)) for f in self._floors)
        return self._sum.score(sum(parts))

    def spread(self) -> Floats:
        """How far apart the levels of each column are, for choosing where to split."""
        return self._base


class ClassBound:
    """For measures of class sizes: the finest node of the box is counted."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem

    def __call__(self, low: Node, high: Attempt) -> float:
        """The bound for all nodes from ``low`` up to the counted node ``high``."""
        problem = self._problem
        finer = problem.counter.groups(low).rows
        finer = finer[finer > 0]
        measure, least = problem.class_measure, high.least_suppressed
        return measure.floor(finer, high.failing, least, problem.limit)

    def spread(self) -> Floats:
        """How far apart the levels of each column are, for choosing where to split."""
        top = self._problem.lattice.top
        levels = np.arange(max(top) + 1, dtype=np.float64)
        heights: Floats = np.maximum(1.0, np.array(top, dtype=np.float64))
        return levels / heights[:, None]


Bound = ColumnBound | ClassBound


def bound_for(problem: Problem) -> Bound:
    """The bound that fits the problem's measure."""
    return ClassBound(problem) if problem.cost is None else ColumnBound(problem, problem.cost)
