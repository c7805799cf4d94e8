"""Local suppression: blank as few single cells as keep every row alike with k - 1 others."""

from __future__ import annotations

from typing import ClassVar

from discreet.algorithms.blanking.alike import cover
from discreet.algorithms.blanking.answer import answer_of, nothing_released, silent_cells
from discreet.algorithms.blanking.floors import Floors, floors_of
from discreet.algorithms.blanking.found import (
    Found,
    alone,
    exact_alike,
    exact_matching,
    proven,
    with_help,
)
from discreet.algorithms.blanking.helped import MOST_COLUMNS
from discreet.algorithms.blanking.least import Least, least_of
from discreet.algorithms.blanking.patterns import Patterns, blank_weights, patterns_of
from discreet.algorithms.box_search import Progress
from discreet.algorithms.cell_solution import CellSolution, cell_solution
from discreet.algorithms.claims import class_size
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Search
from discreet.algorithms.unreachable import unreachable
from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.models.k_anonymity import KAnonymity
from discreet.models.largest_risk import LargestRisk
from discreet.models.safe_harbor import SafeHarbor

EXACT_SECONDS = 60.0
"""The exact search ends after this, unless a time is given."""


@dataclass(frozen=True)
class Suppress:
    """Blanks single cells and generalizes nothing, so that no row stands out.

    Parameters
    ----------
    importance
        Columns from the most to the least important one to keep. A row gives up all columns that
        are not named, then the last of these, before the first. Without it blanks are few, counted
        by the columns' weights.
    helped
        Only where missing values match anything (``missing: wildcard``). Every row at risk has a
        blank at least, and other rows have none. True: that is enough for a row that has k matches
        then, be it that blanks of other rows might be its values. False: what is left of a row must
        agree with k rows of the private table.
    exact
        Look for the fewest blanks and prove it, on small tables.
    complementary
        Blank further cells so that what was blanked cannot be worked out.

    Notes
    -----
    [Templ2015]_, sdcMicro's ``localSuppression`` and ``kAnon``, where a blank matches anything.
    *Departures*: with ``missing: value`` a blank is a value of its own, and rows with blanks too
    must be k alike. Blanks are chosen to be few; sdcMicro blanks each row at risk in the least
    important column that tells it from near rows, round by round. As there, a row at risk has one
    blank at least, although wildcards do not ask for it: k - 1 rows that are blank throughout match
    every row of any table, and would let rows that are unique go out whole. *Cost*: one grouping
    for each set of columns to blank, from small to large, at most 4,096; ``helped`` compares each
    row that needs several blanks with up to 16,384 others.

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
        k = class_size(self, problem)
        patterns = patterns_of(problem, blank_weights(problem, self.importance))
        if problem.total < k:
            if problem.total > problem.limit:
                raise unreachable(problem)
            return self._solution(problem, k, patterns, Found(nothing_released(problem)), None)
        floors = floors_of(problem, patterns, k, progress)
        found = self._found(problem, floors, progress)
        if self.exact and (self.helped or not problem.requirement.wildcard):
            limit = EXACT_SECONDS if seconds is None else seconds
            search = exact_matching if problem.requirement.wildcard else exact_alike
            found = search(problem, floors, limit, found)
        if self.importance:
            plain = patterns_of(problem, blank_weights(problem, ()))
            floors = floors_of(problem, plain, k, progress)
        least = least_of(problem, floors, self.helped)
        return self._solution(problem, k, patterns, found, least)

    def _found(self, problem: Problem, floors: Floors, progress: Progress | None) -> Found:
        if not problem.requirement.wildcard:
            return Found(answer_of(cover(problem, floors.patterns, floors.k, progress)))
        if not self.helped or len(problem.frequency.columns) > MOST_COLUMNS:
            return alone(problem, floors)
        return with_help(problem, floors, progress)

    def _solution(
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
            from discreet.algorithms.complementary import complementary

            before, recoding = recoding, complementary(problem, recoding, k)
            more = silent_cells(recoding) - silent_cells(before)
            notes.append(f"{more:,} further cells blanked to cover for them")
        score = None if least is None else least.score
        bound = None if score is None else problem.measure.shown(score)
        search = Search(False, bound, 2 ** len(problem.frequency.columns), len(patterns))
        solution = cell_solution(problem, self.name, recoding, search, ("; ".join(notes),))
        return solution if self.complementary else proven(problem, patterns, found, solution)
