"""A better node near a good one: a few columns are set free and searched to the end."""

from __future__ import annotations

import time

import numpy as np

from discreet.algorithms.box_search import BoxSearch
from discreet.algorithms.problem import Attempt, Problem

FEW, MANY = 3, 10
"""Columns that are free at a time, at first and at most."""

TRIES = 12
"""So many choices of columns without a better node, and one more is set free."""

SEED = 0


def improve(problem: Problem, start: Attempt, seconds: float) -> tuple[Attempt, int]:
    """The best node found, and how many were counted.

    Large neighbourhood search: again and again, some columns are drawn, all others keep their
    levels, and the box of nodes that this leaves is searched exactly.
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
        found = BoxSearch(problem, left).run(best.node, low, high)
        checked += found.checked
        if found.best is not None and found.best.node != best.node:
            best, failed = found.best, 0
        else:
            failed += 1
        if failed >= TRIES:
            free, failed = free + 1, 0
    return best, checked
