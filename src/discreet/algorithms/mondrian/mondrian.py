"""Mondrian: cut the table, and each side again, as long as every side keeps the promises."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from discreet.algorithms.cell_recoding import CellRecoding, recode_at_levels
from discreet.algorithms.claims import HeuristicError, make_unreachable_error
from discreet.algorithms.floors import find_floor_bound
from discreet.algorithms.mondrian.axes import NumberAxis, TreeAxis, build_range_values
from discreet.algorithms.mondrian.cutting import Axis, Cutting, Front, Passing, join_fronts
from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Search, build_cell_solution
from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Ints
from discreet.models import BY_CLASS
from discreet.models.parameters import require_choice

NO_RANGES = "relaxed cuts differ from strict ones in columns of 'ranges' only, and none is named"
OUT_OF_TIME = "time ran out while classes could still be cut; they are coarser than they need be"


@dataclass(frozen=True)
class Mondrian:
    """Cuts the table into ever smaller classes, each released as finely as its rows allow.

    No row is left out. Quick on tables of any size, but not optimal.

    Parameters
    ----------
    kind
        ``strict``: rows with the same number stay together. ``relaxed``: in columns of ``ranges``,
        rows with the median may go to either side, so that both have equally many.
    ranges
        Columns of numbers to cut at the median and release as ranges, such as 20-35. All other
        columns are cut along their hierarchy.

    Notes
    -----
    [LeFevre2006]_, sec. 4 (the greedy algorithm), sec. 3 (relaxed). *Departures*: any model: a cut
    is allowed if every side passes by itself. The column with the widest range is cut, where the
    width counts leaves in columns with a hierarchy and is times the policy's weight of the column.
    A strict cut is the one next to the median that halves the rows best. Missing numbers are
    separated before numbers are cut; if they cannot be, the class gets the hierarchy's value above
    both. *Cost*: one sort of the distinct tuples of open classes per cut and column tried, for all
    classes of a depth at once.

    >>> Mondrian(ranges=("age",)).kind
    'strict'
    """

    kind: Literal["strict", "relaxed"] = "strict"
    ranges: tuple[str, ...] = ()

    name: ClassVar[str] = "mondrian"
    claims: ClassVar[tuple[type, ...]] = BY_CLASS

    def __post_init__(self) -> None:
        require_choice(self.name, "kind", self.kind, ("strict", "relaxed"))
        given: object = self.ranges
        if not isinstance(given, tuple | list) or not all(isinstance(n, str) for n in given):
            raise ParameterError(self.name, "ranges", "a list of column names")
        object.__setattr__(self, "ranges", tuple(given))

    def __call__(
        self, problem: Problem, seconds: float | None = None, progress: Progress | None = None
    ) -> CellSolution:
        """Solve a problem, or raise if the table as one class does not keep the promises.

        After ``seconds``, classes are released as they are, however far they were cut.
        """
        deadline = np.inf if seconds is None else time.monotonic() + seconds
        axes = self._make_axes(problem)
        cutting = Cutting(problem, axes, Passing(problem))
        if not cutting.passes:
            never = problem.attempt(problem.lattice.top).least_suppressed > problem.limit
            raise make_unreachable_error(problem) if never else HeuristicError(self.name)
        front, done = cutting.begin()
        every = [done]
        while len(front) and time.monotonic() < deadline:
            front, done = cutting.step(front)
            every.append(done)
            if progress is not None:
                progress(cutting.cuts)
        notes = (OUT_OF_TIME,) if len(front) else ()
        if self.kind == "relaxed" and not self.ranges:
            notes = (*notes, NO_RANGES)
        recoding = recode_front(problem, axes, join_fronts([*every, front]))
        bound = None if self.ranges else find_floor_bound(problem)
        return build_cell_solution(
            problem, self.name, recoding, Search(False, bound, 0, cutting.cuts), notes
        )

    def _make_axes(self, problem: Problem) -> tuple[Axis, ...]:
        columns = problem.frequency.columns
        for name in self.ranges:
            if name not in columns:
                raise ParameterError(self.name, "ranges", f"quasi columns; '{name}' is none")
        relaxed, divide = self.kind == "relaxed", not problem.frequency.sensitive
        return tuple(
            NumberAxis.of(h, relaxed, divide) if h.column in self.ranges else TreeAxis.of(h)
            for h in problem.lattice.hierarchies
        )


def recode_front(problem: Problem, axes: tuple[Axis, ...], front: Front) -> CellRecoding:
    """Every class as the least value or range that covers its rows."""
    order = np.argsort(front.owner, kind="stable")
    place = front.place[order]
    levels = np.zeros((len(place), len(axes)), dtype=np.int64)
    for c, axis in enumerate(axes):
        if isinstance(axis, TreeAxis):
            levels[:, c] = axis.level(front.low[:, c], front.high[:, c])[place]
    recoding = recode_at_levels(problem, levels, front.owner[order], front.rows[order])
    values, codes = list(recoding.values), list(recoding.codes)
    for c, axis in enumerate(axes):
        if isinstance(axis, NumberAxis):
            hierarchy, marginal = problem.lattice.hierarchies[c], problem.table.marginals[c]
            low, high = front.low[:, c], front.high[:, c]
            values[c], code = build_range_values(axis, hierarchy, marginal, low, high)
            codes[c] = code[place]
    recoding = replace(recoding, values=tuple(values), codes=tuple(codes))
    return _merge_parts(recoding) if recoding.divides else recoding


def _merge_parts(recoding: CellRecoding) -> CellRecoding:
    """Merge parts of a tuple that are released in the same way."""
    keys: list[Ints] = [np.asarray(c) for c in (*recoding.codes, recoding.owner)]
    order = np.lexsort(keys)
    new = np.zeros(len(order), dtype=np.bool_)
    new[:1] = True
    for key in keys:
        new[1:] |= key[order][1:] != key[order][:-1]
    first = np.nonzero(new)[0]
    kept = order[first]
    return replace(
        recoding,
        owner=recoding.owner[kept],
        rows=np.add.reduceat(recoding.rows[order], first),
        kept=recoding.kept[kept],
        codes=tuple(codes[kept] for codes in recoding.codes),
    )
