"""Every best release of a small table."""

from __future__ import annotations

import math

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.claims import find_class_size
from discreet.algorithms.exact.best_loss import MeanCost, require_column_cost
from discreet.algorithms.exact.best_placement import best_placement
from discreet.algorithms.exact.boxes import boxes
from discreet.algorithms.exact.every_placement import OutOfStepsError, list_best_placements
from discreet.algorithms.exact.exact import Exact, release_nothing
from discreet.algorithms.exact.placement import Clock, rank_by_preference
from discreet.algorithms.problem import Problem
from discreet.errors import TooLargeError

STEPS = 2_000_000
"""So much is tried: about ten seconds."""


def all_optima(problem: Problem, most: int = 1000) -> list[CellRecoding]:
    """All releases that lose least, the preferred first, or the first ``most`` that are found.

    Notes
    -----
    [Sweeney2001]_, fig. 31, steps 2.2 and 2.3: what ``preferred()`` chooses from. *Departures*: of
    releases that differ only in cells that cost nothing, the finest is listed. *Cost*: grows fast
    with the rows; refused where it takes more than some seconds.
    """
    k, cost = find_class_size(Exact, problem), require_column_cost(Exact.name, problem)
    if problem.total < k:
        return [release_nothing(problem)]
    found = boxes(problem, cost, k)
    best = best_placement(found, Clock(math.inf, MeanCost(problem, cost, found)))
    try:
        listed = list_best_placements(best, STEPS, most)
    except OutOfStepsError:
        what = "steps or more to go through for a list of all best releases"
        raise TooLargeError.for_algorithm(
            Exact.name, what, STEPS + 1, STEPS, "exact for one of them"
        ) from None
    listed.sort(key=lambda one: rank_by_preference(problem, one))
    return [one.recoding(problem) for one in listed]
