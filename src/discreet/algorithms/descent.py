"""A good node quickly: from the top of the lattice down, always where it helps most."""

from __future__ import annotations

import time

from discreet.algorithms.problem import Attempt, Problem


def descend(problem: Problem, seconds: float) -> tuple[Attempt | None, int]:
    """Lower one column at a time by the level that scores best, until nothing helps or time is up.

    The answer, which comes with the number of nodes counted, is a start for the exact search on
    lattices too large to finish, not a proof.
    """
    deadline = time.monotonic() + seconds
    here = problem.attempt(problem.lattice.top)
    checked = 1
    if here.score is None:
        return None, checked
    closed: set[int] = set()
    while time.monotonic() < deadline:
        best = here
        for column, level in enumerate(here.node):
            if level == 0 or column in closed:
                continue
            lower = problem.attempt((*here.node[:column], level - 1, *here.node[column + 1 :]))
            checked += 1
            if lower.least_suppressed > problem.limit:
                closed.add(column)
            elif lower.score is not None and (best.score is None or lower.score < best.score):
                best = lower
        if best is here:
            break
        here = best
    return here, checked
