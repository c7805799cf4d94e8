"""Blanks that were found, by which way, and what that says of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from discreet.algorithms.blanking.answer import Answer, answer_by_row, answer_of
from discreet.algorithms.blanking.exact_alike import exact_cover
from discreet.algorithms.blanking.exact_helped import exact_help
from discreet.algorithms.blanking.floors import Floors
from discreet.algorithms.blanking.helped import help_out
from discreet.algorithms.blanking.least import proportional
from discreet.algorithms.blanking.patterns import Patterns
from discreet.algorithms.box_search import Progress
from discreet.algorithms.cell_solution import CellSolution
from discreet.algorithms.problem import Problem
from discreet.display import dataclass

EXACT_VARIABLES = 100_000
"""Patterns times tuples, up to which the exact search is tried where blanks are values."""

EXACT_PAIRS = 5_000
"""Rows times rows times columns, where blanks match anything."""

TOO_LARGE = "the table is too large for the exact search"


@dataclass(frozen=True, eq=False)
class Found:
    """An answer, if it is proven to be the cheapest of its kind, and what to say of it."""

    answer: Answer
    cheapest: bool = False
    notes: tuple[str, ...] = ()


def alone(problem: Problem, floors: Floors) -> Found:
    """Blank each row until what is left agrees with k rows of the private table."""
    rows = problem.frequency.rows[floors.risky]
    owner = np.repeat(floors.risky, rows)
    answer = answer_by_row(problem, owner, floors.patterns.blank[floors.first[owner]])
    listed = bool((floors.patterns.cost[floors.first] <= floors.patterns.reach).all())
    told = f"what is left of each row agrees with {floors.k:,} rows of the private table"
    return Found(answer, listed, (told,))


def with_help(problem: Problem, floors: Floors, progress: Progress | None) -> Found:
    """Blank each row at risk until it has k matches, blanks of other rows counted as matches."""
    found = help_out(problem, floors, progress)
    answer = answer_by_row(problem, found.owner, floors.patterns.blank[found.pattern])
    number = int((~found.alone).sum())
    return Found(answer, not len(found.owner), _told(number, floors.k))


def _told(number: int, k: int) -> tuple[str, ...]:
    if not number:
        return ()
    return (
        f"{number:,} rows have {k:,} matches only because blanks of other rows match anything "
        "(helped: false rules that out)",
    )


def exact_alike(problem: Problem, floors: Floors, seconds: float, greedy: Found) -> Found:
    """The cheapest blanks, where blanks are values, or what was found before."""
    if np.isfinite(floors.patterns.reach):
        return replace(greedy, notes=(TOO_LARGE,))
    if len(floors.patterns) * len(problem.frequency) > EXACT_VARIABLES:
        return replace(greedy, notes=(TOO_LARGE,))
    solved = exact_cover(problem, floors.patterns, floors.k, seconds)
    if solved is None:
        return greedy
    parts, program = solved
    return _better(greedy, Found(answer_of(parts), program.proven), floors)


def exact_matching(problem: Problem, floors: Floors, seconds: float, greedy: Found) -> Found:
    """The cheapest blanks, where blanks match anything, or what was found before."""
    if problem.total**2 * len(problem.frequency.columns) > EXACT_PAIRS:
        return replace(greedy, notes=(*greedy.notes, TOO_LARGE))
    solved = exact_help(problem, floors.patterns.weights, floors.k, seconds)
    if solved is None:
        return greedy
    blank, program = solved
    owner = np.repeat(np.arange(len(problem.frequency)), problem.frequency.rows)
    answer = answer_by_row(problem, owner, blank.T)
    return _better(greedy, Found(answer, program.proven), floors)


def _better(greedy: Found, exact: Found, floors: Floors) -> Found:
    """The cheaper of two; the exact one if it is proven."""
    weights = floors.patterns.weights
    if not exact.cheapest and exact.answer.cost(weights) >= greedy.answer.cost(weights):
        return greedy
    return replace(exact, notes=("proven to be the cheapest choice",) if exact.cheapest else ())


def proven(
    problem: Problem, patterns: Patterns, found: Found, solution: CellSolution
) -> CellSolution:
    """The solution, marked as best by the policy's measure where that is known."""
    score = solution.measures[problem.measure.name]
    search = solution.search
    met = search.bound is not None and abs(score - search.bound) <= 1e-9
    if met or (found.cheapest and proportional(problem, patterns.weights)):
        search = replace(search, proven=True, bound=score)
    return replace(solution, search=search)
