"""The least that each row must lose, whatever becomes of the others."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from discreet.algorithms.blanking.patterns import Patterns
from discreet.algorithms.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints, Mask
from discreet.models.wildcard import matching, missing_codes


@dataclass(frozen=True, eq=False)
class Floors:
    """For each tuple the cheapest pattern that leaves it alike with k rows of the private table.

    ``support[p, i]`` are the rows that agree with tuple ``risky[i]`` on what pattern p leaves, k
    standing for k or more. Patterns after the last row of ``support`` are needed by no tuple.
    """

    k: int
    patterns: Patterns
    first: npt.NDArray[np.int64]
    risky: npt.NDArray[np.int64]
    support: npt.NDArray[np.int32]

    @property
    def cost(self) -> Floats:
        """The cost that no release can be below, by tuple and row."""
        found = self.patterns.cost[self.first]
        chained: Floats = np.minimum(found, self.patterns.reach)
        return chained

    def least(self, prices: Floats) -> Floats:
        """The same for another price of each column's cells, by tuple: ``prices[c, tuple]``."""
        found = np.zeros(prices.shape[1])
        mine = prices[:, self.risky]
        best = np.full(len(self.risky), np.inf)
        enough = self.support >= self.k
        for pattern in range(len(self.support)):
            price = mine[self.patterns.blank[pattern]].sum(axis=0)
            best = np.where(enough[pattern], np.minimum(best, price), best)
        found[self.risky] = np.minimum(best, self._beyond(mine))
        return found

    def _beyond(self, prices: Floats) -> Floats:
        """The least price of patterns that were not counted, which are those that cost more."""
        counted = len(self.support)
        costs = self.patterns.cost[counted:].tolist()
        reach = min([*costs, self.patterns.reach])
        if np.isinf(reach):
            return np.full(prices.shape[1], np.inf)
        varied = self.patterns.blank.any(axis=0)
        prices, weights = prices[varied], self.patterns.weights[varied]
        beyond: Floats = reach * (prices / weights[:, None]).min(axis=0)
        return np.asarray(np.maximum(beyond, prices.min(axis=0)))


def floors_of(
    problem: Problem, patterns: Patterns, k: int, progress: Progress | None = None
) -> Floors:
    """Count the rows alike with each tuple, pattern by pattern, until every tuple has k."""
    gaps = absent(problem)
    rows = _alike(problem, patterns.kept(0), gaps)
    risky = np.nonzero(rows < k)[0]
    first = np.zeros(len(rows), dtype=np.int64)
    support, open_ = [np.minimum(rows[risky], k)], np.ones(len(risky), dtype=np.bool_)
    for pattern in range(1, len(patterns)):
        if not open_.any():
            break
        if progress is not None:
            progress(pattern, 0.0, None)
        found = _alike(problem, patterns.kept(pattern), gaps)[risky]
        support.append(np.minimum(found, k))
        now = open_ & (found >= k)
        first[risky[now]] = pattern
        open_ &= ~now
    return Floors(k, patterns, first, risky, np.array(support, dtype=np.int32))


def _alike(problem: Problem, columns: list[int], gaps: Mask) -> Ints:
    """How many rows agree with each tuple on some columns; under wildcards missing ones do too."""
    counter = problem.counter
    if problem.requirement.wildcard and gaps[columns].any():
        return matching(counter, counter.base, columns, None).rows
    classes, inverse = counter.project(counter.base, columns)
    found: Ints = classes.rows[inverse]
    return found


def absent(problem: Problem) -> Mask:
    """Which cells are missing in the private table, by column and tuple."""
    codes = missing_codes(problem.counter, problem.lattice.bottom)
    none = np.zeros(len(problem.frequency), dtype=np.bool_)
    return np.array(
        [none if m is None else c == m for c, m in zip(problem.frequency.codes, codes, strict=True)]
    )
