"""Lattices too large to search to the end: a good node, a good bound, then what time allows."""

from __future__ import annotations

import time
from dataclasses import replace

from discreet.algorithms.bounds import Bound, ColumnBound, bound_for
from discreet.algorithms.box_search import BoxSearch, Found, Progress
from discreet.algorithms.column_groups import ColumnGroups
from discreet.algorithms.descent import descend
from discreet.algorithms.neighbourhood import improve
from discreet.algorithms.problem import Problem

DESCENT, GROUPS, NEIGHBOURS = 0.15, 0.45, 0.65
"""Share of the time after which each step ends; the exact search has the rest."""


def search_large(problem: Problem, seconds: float, progress: Progress | None = None) -> Found:
    """The best node that can be found within some seconds, and a bound for all others.

    Walks down from the top, bounds what groups of columns must cost, searches around the best node
    so far, and gives the rest of the time to the exact search, with that node and that bound.
    """
    started = time.monotonic()

    def left(share: float) -> float:
        return max(0.0, started + share * seconds - time.monotonic())

    best, checked = descend(problem, left(DESCENT))
    groups = ColumnGroups(problem)
    groups.search(left(GROUPS))
    if best is not None:
        if groups.best is not None and (groups.best.score or 0.0) < (best.score or 0.0):
            best = groups.best
        best, more = improve(problem, best, left(NEIGHBOURS))
        checked += more
    search = BoxSearch(problem, left(1.0), progress, _bound(problem, groups))
    found = search.run(None if best is None else best.node)
    return replace(found, checked=found.checked + checked + groups.checked)


def _bound(problem: Problem, groups: ColumnGroups) -> Bound:
    if problem.cost is None:
        return bound_for(problem)
    return ColumnBound(problem, problem.cost, groups.floors)
