"""The data holder's part: look at the outliers, generalize a column, take it back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.algorithms.argus.combinations import Combination
from discreet.algorithms.argus.outliers import Outliers, find_outliers
from discreet.algorithms.problem import Problem
from discreet.frequency.classes import add_up
from discreet.hierarchy.lattice import Node
from discreet.measures.precision import Precision


class Session:
    """A table on its way through mu-Argus: levels so far, what was tried, what stands out.

    Notes
    -----
    [Sweeney2001]_, sec. 7.2, figs. 48 and 50, phases A to D. *Departures*: the data holder sees the
    precision and the number of outliers before and after a step, which sec. 7.3.4 misses.
    *Cost*: one roll-up a combination for each look at the outliers.
    """

    def __init__(self, problem: Problem, combinations: Sequence[Combination], k: int) -> None:
        self.problem, self.k = problem, k
        self.combinations = tuple(combinations)
        self._history = [phase_a(problem, k)]
        self._found: dict[Node, Outliers] = {}

    @property
    def levels(self) -> Node:
        """The level that each column is at."""
        return self._history[-1]

    @property
    def steps(self) -> int:
        """How often a column was generalized, those taken back left out."""
        return len(self._history) - 1

    @property
    def checked(self) -> int:
        """How many nodes were looked at."""
        return len(self._found)

    def at_top(self, column: int) -> bool:
        """Whether a column cannot be generalized any further."""
        return self.levels[column] == self.problem.lattice.top[column]

    def generalize(self, column: int) -> None:
        """Raise a column by one level (fig. 55); a column at its top stays there."""
        if not self.at_top(column):
            now = self.levels
            self._history.append((*now[:column], now[column] + 1, *now[column + 1 :]))

    def undo(self) -> bool:
        """Take the last generalization back, if there is one; what phase A did stays."""
        if self.steps:
            self._history.pop()
            return True
        return False

    def outliers(self) -> Outliers:
        """The rare combinations at the present levels (phase B)."""
        now = self.levels
        if now not in self._found:
            self._found[now] = find_outliers(self.problem, now, self.combinations, self.k)
        return self._found[now]

    def precision(self) -> float:
        """The precision at the present levels, before any cell is suppressed."""
        measure = Precision()
        cost = measure.on(self.problem.table)
        return measure.shown(cost.score(self.levels, np.zeros(len(self.levels))))


def phase_a(problem: Problem, k: int) -> Node:
    """The least level of each column at which every value is that of k rows (step 3 of fig. 50)."""
    levels = []
    for codes, hierarchy in zip(problem.frequency.codes, problem.lattice.hierarchies, strict=True):
        ground = add_up(codes, problem.frequency.rows, hierarchy.size(0))
        level = 0
        while level < hierarchy.height:
            rows = add_up(hierarchy.maps[level], ground, hierarchy.size(level))
            if rows.min() >= k:
                break
            level += 1
        levels.append(level)
    return tuple(levels)
