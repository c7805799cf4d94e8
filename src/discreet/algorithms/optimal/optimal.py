"""The provably best release at the level of columns: MinGen without its exhaustive search."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import ClassVar

import numpy as np

from discreet.algorithms.claims import make_unreachable_error
from discreet.algorithms.optimal.bounds import AdditiveScore, Bound, ColumnBound, Floor, bound_for
from discreet.algorithms.optimal.box_search import BoxSearch, Found, Progress, descend, find_score
from discreet.algorithms.problem import Attempt, Problem
from discreet.algorithms.solution import Search, Solution, build_solution_at
from discreet.display import dataclass
from discreet.errors import ReleaseError
from discreet.hierarchy.lattice import Node
from discreet.measures import ColumnCost
from discreet.models import BY_CLASS, BY_REGISTER

# A better node near a good one: a few columns are freed and searched exhaustively.


FEW, MANY = 3, 10
"""Number of columns that are free at a time, at first and at most."""

TRIES = 12
"""After this many choices of columns without a better node, one more is freed."""

SEED = 0


def improve(
    problem: Problem, start: Attempt, seconds: float, progress: Progress | None = None
) -> tuple[Attempt, int]:
    """The best node found, and the number of nodes counted.

    Large neighbourhood search: repeatedly, some columns are drawn, all others keep their levels,
    and the resulting box of nodes is searched exactly.
    """
    deadline = time.monotonic() + seconds
    random = np.random.default_rng(SEED)
    top = problem.lattice.top
    best, checked, free, failed = start, 0, FEW, 0
    while free <= min(MANY, len(top)):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        drawn = set(random.choice(len(top), free, replace=False).tolist())
        low = tuple(0 if c in drawn else level for c, level in enumerate(best.node))
        high = tuple(top[c] if c in drawn else level for c, level in enumerate(best.node))
        told = _report_best(problem, progress, best, checked)
        found = BoxSearch(problem, left, told).run(best.node, low, high)
        checked += found.checked
        if found.best is not None and found.best.node != best.node:
            best, failed = found.best, 0
        else:
            failed += 1
        if failed >= TRIES:
            free, failed = free + 1, 0
    return best, checked


def _report_best(
    problem: Problem, progress: Progress | None, best: Attempt | None, before: int
) -> Progress | None:
    """Progress of the search of a part: what bounds the part bounds nothing else."""
    if progress is None:
        return None
    known = find_score(problem, best)

    def report(checked: int, bound: float | None = None, best: float | None = None) -> None:
        progress(before + checked, None, known)

    return report


# The least cost of some columns alone: bounds for lattices too large to search as a whole.


EASY = 20_000
"""A group of columns with this many nodes is searched completely in a moment."""

ROUNDING = 1e-12


class ColumnGroups:
    """Divides the columns into groups and searches each alone, the others at their roots.

    Notes
    -----
    In an allowed node, raise all columns but one group to their roots: if failing is hereditary, no
    more rows are suppressed, so that node is allowed too and the group's columns cost no more. So
    they cost at least as much as in the best node of that small lattice, and the groups' costs add
    up to a bound for the whole (as additive pattern databases do for puzzles). Fewer, larger groups
    give a better bound and take longer: few nodes first. *Cost*: the time given; nodes with most
    columns at their roots have few classes.
    """

    def __init__(
        self, problem: Problem, progress: Progress | None = None, start: Attempt | None = None
    ) -> None:
        self.floors: tuple[Floor, ...] = ()
        self.best: Attempt | None = None
        self.checked = 0
        self._progress, self._start = progress, start
        self._problem = problem

    def search(self, seconds: float) -> None:
        """Find floors within the given time, if the promises allow any."""
        cost = self._problem.cost
        if cost is None or not self._problem.requirement.hereditary:
            return
        deadline = time.monotonic() + seconds
        for number in range(self._choose_first_number(), 1, -1):
            left = deadline - time.monotonic()
            if left <= 0:
                return
            floors = self._search_floors(number, left if number == 2 else left / 2, cost)
            if sum(f.least for f in floors) > sum(f.least for f in self.floors):
                self.floors = floors

    def _choose_first_number(self) -> int:
        """The number of groups at which each of them is easy."""
        nodes = math.log(self._problem.lattice.nodes)
        return max(2, math.ceil(nodes / math.log(EASY)))

    def _search_floors(self, number: int, seconds: float, cost: ColumnCost) -> tuple[Floor, ...]:
        top = self._problem.lattice.top
        order = sorted(range(len(top)), key=lambda column: (-top[column], column))
        scale = AdditiveScore(self._problem.measure, cost)
        return tuple(
            self._search_floor(set(order[group::number]), seconds / number, cost, scale)
            for group in range(number)
        )

    def _search_floor(
        self, group: set[int], seconds: float, cost: ColumnCost, scale: AdditiveScore
    ) -> Floor:
        top = self._problem.lattice.top
        low: Node = tuple(0 if column in group else level for column, level in enumerate(top))
        best = self.best if _is_better(self.best, self._start) else self._start
        told = _report_best(self._problem, self._progress, best, self.checked)
        found = BoxSearch(self._problem, seconds, told).run(low=low)
        self.checked += found.checked
        if found.best is not None and _is_better(found.best, self.best):
            self.best = found.best
        inside = np.array([column in group for column in range(len(top))])
        others = scale.part(cost.means(low, np.zeros(len(low))), ~inside)
        return Floor(inside, max(0.0, scale.parts(found.bound) - others - ROUNDING))


def _is_better(one: Attempt | None, other: Attempt | None) -> bool:
    if one is None:
        return False
    return other is None or other.score is None or (one.score or 0.0) < other.score


# Lattices too large to search completely: a good node, a good bound, then the exact search.


DESCENT, GROUPS, NEIGHBOURS = 0.15, 0.45, 0.65
"""Share of the time after which each step ends; the exact search has the rest."""


def search_large(problem: Problem, seconds: float, progress: Progress | None = None) -> Found:
    """The best node that can be found within some seconds, and a bound for all others.

    Walks down from the top, bounds the cost of groups of columns, searches around the best node so
    far, and gives the rest of the time to the exact search, with that node and that bound.
    """
    started = time.monotonic()

    def left(share: float) -> float:
        return max(0.0, started + share * seconds - time.monotonic())

    best, checked = descend(problem, left(DESCENT), progress)
    groups = ColumnGroups(problem, progress, best)
    groups.search(left(GROUPS))
    if best is not None:
        if groups.best is not None and (groups.best.score or 0.0) < (best.score or 0.0):
            best = groups.best
        best, more = improve(problem, best, left(NEIGHBOURS), progress)
        checked += more
    search = BoxSearch(problem, left(1.0), progress, _bound(problem, groups))
    found = search.run(None if best is None else best.node)
    return replace(found, checked=found.checked + checked + groups.checked)


def _bound(problem: Problem, groups: ColumnGroups) -> Bound:
    if problem.cost is None:
        return bound_for(problem)
    return ColumnBound(problem, problem.cost, groups.floors)


LARGE = 10_000_000
"""Lattices with more nodes get a time limit even if none is given."""

LARGE_SECONDS = 30.0


@dataclass(frozen=True)
class Optimal:
    """Finds the release with the least loss of all that keep the promises, and proves it.

    Every column is generalized to one level of its hierarchy; classes that break a promise are left
    out, as long as they hold no more rows than the policy allows. Of all such releases the one with
    the best measure is taken.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5, fig. 31, at the level of columns. *Departures*: rows may be
    suppressed; any model and measure; ``preferred()`` is a stated rule (see :class:`BoxSearch`);
    nodes are pruned by bounds instead of enumerated. *Cost*: see
    ``docs/explain/optimal-search.md``; memory for the distinct tuples, the remembered nodes and
    the boxes still open.
    """

    name: ClassVar[str] = "optimal"
    claims: ClassVar[tuple[type, ...]] = (*BY_CLASS, *BY_REGISTER)

    def __call__(
        self, problem: Problem, seconds: float | None = None, progress: Progress | None = None
    ) -> Solution:
        """Solve a problem, or raise if not even the most general release keeps the promises.

        After ``seconds`` the best release so far is returned, with a bound on how much better any
        other could be. Without it the search runs until the best is proven, except on lattices of
        more than ten million nodes, which get 30 seconds.
        """
        if problem.lattice.nodes > LARGE:
            found = search_large(problem, LARGE_SECONDS if seconds is None else seconds, progress)
        else:
            found = BoxSearch(problem, seconds, progress).run()
        if found.best is None:
            if found.proven:
                raise make_unreachable_error(problem)
            raise ReleaseError(
                "time ran out before a release was found that meets the policy; there may be one. "
                "Allow more time (time_limit), ask for less, or allow more rows to be suppressed."
            )
        bound = problem.measure.convert_score(found.bound)
        search = Search(found.proven, bound, problem.lattice.nodes, found.checked)
        return build_solution_at(problem, self.name, found.best.node, None, search)
