"""Which columns of a row may be blanked together, the cheapest choice first."""

from __future__ import annotations

import heapq
import math

import numpy as np
import numpy.typing as npt

from discreet.algorithms.cell_recoding import weigh_parts
from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.errors import UnknownColumnError
from discreet.frequency.classes import Floats, Ints, Mask
from discreet.models.wildcard import find_missing_codes, match_rows

MOST = 4096
"""Most patterns that are tried; fewer if there are many tuples."""

ROOM = 1 << 25
"""Most patterns times tuples."""


@dataclass(frozen=True, eq=False)
class Patterns:
    """Sets of columns to blank, by rising cost, from none to all that distinguish rows.

    ``blank[p, c]`` says whether pattern p blanks column c. Every set that is not listed costs at
    least ``reach``. ``weights`` is the cost of a blank in each column.
    """

    blank: Mask
    cost: Floats
    reach: float
    weights: Floats

    def __len__(self) -> int:
        return len(self.cost)

    def list_kept(self, pattern: int) -> list[int]:
        """The columns that a pattern leaves."""
        return [int(c) for c in np.nonzero(~self.blank[pattern])[0]]


def list_patterns(problem: Problem, weights: Floats) -> Patterns:
    """The cheapest sets of columns, and, unless these are all sets, a chain of larger ones.

    A column with one value distinguishes no rows and is never blanked. Among sets of the same cost,
    those of columns with many values come first: without such a column more rows are equal.
    """
    values = [hierarchy.size(0) for hierarchy in problem.lattice.hierarchies]
    varied = [c for c, size in enumerate(values) if size > 1]
    order = sorted(varied, key=lambda c: (weights[c], -values[c], c))
    most = max(1 + len(order), min(MOST, ROOM // max(1, len(problem.frequency))))
    found, reach = _list_cheapest_sets([float(weights[c]) for c in order], most)
    listed = set(found)
    for length in range(1, len(order) + 1):
        chain = tuple(range(length))
        if chain not in listed:
            found.append(chain)
    blank = np.zeros((len(found), len(weights)), dtype=np.bool_)
    for pattern, chosen in enumerate(found):
        blank[pattern, [order[i] for i in chosen]] = True
    return Patterns(blank, np.round(blank @ weights, 9), reach, weights)


def _list_cheapest_sets(rising: list[float], most: int) -> tuple[list[tuple[int, ...]], float]:
    """The ``most`` cheapest sets of positions in a rising list of costs, and the next cost."""
    found: list[tuple[int, ...]] = [()]
    heap: list[tuple[float, tuple[int, ...]]] = [(rising[0], (0,))] if rising else []
    while heap:
        cost, chosen = heapq.heappop(heap)
        if len(found) == most:
            return found, cost
        found.append(chosen)
        last = chosen[-1]
        if last + 1 < len(rising):
            more = cost + rising[last + 1]
            heapq.heappush(heap, (more, (*chosen, last + 1)))
            heapq.heappush(heap, (more - rising[last], (*chosen[:-1], last + 1)))
    return found, math.inf


def blank_weights(problem: Problem, importance: tuple[str, ...]) -> Floats:
    """The cost of a blank in each column.

    Without ``importance`` that is the column's weight in the policy. With it, a row loses all less
    important columns before a more important one.
    """
    columns = problem.frequency.columns
    weights = problem.table.weights
    costs: Floats = np.maximum(weights, weights.max() * 1e-6) / weights.max()
    named = []
    for name in importance:
        if name not in columns:
            raise UnknownColumnError("suppress: importance", name, columns)
        named.append(columns.index(name))
    above = sum(float(costs[c]) for c in range(len(columns)) if c not in named)
    for column in reversed(named):
        costs[column] = above + 1.0
        above += costs[column]
    return costs


# The least loss of each row, whatever happens to the others.


@dataclass(frozen=True, eq=False)
class Floors:
    """For each tuple the cheapest pattern that makes it equal to k rows of the private table.

    ``support[p, i]`` are the rows that agree with tuple ``risky[i]`` on the columns that pattern p
    leaves, where k means k or more. Patterns after the last row of ``support`` are needed by no
    tuple.
    """

    k: int
    patterns: Patterns
    first: npt.NDArray[np.int64]
    risky: npt.NDArray[np.int64]
    support: npt.NDArray[np.int32]

    @property
    def cost(self) -> Floats:
        """A lower bound on the cost of any release, summed over tuples and rows."""
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
        found[self.risky] = np.minimum(best, self._find_least_beyond(mine))
        return found

    def _find_least_beyond(self, prices: Floats) -> Floats:
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


def count_floors(
    problem: Problem, patterns: Patterns, k: int, progress: Progress | None = None
) -> Floors:
    """Count the rows equal to each tuple, pattern by pattern, until every tuple has k."""
    gaps = find_missing_cells(problem)
    rows = _count_alike(problem, patterns.list_kept(0), gaps)
    risky = np.nonzero(rows < k)[0]
    first = np.zeros(len(rows), dtype=np.int64)
    support, open_ = [np.minimum(rows[risky], k)], np.ones(len(risky), dtype=np.bool_)
    for pattern in range(1, len(patterns)):
        if not open_.any():
            break
        if progress is not None:
            progress(pattern)
        found = _count_alike(problem, patterns.list_kept(pattern), gaps)[risky]
        support.append(np.minimum(found, k))
        now = open_ & (found >= k)
        first[risky[now]] = pattern
        open_ &= ~now
    return Floors(k, patterns, first, risky, np.array(support, dtype=np.int32))


def _count_alike(problem: Problem, columns: list[int], gaps: Mask) -> Ints:
    """How many rows agree with each tuple on some columns; under wildcards missing ones do too."""
    counter = problem.counter
    if problem.requirement.wildcard and gaps[columns].any():
        return match_rows(counter, counter.base, columns, None).rows
    classes, inverse = counter.project(counter.base, columns)
    found: Ints = classes.rows[inverse]
    return found


def find_missing_cells(problem: Problem) -> Mask:
    """Which cells are missing in the private table, by column and tuple."""
    codes = find_missing_codes(problem.counter, problem.lattice.bottom)
    none = np.zeros(len(problem.frequency), dtype=np.bool_)
    return np.array(
        [none if m is None else c == m for c, m in zip(problem.frequency.codes, codes, strict=True)]
    )


# Lower bounds for all releases of the kind that is searched.


@dataclass(frozen=True)
class Least:
    """The fewest blanks, including cells of left-out rows, and the best score, if known."""

    blanks: int
    score: float | None


def find_least_loss(problem: Problem, floors: Floors, helped: bool) -> Least:
    """Add up the least loss of each row.

    If blanks of other rows help, this is the cheapest cell of each row at risk, and otherwise the
    cheapest cells without which k rows are equal.
    """
    ones = np.ones((len(problem.frequency.columns), len(problem.frequency)))
    blanks = (_find_least_prices(problem, floors, ones, helped) * problem.frequency.rows).sum()
    return Least(int(np.ceil(blanks - 1e-6)), _score(problem, floors, helped))


def _score(problem: Problem, floors: Floors, helped: bool) -> float | None:
    cost = problem.cost
    if cost is None:
        return None
    everyone = np.arange(len(problem.frequency))
    mass = weigh_parts(problem, everyone, problem.frequency.rows)
    lost = float((_find_least_prices(problem, floors, price_blanks(problem), helped) * mass).sum())
    ground = cost.score(problem.lattice.bottom, np.zeros(len(problem.frequency.columns)))
    return cost.least(ground + lost / max(cost.total, 1e-300))


def _find_least_prices(problem: Problem, floors: Floors, price: Floats, helped: bool) -> Floats:
    """The least price of a row of each tuple; missing cells cannot be blanked."""
    if not (problem.requirement.wildcard and helped):
        return floors.least(price)
    gaps = find_missing_cells(problem)
    found = np.zeros(price.shape[1])
    found[floors.risky] = np.where(gaps, np.inf, price)[:, floors.risky].min(axis=0)
    return found


def price_blanks(problem: Problem) -> Floats:
    """The cost that a blank adds to the policy's measure, by column and tuple."""
    cost = problem.cost
    assert cost is not None
    columns = zip(cost.slope, cost.rise, problem.frequency.codes, strict=True)
    return np.array([slope * rise[0][codes] for slope, rise, codes in columns])


def is_proportional(problem: Problem, weights: Floats) -> bool:
    """Whether the cheapest blanks are also the best release by the policy's measure."""
    if problem.cost is None or problem.cost.least is not float or not problem.unweighted:
        return False
    varied = [h.size(0) > 1 for h in problem.lattice.hierarchies]
    ratio = (price_blanks(problem) / weights[:, None])[varied]
    return not ratio.size or bool(np.ptp(ratio) <= 1e-9 * ratio.max())
