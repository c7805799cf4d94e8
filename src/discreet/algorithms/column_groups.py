"""What some columns alone must cost: bounds for lattices too large to be searched as a whole."""

from __future__ import annotations

import math
import time

import numpy as np

from discreet.algorithms.bounds import AdditiveScore, Floor
from discreet.algorithms.box_search import BoxSearch
from discreet.algorithms.problem import Attempt, Problem
from discreet.hierarchy.lattice import Node
from discreet.measures import ColumnCost

EASY = 20_000
"""A group of columns with this many nodes is searched to the end in a moment."""

ROUNDING = 1e-12


class ColumnGroups:
    """Divides the columns into groups and searches each alone, the others at their roots.

    Notes
    -----
    Of a node that is allowed, raise all columns but one group to their roots: where failing is
    hereditary, no more rows are suppressed, so that node is allowed too and the group's columns
    cost no more. So they cost at least what the best node of that small lattice makes of them, and
    the groups' costs add up to a bound for the whole (as additive pattern databases do for
    puzzles). Fewer, larger groups give a better bound and take longer: few nodes first.
    *Cost*: the time given; nodes with most columns at their roots have few classes.
    """

    def __init__(self, problem: Problem) -> None:
        self.floors: tuple[Floor, ...] = ()
        self.best: Attempt | None = None
        self.checked = 0
        self._problem = problem

    def search(self, seconds: float) -> None:
        """Find floors within the time given, where the promises allow any."""
        cost = self._problem.cost
        if cost is None or not self._problem.requirement.hereditary:
            return
        deadline = time.monotonic() + seconds
        for number in range(self._first_number(), 1, -1):
            left = deadline - time.monotonic()
            if left <= 0:
                return
            floors = self._floors(number, left if number == 2 else left / 2, cost)
            if sum(f.least for f in floors) > sum(f.least for f in self.floors):
                self.floors = floors

    def _first_number(self) -> int:
        """How many groups make each of them easy."""
        nodes = math.log(self._problem.lattice.nodes)
        return max(2, math.ceil(nodes / math.log(EASY)))

    def _floors(self, number: int, seconds: float, cost: ColumnCost) -> tuple[Floor, ...]:
        top = self._problem.lattice.top
        order = sorted(range(len(top)), key=lambda column: (-top[column], column))
        scale = AdditiveScore(self._problem.measure, cost)
        return tuple(
            self._floor(set(order[group::number]), seconds / number, cost, scale)
            for group in range(number)
        )

    def _floor(
        self, group: set[int], seconds: float, cost: ColumnCost, scale: AdditiveScore
    ) -> Floor:
        top = self._problem.lattice.top
        low: Node = tuple(0 if column in group else level for column, level in enumerate(top))
        found = BoxSearch(self._problem, seconds).run(low=low)
        self.checked += found.checked
        if found.best is not None and _better(found.best, self.best):
            self.best = found.best
        inside = np.array([column in group for column in range(len(top))])
        others = scale.part(cost.means(low, np.zeros(len(low))), ~inside)
        return Floor(inside, max(0.0, scale.parts(found.bound) - others - ROUNDING))


def _better(one: Attempt, other: Attempt | None) -> bool:
    return other is None or other.score is None or (one.score or 0.0) < other.score
