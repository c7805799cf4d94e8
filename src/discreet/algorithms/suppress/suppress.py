"""Local suppression: blank as few cells as possible so that every row equals k - 1 others."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from discreet.algorithms.cell_recoding import CellRecoding, recode_at_levels
from discreet.algorithms.claims import find_class_size, make_unreachable_error
from discreet.algorithms.complementary import complementary
from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Search, build_cell_solution
from discreet.algorithms.suppress.alike import Parts, cover, solve_exact_cover
from discreet.algorithms.suppress.helped import MOST_COLUMNS, help_rows_out, solve_exact_help
from discreet.algorithms.suppress.patterns import (
    Floors,
    Least,
    Patterns,
    blank_weights,
    count_floors,
    find_least_loss,
    find_missing_cells,
    is_proportional,
    list_patterns,
)
from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Floats, Ints, Mask
from discreet.hierarchy.hierarchy import SUPPRESSED
from discreet.models.k_anonymity import KAnonymity
from discreet.models.risks import LargestRisk
from discreet.models.safe_harbor import SafeHarbor

# From chosen blanks to a release.


@dataclass(frozen=True, eq=False)
class Answer:
    """Parts of tuples with the columns that are blanked in each, or left out if not kept."""

    owner: npt.NDArray[np.int64]
    rows: Ints
    blank: Mask
    kept: Mask

    @property
    def blanks(self) -> int:
        """Cells of released rows that are blanked."""
        return int((self.rows * self.kept) @ self.blank.sum(axis=1))

    def cost(self, weights: Floats) -> float:
        """The cost of the blanks; a row that is left out costs as much as one that is all blank."""
        lost = self.blank | ~self.kept[:, None]
        return float(self.rows @ (lost @ weights))

    def recoding(self, problem: Problem) -> CellRecoding:
        """The release: values as they are, or blank."""
        top = np.array([h.height + 1 for h in problem.lattice.hierarchies])
        levels = np.where(self.blank, top, 0)
        text = None if problem.requirement.wildcard else SUPPRESSED
        return recode_at_levels(problem, levels, self.owner, self.rows, self.kept, text)


def build_answer(parts: Parts) -> Answer:
    """The answer built class by class; rows without a class are left out."""
    pieces = [(*parts.at(pattern), pattern) for pattern in sorted(parts.placed)]
    left = np.nonzero(parts.left)[0]
    owner = np.concatenate([*(piece[0] for piece in pieces), left])
    rows = np.concatenate([*(piece[1] for piece in pieces), parts.left[left]])
    chosen = [np.full(len(piece[0]), piece[2]) for piece in pieces]
    pattern = np.concatenate([*chosen, np.zeros(len(left), dtype=np.int64)]).astype(np.int64)
    kept = np.arange(len(owner)) < len(owner) - len(left)
    return Answer(owner, rows, parts.patterns.blank[pattern], kept)


def build_answer_by_row(problem: Problem, owner: npt.NDArray[np.int64], blank: Mask) -> Answer:
    """The answer from blanks of single rows; rows of one tuple with the same blanks are merged.

    Rows that are not named are released as they are, and missing cells are not blanked.
    """
    blank = blank & ~find_missing_cells(problem)[:, owner].T
    rest = problem.frequency.rows - np.bincount(owner, minlength=len(problem.frequency))
    whole = np.nonzero(rest)[0]
    packed = np.packbits(blank, axis=1).astype(np.int64)
    _, first, place = np.unique(
        np.column_stack([owner, packed]), axis=0, return_index=True, return_inverse=True
    )
    rows = np.bincount(place.reshape(-1), minlength=len(first))
    return Answer(
        np.concatenate([owner[first], whole]),
        np.concatenate([rows, rest[whole]]).astype(np.int64),
        np.concatenate([blank[first], np.zeros((len(whole), blank.shape[1]), dtype=np.bool_)]),
        np.ones(len(first) + len(whole), dtype=np.bool_),
    )


def release_nothing(problem: Problem) -> Answer:
    """The release that leaves out every row."""
    owner = np.arange(len(problem.frequency))
    blank = np.zeros((len(owner), len(problem.frequency.columns)), dtype=np.bool_)
    return Answer(owner, problem.frequency.rows, blank, np.zeros(len(owner), dtype=np.bool_))


def count_silent_cells(recoding: CellRecoding) -> int:
    """The number of blank cells in released rows."""
    number = 0
    for values, codes in zip(recoding.values, recoding.codes, strict=True):
        number += int(recoding.rows[recoding.kept & values.suppressed[codes]].sum())
    return number


# The blanks found, by which method, and what is known about them.


EXACT_VARIABLES = 100_000
"""Most patterns times tuples for the exact search if blanks are values."""

EXACT_PAIRS = 5_000
"""Most rows times rows times columns for it if blanks match anything."""

TOO_LARGE = "the table is too large for the exact search"


@dataclass(frozen=True, eq=False)
class Found:
    """An answer, whether it is proven to be the cheapest of its kind, and notes on it."""

    answer: Answer
    cheapest: bool = False
    notes: tuple[str, ...] = ()


def blank_alone(problem: Problem, floors: Floors) -> Found:
    """Blank each row until what is left agrees with k rows of the private table."""
    rows = problem.frequency.rows[floors.risky]
    owner = np.repeat(floors.risky, rows)
    answer = build_answer_by_row(problem, owner, floors.patterns.blank[floors.first[owner]])
    listed = bool((floors.patterns.cost[floors.first] <= floors.patterns.reach).all())
    told = f"what is left of each row agrees with {floors.k:,} rows of the private table"
    return Found(answer, listed, (told,))


def blank_with_help(problem: Problem, floors: Floors, progress: Progress | None) -> Found:
    """Blank each row at risk until it has k matches, blanks of other rows counted as matches."""
    found = help_rows_out(problem, floors, progress)
    answer = build_answer_by_row(problem, found.owner, floors.patterns.blank[found.pattern])
    number = int((~found.alone).sum())
    return Found(answer, not len(found.owner), _describe_help(number, floors.k))


def _describe_help(number: int, k: int) -> tuple[str, ...]:
    if not number:
        return ()
    return (
        f"{number:,} rows have {k:,} matches only because blanks of other rows match anything "
        "(helped: false rules that out)",
    )


def find_exact_alike(problem: Problem, floors: Floors, seconds: float, greedy: Found) -> Found:
    """The cheapest blanks if blanks are values, or the greedy answer."""
    if np.isfinite(floors.patterns.reach):
        return replace(greedy, notes=(TOO_LARGE,))
    if len(floors.patterns) * len(problem.frequency) > EXACT_VARIABLES:
        return replace(greedy, notes=(TOO_LARGE,))
    solved = solve_exact_cover(problem, floors.patterns, floors.k, seconds)
    if solved is None:
        return greedy
    parts, program = solved
    return _pick_better(greedy, Found(build_answer(parts), program.proven), floors)


def find_exact_matching(problem: Problem, floors: Floors, seconds: float, greedy: Found) -> Found:
    """The cheapest blanks if blanks match anything, or the greedy answer."""
    if problem.total**2 * len(problem.frequency.columns) > EXACT_PAIRS:
        return replace(greedy, notes=(*greedy.notes, TOO_LARGE))
    solved = solve_exact_help(problem, floors.patterns.weights, floors.k, seconds)
    if solved is None:
        return greedy
    blank, program = solved
    owner = np.repeat(np.arange(len(problem.frequency)), problem.frequency.rows)
    answer = build_answer_by_row(problem, owner, blank.T)
    return _pick_better(greedy, Found(answer, program.proven), floors)


def _pick_better(greedy: Found, exact: Found, floors: Floors) -> Found:
    """The cheaper of two; the exact one if it is proven."""
    weights = floors.patterns.weights
    if not exact.cheapest and exact.answer.cost(weights) >= greedy.answer.cost(weights):
        return greedy
    return replace(exact, notes=("proven to be the cheapest choice",) if exact.cheapest else ())


def mark_proven(
    problem: Problem, patterns: Patterns, found: Found, solution: CellSolution
) -> CellSolution:
    """The solution, marked as optimal by the policy's measure if that is known."""
    score = solution.measures[problem.measure.name]
    search = solution.search
    met = search.bound is not None and abs(score - search.bound) <= 1e-9
    if met or (found.cheapest and is_proportional(problem, patterns.weights)):
        search = replace(search, proven=True, bound=score)
    return replace(solution, search=search)


EXACT_SECONDS = 60.0
"""Default time limit of the exact search in seconds."""


@dataclass(frozen=True)
class Suppress:
    """Blanks single cells and generalizes nothing, so that no row is unique.

    Parameters
    ----------
    importance
        Columns from the most to the least important one to keep. Without it blanks are few,
        counted by the columns' weights.

        A row loses all columns that are not named, then the last of these, before the first.
    helped
        With ``missing: wildcard``, whether blanks of other rows count as matches of a row. If not,
        what is left of a row must agree with k rows of the private table.

        Every row at risk has at least one blank, and other rows have none.
    exact
        Look for the fewest blanks and prove it, on small tables.
    complementary
        Blank further cells so that blanked values cannot be inferred.

    Notes
    -----
    [Templ2015]_, sdcMicro's ``localSuppression`` and ``kAnon``, where a blank matches anything.
    *Departures*: with ``missing: value`` a blank is a value of its own, and rows with blanks must
    also be in classes of k. Blanks are chosen to be few; sdcMicro blanks each row at risk in the
    least important column that tells it from near rows, round by round. As there, a row at risk has
    one blank at least, although wildcards do not ask for it: k - 1 rows that are blank throughout
    match every row of any table, and would let unique rows be released unchanged. *Cost*: one
    grouping for each set of columns to blank, from small to large, at most 4,096; ``helped``
    compares each row that needs several blanks with up to 16,384 others.

    >>> Suppress(importance=("age", "sex")).helped
    True
    """

    importance: tuple[str, ...] = ()
    helped: bool = True
    exact: bool = False
    complementary: bool = False

    name: ClassVar[str] = "suppress"
    claims: ClassVar[tuple[type, ...]] = (KAnonymity, LargestRisk, SafeHarbor)

    def __post_init__(self) -> None:
        for key in ("helped", "exact", "complementary"):
            if not isinstance(getattr(self, key), bool):
                raise ParameterError(self.name, key, "true or false")
        named = self.importance
        if not isinstance(named, tuple) or len(set(named)) != len(named):
            raise ParameterError(self.name, "importance", "a list of columns, each once")

    def __call__(
        self, problem: Problem, seconds: float | None = None, progress: Progress | None = None
    ) -> CellSolution:
        """Solve a problem, or raise if there are fewer than k rows."""
        k = find_class_size(self, problem)
        patterns = list_patterns(problem, blank_weights(problem, self.importance))
        if problem.total < k:
            if problem.total > problem.limit:
                raise make_unreachable_error(problem)
            return self._make_solution(problem, k, patterns, Found(release_nothing(problem)), None)
        floors = count_floors(problem, patterns, k, progress)
        found = self._find_answer(problem, floors, progress)
        if self.exact and (self.helped or not problem.requirement.wildcard):
            limit = EXACT_SECONDS if seconds is None else seconds
            search = find_exact_matching if problem.requirement.wildcard else find_exact_alike
            found = search(problem, floors, limit, found)
        if self.importance:
            plain = list_patterns(problem, blank_weights(problem, ()))
            floors = count_floors(problem, plain, k, progress)
        least = find_least_loss(problem, floors, self.helped)
        return self._make_solution(problem, k, patterns, found, least)

    def _find_answer(self, problem: Problem, floors: Floors, progress: Progress | None) -> Found:
        if not problem.requirement.wildcard:
            return Found(build_answer(cover(problem, floors.patterns, floors.k, progress)))
        if not self.helped or len(problem.frequency.columns) > MOST_COLUMNS:
            return blank_alone(problem, floors)
        return blank_with_help(problem, floors, progress)

    def _make_solution(
        self, problem: Problem, k: int, patterns: Patterns, found: Found, least: Least | None
    ) -> CellSolution:
        recoding = found.answer.recoding(problem)
        notes = [f"{found.answer.blanks:,} cells blanked"]
        if least is not None:
            notes.append(f"no release of this kind can do with fewer than {least.blanks:,}")
            if not found.answer.kept.all():
                notes[-1] += ", those of rows left out included"
        notes.extend(found.notes)
        if self.complementary:
            before, recoding = recoding, complementary(problem, recoding, k)
            more = count_silent_cells(recoding) - count_silent_cells(before)
            notes.append(f"{more:,} further cells blanked to cover for them")
        score = None if least is None else least.score
        bound = None if score is None else problem.measure.convert_score(score)
        search = Search(False, bound, 2 ** len(problem.frequency.columns), len(patterns))
        solution = build_cell_solution(problem, self.name, recoding, search, ("; ".join(notes),))
        return solution if self.complementary else mark_proven(problem, patterns, found, solution)
