"""The provably best release that decides cell by cell."""

from __future__ import annotations

import math
import time
from typing import ClassVar

import numpy as np

from discreet.algorithms.cell_recoding import CellRecoding, recode_at_levels
from discreet.algorithms.claims import find_class_size, make_unreachable_error
from discreet.algorithms.exact.best_loss import LossSearch, MeanCost, require_column_cost
from discreet.algorithms.exact.best_placement import Best, best_placement
from discreet.algorithms.exact.boxes import boxes
from discreet.algorithms.exact.every_placement import OutOfStepsError, list_best_placements
from discreet.algorithms.exact.placement import Clock, Placement, rank_by_preference
from discreet.algorithms.local.local import Local
from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Search, build_cell_solution
from discreet.display import dataclass
from discreet.errors import TooLargeError
from discreet.measures import Loss
from discreet.models.k_anonymity import KAnonymity
from discreet.models.risks import LargestRisk
from discreet.models.safe_harbor import SafeHarbor

SECONDS = 60.0
"""Default time limit of the search in seconds."""

FEW_STEPS = 20_000
"""Steps to list the best releases and choose the preferred one."""

MANY_STEPS = 300_000
"""Steps to list the releases that could have the best loss."""


@dataclass(frozen=True)
class Exact:
    """Finds the release with the least loss of all that keep k, each cell with its own level.

    For tables of some hundreds of distinct rows. Among equally good releases it takes the one that
    keeps the preferred columns finest, if they are few enough to list.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5, MinGen with generalization enforced at the level of cells (5.2.2).
    *Departures*: releases are not enumerated. Rows are placed in boxes (a text for each column),
    with k rows or more in each box that is used: a facility location problem, solved by HiGHS. Rows
    may be left out up to the policy's limit, and equal rows may be released in different ways.
    Costs count as equal if they differ by less than a millionth of a row left out. Loss is not a
    sum over rows: it is proven optimal only on small tables, and otherwise bounded (see
    :class:`LossSearch`). If missing values match any value, k holds but nothing is proven. *Cost*:
    memory for distinct tuples times nodes, then an integer program; k = 2 is quick, larger k is
    not.
    """

    name: ClassVar[str] = "exact"
    claims: ClassVar[tuple[type, ...]] = (KAnonymity, LargestRisk, SafeHarbor)

    def __call__(
        self, problem: Problem, seconds: float | None = None, progress: Progress | None = None
    ) -> CellSolution:
        """Solve a problem, or raise if not even the most general release keeps the promises.

        After ``seconds`` (60 if not given) the best release so far is returned, with a bound; it is
        never worse than that of the algorithm ``local``.
        """
        start = time.monotonic()
        k, cost = find_class_size(self, problem), require_column_cost(self.name, problem)
        if problem.total < k:
            return _build_solution(problem, release_nothing(problem), np.inf, True)
        found = boxes(problem, cost, k)
        mean = MeanCost(problem, cost, found, progress)
        clock = Clock(SECONDS if seconds is None else seconds, mean, start)
        if isinstance(problem.measure, Loss):
            loss = LossSearch(problem, cost, k, clock).run(MANY_STEPS)
            return _build_solution(
                problem, loss.placement.recoding(problem), loss.bound, loss.proven
            )
        best = best_placement(found, clock)
        bound = mean.score(best.bound)
        return _build_solution(
            problem, _choose_preferred(problem, best).recoding(problem), bound, best.proven
        )


def _choose_preferred(problem: Problem, best: Best) -> Placement:
    """The preferred one of the best placements, if they can be listed."""
    if not best.proven:
        return best.placement
    try:
        listed = list_best_placements(best, FEW_STEPS)
    except OutOfStepsError:
        return best.placement
    return min(listed, key=lambda one: rank_by_preference(problem, one))


def release_nothing(problem: Problem) -> CellRecoding:
    """An empty release for a table of fewer than k rows, if that is allowed."""
    if problem.total > problem.limit:
        raise make_unreachable_error(problem)
    tuples = len(problem.frequency)
    levels = np.zeros((tuples, len(problem.lattice.hierarchies)), dtype=np.int64)
    return recode_at_levels(problem, levels, kept=np.zeros(tuples, dtype=np.bool_))


def _build_solution(
    problem: Problem, recoding: CellRecoding, bound: float, proven: bool
) -> CellSolution:
    """The release with its bound; unless it is proven optimal, that of ``local`` if better."""
    if not proven:
        quick = Local()(problem).recoding
        recoding = min(recoding, quick, key=lambda one: _score(problem, one))
    nodes, score = problem.lattice.nodes, _score(problem, recoding)
    bound = problem.measure.convert_score(score if proven else min(bound, score))
    if not problem.requirement.wildcard:
        return build_cell_solution(
            problem, Exact.name, recoding, Search(proven, bound, nodes, nodes)
        )
    notes = ("missing values match any value: a better release is not ruled out",)
    return build_cell_solution(
        problem, Exact.name, recoding, Search(False, None, nodes, nodes), notes
    )


def _score(problem: Problem, recoding: CellRecoding) -> float:
    return recoding.score(problem, problem.measure, np.zeros(0, dtype=np.int64))


_STEPS_ALL = 2_000_000
"""Steps to list all best releases: about ten seconds."""


def all_optima(problem: Problem, most: int = 1000) -> list[CellRecoding]:
    """All releases that lose least, the preferred first, or the first ``most`` that are found.

    Notes
    -----
    [Sweeney2001]_, fig. 31, steps 2.2 and 2.3: what ``preferred()`` chooses from. *Departures*: of
    releases that differ only in cells that cost nothing, the finest is listed. *Cost*: grows fast
    with the rows; refused if it takes more than some seconds.
    """
    k, cost = find_class_size(Exact, problem), require_column_cost(Exact.name, problem)
    if problem.total < k:
        return [release_nothing(problem)]
    found = boxes(problem, cost, k)
    best = best_placement(found, Clock(math.inf, MeanCost(problem, cost, found)))
    try:
        listed = list_best_placements(best, _STEPS_ALL, most)
    except OutOfStepsError:
        what = "steps or more to go through for a list of all best releases"
        raise TooLargeError.for_algorithm(
            Exact.name, what, _STEPS_ALL + 1, _STEPS_ALL, "exact for one of them"
        ) from None
    listed.sort(key=lambda one: rank_by_preference(problem, one))
    return [one.recoding(problem) for one in listed]
