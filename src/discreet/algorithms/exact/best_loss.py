"""The best release by loss, which multiplies columns and so is no sum over rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from discreet.algorithms.exact.best_placement import Best, best_placement
from discreet.algorithms.exact.boxes import Boxes, boxes, list_choices
from discreet.algorithms.exact.every_placement import OutOfStepsError, list_placements
from discreet.algorithms.exact.placement import Clock, Placement
from discreet.algorithms.exact.row_prices import row_prices
from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.errors import ReleaseError
from discreet.frequency.classes import Floats
from discreet.measures import ALL, ClassMeasure, ColumnCost

# From costs of the search to scores of the policy's measure.


def require_column_cost(algorithm: str, problem: Problem) -> ColumnCost:
    """The measure set up for this table; refused if it does not add up cell by cell."""
    if problem.cost is None:
        known = [measure.name for measure in ALL if not issubclass(measure, ClassMeasure)]
        raise ReleaseError(
            f"the algorithm {algorithm} cannot optimize {problem.measure.name}, which counts "
            f"classes and not cells. It can do: {', '.join(known)}. Choose one of these, or the "
            "algorithm local."
        )
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
        """Tell the bound; of the best so far the cost is known, not what it scores."""
        if self.progress is not None:
            known = self.problem.measure.convert_score(self.score(bound))
            self.progress(self.problem.lattice.nodes, known)


EQUAL = 1e-9
"""Scores closer than this are equal."""

ROUNDS = 5
"""How often a release is sought along the slope at the last one."""


@dataclass(frozen=True, eq=False)
class BestLoss:
    """A placement, and a score that no release is below."""

    placement: Placement
    bound: float
    proven: bool


class LossSearch:
    """Three searches, each a sum over rows.

    By the slope near no loss; by the slope at the release found, as long as that finds a better
    one; and by straight lines below the logarithm of each column, between the least that the column
    can lose and the most that it may lose in a release that is better. The last gives the bound.
    All releases up to the best score by these lines are listed, where they are few, and the best
    of them is then proven.
    """

    def __init__(self, problem: Problem, cost: ColumnCost, k: int, clock: Clock) -> None:
        self._problem, self._cost, self._k, self._clock = problem, cost, k, clock
        self._told = clock.told
        self._ground = np.array([base[0] for base in cost.base])
        self._units = list_choices(problem, replace(cost, slope=np.ones(len(cost.slope))))

    def run(self, steps: int) -> BestLoss:
        """Search as far as time goes."""
        first = self._search_along(self._cost.slope, 0.4)
        best, score = first.placement, self.score(first.placement)
        mean = MeanCost(self._problem, self._cost, best.boxes)
        bound = mean.score(first.bound)
        if not first.proven:
            return BestLoss(best, min(bound, score), False)
        self._told = partial(self._tell_first, first)
        for _ in range(ROUNDS):
            other = self._search_along(self._find_tangent(best), 0.3).placement
            if self.score(other) >= score - 1e-12:
                break
            best, score = other, self.score(other)
        return self._list_below(best, max(bound, 0.0), steps)

    def score(self, placement: Placement) -> float:
        """The loss of a placement."""
        return self._cost.fold(self._compute_means(placement))

    def _compute_means(self, placement: Placement) -> Floats:
        """Mean cost of each column."""
        used, out = np.nonzero(placement.rows)[0], placement.left_out
        member, levels = placement.boxes.member[used], placement.boxes.levels[used]
        lost = []
        for column, unit in enumerate(self._units):
            inside = unit.cost[levels[:, column], member] @ placement.rows[used]
            lost.append(inside + unit.cost[-1] @ out)
        means: Floats = self._ground + np.array(lost) / max(self._cost.total, 1e-300)
        return means

    def _search_along(self, slope: Floats, share: float) -> Best:
        found = boxes(self._problem, replace(self._cost, slope=slope), self._k)
        return best_placement(found, Clock(self._clock.left * share, self._told))

    def _tell_first(self, first: Best, bound: float, best: float | None) -> None:
        """Costs along other slopes mean nothing to others: tell what the first search found."""
        self._clock.told(first.bound, first.placement.cost)

    def _log(self, column: int) -> Callable[[float], float]:
        """The share of one column in the logarithm of 1 + loss, by the column's mean cost."""

        def share(mean: float) -> float:
            means = self._ground.copy()
            means[column] = mean
            return math.log1p(self._cost.fold(means))

        return share

    def _find_tangent(self, placement: Placement) -> Floats:
        means, step = self._compute_means(placement), 1e-6
        logs = [self._log(column) for column in range(len(means))]
        return np.array(
            [(log(mean + step) - log(mean)) / step for log, mean in zip(logs, means, strict=True)]
        )

    def _find_least(self, column: int) -> float:
        """No release has a lower mean cost of this column."""
        only = np.zeros(len(self._cost.slope))
        only[column] = 1.0
        found = boxes(self._problem, replace(self._cost, slope=only), self._k)
        lost = row_prices(found, Clock(self._clock.left, self._told)).priced.bound * found.scale
        return float(self._ground[column] + max(0.0, lost) / max(self._cost.total, 1e-300))

    def _list_below(self, best: Placement, bound: float, steps: int) -> BestLoss:
        """Bound the loss by a line for each column, and list what could still be better."""
        score = self.score(best)
        logs = [self._log(column) for column in range(len(self._ground))]
        low = [self._find_least(column) for column in range(len(logs))]
        most, floor = math.log1p(score), sum(log(x) for log, x in zip(logs, low, strict=True))
        slope, constant = np.zeros(len(logs)), 0.0
        for column, (log, x) in enumerate(zip(logs, low, strict=True)):
            high = find_highest_mean(log, x, most - floor + log(x) + 1e-9)
            if high > x + 1e-9:
                slope[column] = (log(high) - log(x)) / (high - x)
            constant += log(x) - slope[column] * (x - self._ground[column])
        lines = self._search_along(slope, 1.0)
        unit = lines.placement.boxes.scale / max(self._cost.total, 1e-300)
        bound = max(bound, math.expm1(constant + lines.bound * unit))
        best = min(best, lines.placement, key=self.score)
        if self.score(best) <= bound + EQUAL:
            return BestLoss(best, bound, True)
        try:
            listed = list_placements(lines, (most - constant) / unit, steps)
        except OutOfStepsError:
            return BestLoss(best, min(bound, self.score(best)), False)
        best = min([best, *listed], key=self.score)
        return BestLoss(best, self.score(best), True)


def find_highest_mean(log: Callable[[float], float], low: float, most: float) -> float:
    """The highest mean cost of a column, up to 1, whose logarithm is within the most."""
    if log(1.0) <= most:
        return 1.0
    high = 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if log(middle) <= most else (low, middle)
    return high
