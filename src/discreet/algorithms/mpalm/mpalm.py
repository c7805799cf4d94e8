"""MPALM: cut the public table, and each part again, as long as nobody's presence is revealed."""

from __future__ import annotations

import time
from typing import ClassVar

import numpy as np

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.claims import HeuristicError, find_class_size, make_unreachable_error
from discreet.algorithms.floors import are_texts_unambiguous
from discreet.algorithms.mondrian.axes import NumberAxis, TreeAxis
from discreet.algorithms.mondrian.cutting import Axis
from discreet.algorithms.mpalm.splitting import (
    COLUMNS_BY,
    VALUES_BY,
    ColumnsBy,
    Passing,
    Splitting,
    ValuesBy,
    recode_boxes,
)
from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Search, build_cell_solution
from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Ints
from discreet.measures import ALL, Measure
from discreet.models import BY_REGISTER, KAnonymity, LargestRisk, SafeHarbor
from discreet.models.model import RegisterModel
from discreet.models.parameters import require_choice
from discreet.models.verdict import Verdict

OUT_OF_TIME = "time ran out while classes could still be cut; they are coarser than they need be"

NO_RANGES = "values_by is about columns of 'ranges' only, and none is named"


@dataclass(frozen=True)
class Mpalm:
    """Cuts the people of the public table into ever smaller classes, and releases its rows as them.

    A class is cut as long as everybody in each side stays as likely to be in the private table as
    the promise allows. Classes do not overlap: everybody fits one of them. No row is left out.
    Quick, but not optimal.

    Parameters
    ----------
    columns_by
        Which column is cut: ``next`` takes turns, ``priority`` tries them in a fixed order,
        ``best`` takes the one with the most distinct values.
    values_by
        At which number a column of ``ranges`` is cut: ``rows`` halves the people, ``first`` is the
        lowest number that is allowed, ``values`` halves the distinct numbers.

        A column with a hierarchy is cut into all children of its value: there is no other cut
        without overlap.
    priority
        Columns in the order in which they are tried, followed by the others in table order. For
        ``columns_by: priority``.
    ranges
        Columns of numbers to release as ranges, such as 20-35. All others follow their hierarchy.

    Notes
    -----
    [Nergiz2007]_, sec. 6.2, algorithm 2. *Departures*: a class is released as the box of all its
    public tuples, not of the private ones among them, with which the promise would not hold (see
    :func:`~discreet.algorithms.mpalm.splitting.recode_boxes`). Text has no order, so it is cut
    along its hierarchy. Numbers and missing values are separated before numbers are cut. A column
    in which one text means several sets of values is not cut. ``k_map`` and class sizes are
    supported too; without a register the table is its own public table. *Cost*: the distinct tuples
    of a class for each cut and column tried.

    >>> Mpalm(columns_by="best", values_by="first").ranges
    ()
    """

    columns_by: ColumnsBy = "next"
    values_by: ValuesBy = "rows"
    priority: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()

    name: ClassVar[str] = "mpalm"
    claims: ClassVar[tuple[type, ...]] = (
        *(KAnonymity, LargestRisk, SafeHarbor),
        *BY_REGISTER,
    )

    def __post_init__(self) -> None:
        require_choice(self.name, "columns_by", self.columns_by, COLUMNS_BY)
        require_choice(self.name, "values_by", self.values_by, VALUES_BY)
        for key in ("priority", "ranges"):
            given: object = getattr(self, key)
            if not isinstance(given, tuple | list) or not all(isinstance(n, str) for n in given):
                raise ParameterError(self.name, key, "a list of column names")
            if len(set(given)) < len(given):
                raise ParameterError(self.name, key, "column names, each once")
            object.__setattr__(self, key, tuple(given))
        if self.priority and self.columns_by != "priority":
            raise ParameterError(self.name, "priority", "left out, or used by columns_by: priority")

    def __call__(
        self, problem: Problem, seconds: float | None = None, progress: Progress | None = None
    ) -> CellSolution:
        """Solve a problem, or raise if the table as one class does not keep the promises.

        After ``seconds`` classes are released as they are, however far they were cut.
        """
        deadline = np.inf if seconds is None else time.monotonic() + seconds
        find_class_size(self, problem)
        axes, order = self._make_axes(problem), self._order_columns(problem)
        splitting = Splitting(problem, axes, order, self.columns_by, self.values_by)
        if not splitting.passes:
            never = problem.attempt(problem.lattice.top).least_suppressed > problem.limit
            raise make_unreachable_error(problem) if never else HeuristicError(self.name)
        parts: list[Ints] = []
        for part in splitting.done():
            if part is not None:
                parts.append(part)
            elif time.monotonic() > deadline:
                break
            elif progress is not None:
                progress(splitting.cuts)
        late = splitting.open()
        parts += late
        recoding = recode_boxes(problem, axes, splitting.ranks, parts)
        search = Search(False, None, 0, splitting.cuts)
        notes = (OUT_OF_TIME,) if late else ()
        if self.values_by != "rows" and not self.ranges:
            notes = (*notes, NO_RANGES)
        if not splitting.passing.people:
            return build_cell_solution(problem, self.name, recoding, search, notes)
        verdicts = _judge_parts(problem, splitting.passing, parts)
        return _build_solution(problem, recoding, verdicts, search, notes)

    def _make_axes(self, problem: Problem) -> tuple[Axis, ...]:
        self._require_quasi(problem, "ranges", self.ranges)
        return tuple(
            NumberAxis.of(h, False, False) if h.column in self.ranges else TreeAxis.of(h)
            for h in problem.lattice.hierarchies
        )

    def _order_columns(self, problem: Problem) -> list[int]:
        """The columns that may be cut, those with priority first."""
        self._require_quasi(problem, "priority", self.priority)
        columns = problem.frequency.columns
        ordered = dict.fromkeys([*self.priority, *columns])
        tell = {
            h.column
            for h in problem.lattice.hierarchies
            if h.column in self.ranges or are_texts_unambiguous(h)
        }
        return [columns.index(name) for name in ordered if name in tell]

    def _require_quasi(self, problem: Problem, key: str, names: tuple[str, ...]) -> None:
        for name in names:
            if name not in problem.frequency.columns:
                raise ParameterError(self.name, key, f"quasi columns; '{name}' is none")


def _judge_parts(problem: Problem, passing: Passing, parts: list[Ints]) -> tuple[Verdict, ...]:
    """Every promise, measured on the parts; parts without rows count by their people."""
    amounts = np.array([passing.amounts[:, part].sum(axis=1) for part in parts]).T
    everybody = passing.classes(amounts)
    released = everybody.select(everybody.rows > 0)
    return tuple(
        model.judge_classes(
            everybody if isinstance(model, RegisterModel) else released, problem.frequency.columns
        )
        for model in problem.requirement.models
    )


def _build_solution(
    problem: Problem,
    recoding: CellRecoding,
    verdicts: tuple[Verdict, ...],
    search: Search,
    notes: tuple[str, ...],
) -> CellSolution:
    """The release with its class sizes and all measures, which may also count people."""
    sizes = recoding.counter(problem).base.rows
    every: list[Measure] = [measure() for measure in ALL if measure.name != problem.measure.name]
    measures = {
        measure.name: measure.convert_score(recoding.score(problem, measure, sizes))
        for measure in (problem.measure, *every)
    }
    return CellSolution(Mpalm.name, recoding, sizes, verdicts, measures, search, notes)
