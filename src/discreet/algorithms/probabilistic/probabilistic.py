"""Probabilistic anonymity: each column by itself, as coarse as a population requires."""

from __future__ import annotations

import math
from dataclasses import field, replace
from typing import ClassVar, Literal, get_args

import numpy as np

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.claims import HeuristicError, find_least_class_size, make_unreachable_error
from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.probabilistic.column_mask import ColumnMask, Method, Shown
from discreet.algorithms.probabilistic.masks import Masking
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Search, build_cell_solution
from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Mask
from discreet.frequency.frequency_list import KeyIndex
from discreet.models import ALL as ALL_MODELS
from discreet.models.model import ClassModel
from discreet.models.parameters import require_choice
from discreet.models.probabilistic_anonymity import (
    PRESETS,
    ProbabilisticAnonymity,
    count_combinations_allowed,
    require_crowd,
)
from discreet.models.verdict import Verdict
from discreet.number_range import check_range, within

# A table with its columns masked: the released and left-out rows, and the verdicts.


def apply_masks(problem: Problem, masks: tuple[ColumnMask, ...]) -> CellRecoding:
    """Every row with its values masked, column by column."""
    frequency = problem.frequency
    return CellRecoding(
        tuple(mask.values for mask in masks),
        np.arange(len(frequency), dtype=np.int32),
        frequency.rows,
        np.ones(len(frequency), dtype=np.bool_),
        tuple(m.code[codes] for m, codes in zip(masks, frequency.codes, strict=True)),
    )


def update_verdicts(
    problem: Problem, recoding: CellRecoding, verdicts: tuple[Verdict, ...]
) -> tuple[Verdict, ...]:
    """The verdicts, those on probabilistic anonymity from the values that each column shows."""
    values = {
        name: len(np.unique(v.alike[codes[recoding.kept]]))
        for name, v, codes in zip(
            problem.frequency.columns, recoding.values, recoding.codes, strict=True
        )
    }
    rows = int(recoding.rows[recoding.kept].sum())
    found = []
    for model, verdict in zip(problem.requirement.models, verdicts, strict=True):
        if isinstance(model, ProbabilisticAnonymity):
            shown = math.prod(values[name] for name in verdict.columns)
            verdict = model.judge_combinations(shown, rows, verdict.columns)
        found.append(verdict)
    return tuple(found)


def drop_failing_classes(problem: Problem, recoding: CellRecoding) -> CellRecoding | None:
    """The recoding without classes that break a promise; None if too many rows are, or all."""
    counter = recoding.counter(problem)
    judgement = problem.requirement.judge(counter, counter.base)
    if judgement.suppressed > min(problem.limit, problem.total - 1):
        return None
    if not judgement.suppressed:
        return recoding
    alike = [v.alike[codes] for v, codes in zip(recoding.values, recoding.codes, strict=True)]
    keys = counter.packing.pack(alike, len(recoding.owner))
    kept: Mask = ~judgement.fails[KeyIndex(counter.base.keys).find(keys)]
    return replace(recoding, kept=kept)


ONE_PERSON = (
    "someone who looks for one particular person is not held off: rows may be alone in the "
    "release, and a rare combination of values may fit fewer than k people"
)
CROWD = "a rare combination of values may fit fewer than k people of the population"

PARTS = 32
"""Combinations are as many as other promises let them be, to this part of their number."""

COARSER = (
    "columns are coarser than probabilistic anonymity asks: other promises would have suppressed "
    "too many rows"
)


@dataclass(frozen=True)
class Probabilistic:
    """Coarsens columns, each by itself, until combinations of values fit crowds of people.

    The table counts as a sample of a population: a released row need not equal others in the
    release, but should fit at least k people of the population, with probability 1 - beta.

    **What this does not promise.** It protects against someone who joins the release with a
    register and hopes for a match. Someone who looks for one particular person may find a row that
    is unique in the release, and then knows that person's row; k-anonymity protects against that.
    And the crowds are as large as promised only if the combinations of released values are about
    equally frequent in the population: masking makes the values of each column so, but where
    columns are correlated some combinations stay rare.

    Parameters
    ----------
    population, k, beta
        As in the promise ``probabilistic``, which is the default.

        Without either, the table itself is the population and k is what the other promises require
        of a class; classes that still break one are suppressed.
    preset
        ``hipaa``: k = 20,000 among 300,000,000.
    ranges
        Columns of numbers, dates or codes of one length that are released as ranges; all others
        follow their hierarchy.
    method
        How a column of ``ranges`` is divided: by ``quantiles``, or for the least ``distances`` to
        the middle of a range, the least ``radius``, or the least radius times rows (``cellular``).

        With ``quantiles`` rows move over the fewest others. ``distances`` adds them up, ``radius``
        takes the largest, ``cellular`` the sum of radius times rows.
    shown
        ``ranges`` such as 20-35, or ``centres``: the value in the middle, which the paper releases.

    Notes
    -----
    [Lodha2008]_, sec. 3 and 4. *Departures*: the best whole numbers of values, see
    :func:`~discreet.algorithms.probabilistic.values_kept.choose_whole_values`; ranges have
    fewer rows than an equal share where values repeat too often. Other promises of the policy are
    kept by suppressing classes, and by fewer combinations, found by halving, until few enough are
    suppressed. Ranges instead of medians. Rows count alike, whatever their weight. Quantiles of
    a sample are not used: the values are counted already. *Cost*: one sort and one dynamic
    program a column, one count of classes a halving.

    >>> Probabilistic(preset="hipaa", ranges=("age",)).method
    'quantiles'
    """

    population: int | None = field(default=None, metadata=within(1, whole=True))
    k: int | None = field(default=None, metadata=within(1, whole=True))
    beta: float = field(default=0.1, metadata=within(above=0, below=1))
    preset: Literal["hipaa"] | None = None
    ranges: tuple[str, ...] = ()
    method: Method = "quantiles"
    shown: Shown = "ranges"

    name: ClassVar[str] = "probabilistic"
    claims: ClassVar[tuple[type, ...]] = ALL_MODELS

    def __post_init__(self) -> None:
        if self.preset is not None:
            require_choice(self.name, "preset", self.preset, tuple(PRESETS))
        for key in ("population", "k"):
            if getattr(self, key) is not None:
                check_range(self, key)
        check_range(self, "beta")
        require_choice(self.name, "method", self.method, get_args(Method))
        require_choice(self.name, "shown", self.shown, get_args(Shown))
        given: object = self.ranges
        if not isinstance(given, tuple | list) or not all(isinstance(n, str) for n in given):
            raise ParameterError(self.name, "ranges", "a list of column names")
        object.__setattr__(self, "ranges", tuple(given))

    def __call__(
        self, problem: Problem, seconds: float | None = None, progress: Progress | None = None
    ) -> CellSolution:
        """Solve a problem, or raise if no such masking keeps the promises.

        There is nothing to search, so ``seconds`` is ignored.
        """
        masking = Masking.of(problem, self.ranges, self.method, self.shown, self.name)
        columns, (allowed, people) = self._list_columns(problem), self._find_allowed(problem)
        masks, recoding, tries = self._fit_masks(masking, columns, allowed, progress)
        notes = [COARSER] if tries > 1 else []
        if self._list_promises(problem) or self._own:
            notes += write_mask_notes(problem, tuple(masks[c] for c in columns), allowed, people)
        notes += masking.hints(masks)
        search = Search(False, None, 0, tries)
        solution = build_cell_solution(problem, self.name, recoding, search, tuple(notes))
        return replace(solution, verdicts=update_verdicts(problem, recoding, solution.verdicts))

    def _fit_masks(
        self, masking: Masking, columns: tuple[int, ...], allowed: int, progress: Progress | None
    ) -> tuple[tuple[ColumnMask, ...], CellRecoding, int]:
        """Halve the combinations until all promises are kept, then allow more while they are."""
        problem, tries, too_many = masking.problem, 0, 0
        found = None
        while found is None:
            tries += 1
            masks = masking.masks(columns, allowed)
            found = drop_failing_classes(problem, apply_masks(problem, masks))
            if found is None:
                if progress is not None:
                    progress(tries)
                if allowed == 1:
                    never = problem.attempt(problem.lattice.top).least_suppressed > problem.limit
                    raise make_unreachable_error(problem) if never else HeuristicError(self.name)
                too_many = min(allowed, math.prod(mask.count for mask in masks))
                columns, allowed = tuple(range(len(masks))), max(1, too_many // 2)
        while too_many - allowed > max(1, too_many // PARTS):
            tries += 1
            between = (allowed + too_many) // 2
            finer = masking.masks(columns, between)
            more = drop_failing_classes(problem, apply_masks(problem, finer))
            if more is None:
                too_many = between
            else:
                masks, found, allowed = finer, more, between
        return masks, found, tries

    def _list_promises(self, problem: Problem) -> list[ProbabilisticAnonymity]:
        models = problem.requirement.models
        return [model for model in models if isinstance(model, ProbabilisticAnonymity)]

    @property
    def _own(self) -> bool:
        """Whether the algorithm has parameters of its own beyond the promises."""
        return not (self.population is None and self.k is None and self.preset is None)

    def _list_columns(self, problem: Problem) -> tuple[int, ...]:
        """The columns that a promise is about, all if there is one about all."""
        names = problem.frequency.columns
        promised = self._list_promises(problem)
        wanted = {name for model in promised for name in model.columns or names}
        if self._own or not promised:
            wanted = set(names)
        return tuple(at for at, name in enumerate(names) if name in wanted)

    def _find_allowed(self, problem: Problem) -> tuple[int, int]:
        """The least number of combinations that the columns may show, and the population for it."""
        promised = self._list_promises(problem)
        asked = [(model.allowed, model.population or 0) for model in promised]
        if self._own or not promised:
            asked.append(self._find_own_allowed(problem, promised))
        return min(asked)

    def _find_own_allowed(
        self, problem: Problem, promised: list[ProbabilisticAnonymity]
    ) -> tuple[int, int]:
        """By theorem 4; n / k if the table is the population, since its classes can be counted."""
        given = PRESETS.get(self.preset or "", (None, None))
        promise = (promised[0].population, promised[0].k) if promised else (None, None)
        population = self.population or given[0] or promise[0]
        k = self.k or given[1] or promise[1] or find_least_class_size(problem)
        if population is None:
            return max(1, problem.total // k), problem.total
        require_crowd(self.name, population, k, self.beta)
        return math.floor(count_combinations_allowed(population, k, self.beta)), population


def _requires_two_rows(problem: Problem) -> bool:
    """Whether another promise requires two rows in every class."""
    return any(
        isinstance(model, ClassModel) and not model.columns and model.least_rows > 1
        for model in problem.requirement.models
    )


def write_mask_notes(
    problem: Problem, masks: tuple[ColumnMask, ...], allowed: int, people: int
) -> list[str]:
    """Notes for the data holder on columns masked for ``people`` people."""
    shown = math.prod(mask.count for mask in masks)
    rarest = math.prod(mask.rarest for mask in masks)
    fits = people * rarest
    notes = [
        f"of at most {allowed:,} combinations of values the columns can show {shown:,}; if "
        f"columns were independent, the rarest would have {shown * rarest:.2g} of an equal share "
        f"of the people, about {fits:{',.0f' if fits >= 10 else '.2g'}} of {people:,}",
        CROWD if _requires_two_rows(problem) else ONE_PERSON,
    ]
    if people < problem.total:
        notes.append(
            f"the population of {people:,} is smaller than the table, which has "
            f"{problem.total:,} rows; see whether it is the right one"
        )
    return notes
