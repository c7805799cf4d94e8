"""Which columns of a row may be blanked together, the cheapest choice first."""

from __future__ import annotations

import heapq
import math

import numpy as np

from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.errors import UnknownColumnError
from discreet.frequency.classes import Floats, Mask

MOST = 4096
"""Choices of columns that are looked at, and fewer where tuples are many."""

ROOM = 1 << 25
"""Choices times tuples, at most."""


@dataclass(frozen=True, eq=False)
class Patterns:
    """Sets of columns to blank, by rising cost, from none to all that tell rows apart.

    ``blank[p, c]`` says whether pattern p blanks column c. Every set that is not listed costs at
    least ``reach``. ``weights`` is what a blank costs in each column.
    """

    blank: Mask
    cost: Floats
    reach: float
    weights: Floats

    def __len__(self) -> int:
        return len(self.cost)

    def kept(self, pattern: int) -> list[int]:
        """The columns that a pattern leaves."""
        return [int(c) for c in np.nonzero(~self.blank[pattern])[0]]


def patterns_of(problem: Problem, weights: Floats) -> Patterns:
    """The cheapest sets of columns, and a chain of larger ones up to all if they are not all sets.

    A column with one value tells no rows apart and is never blanked. Among sets that cost the same,
    those of columns with many values come first: without such a column more rows are alike.
    """
    values = [hierarchy.size(0) for hierarchy in problem.lattice.hierarchies]
    varied = [c for c, size in enumerate(values) if size > 1]
    order = sorted(varied, key=lambda c: (weights[c], -values[c], c))
    most = max(1 + len(order), min(MOST, ROOM // max(1, len(problem.frequency))))
    found, reach = _cheapest([float(weights[c]) for c in order], most)
    listed = set(found)
    for length in range(1, len(order) + 1):
        chain = tuple(range(length))
        if chain not in listed:
            found.append(chain)
    blank = np.zeros((len(found), len(weights)), dtype=np.bool_)
    for pattern, chosen in enumerate(found):
        blank[pattern, [order[i] for i in chosen]] = True
    return Patterns(blank, np.round(blank @ weights, 9), reach, weights)


def _cheapest(rising: list[float], most: int) -> tuple[list[tuple[int, ...]], float]:
    """The ``most`` cheapest sets of places in a rising list of costs, and what the next costs."""
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
    """What a blank costs in each column.

    Without ``importance`` that is the column's weight in the policy. With it, a row gives up all
    columns that are less important before one that is named before them.
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
