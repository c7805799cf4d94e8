"""Local recoding: every class is released at levels of its own."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import ClassVar

import numpy as np

from discreet.algorithms.box_search import Progress
from discreet.algorithms.cell_recoding import CellRecoding, at_levels
from discreet.algorithms.cell_solution import CellSolution, cell_solution
from discreet.algorithms.floors import Floors, floor_bound
from discreet.algorithms.local_recoding.consistent import consistent_levels
from discreet.algorithms.local_recoding.drop import drop_outliers
from discreet.algorithms.local_recoding.ground import Ground, ground_of
from discreet.algorithms.local_recoding.parts import Parts, parts_of
from discreet.algorithms.local_recoding.promises import Promises
from discreet.algorithms.local_recoding.refine import refine
from discreet.algorithms.local_recoding.settle import settle
from discreet.algorithms.local_recoding.sweeps import sweep_all
from discreet.algorithms.local_recoding.walk import walk
from discreet.algorithms.optimal import Optimal
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Search
from discreet.display import dataclass
from discreet.errors import InternalError, ParameterError
from discreet.frequency.classes import Ints, Mask
from discreet.models import BY_CLASS
from discreet.models.requirement import Quasi

SWEEPS = 4
"""Sweeps over all classes where no time is asked for."""

TIE = 1e-9
"""A release this near the bound is proven to be the best."""


@dataclass(frozen=True)
class Local:
    """Generalizes each row only as far as it takes to be like enough others.

    Rows are grouped into classes, and every class is released at levels of its own. That loses much
    less than levels for whole columns, but one value may be released in different ways.

    Parameters
    ----------
    consistent
        Release one value always in the same way: a column's values may have different levels, but
        every row with a value gets the same.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2.2, generalization enforced at the cell level. Nodes are walked by
    rising cost, and every group of rows without a class that keeps all promises becomes one. Then
    classes give rows to others near by, form new ones, exchange rows, or are dissolved, as long as
    that gains. *Departures*: none, the method is our own. *Cost*: near-linear in the distinct
    tuples; see ``bench/local.py``.
    """

    consistent: bool = False

    name: ClassVar[str] = "local"
    claims: ClassVar[tuple[type, ...]] = BY_CLASS

    def __post_init__(self) -> None:
        if not isinstance(self.consistent, bool):
            raise ParameterError(self.name, "consistent", "true or false")

    def __call__(
        self, problem: Problem, seconds: float | None = None, progress: Progress | None = None
    ) -> CellSolution:
        """Solve a problem, or raise if not even the most general release keeps the promises.

        Given ``seconds``, rows are moved between classes until they are over.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        promises, ground = Promises(problem), ground_of(problem)
        known = _known_floors(problem, promises, progress)
        for found in known.values():
            ground = ground._replace(reach=ground.whole - found.prices)
        if self.consistent:
            recoding, checked = _consistent(problem, ground, promises, seconds, progress)
        else:
            recoding, checked = _local(problem, ground, promises, deadline, progress)
        bound = floor_bound(problem, progress=progress, known=known)
        search = Search(False, bound, problem.lattice.nodes, checked)
        solution = cell_solution(problem, self.name, recoding, search)
        if not solution.holds:
            raise InternalError("local recoding broke a promise")
        reached = bound is not None and abs(solution.measures[problem.measure.name] - bound) < TIE
        return replace(solution, search=replace(search, proven=reached))


def _known_floors(
    problem: Problem, promises: Promises, progress: Progress | None
) -> dict[Quasi, Floors]:
    """The floors of all columns together, which tell the search where there is nothing to gain."""
    everything = len(problem.frequency.columns)
    for quasi in problem.requirement.quasis:
        if len(quasi.places) == everything and quasi.least_rows == promises.least > 1:
            return {quasi: Floors(problem, quasi, progress)}
    return {}


def _local(
    problem: Problem,
    ground: Ground,
    promises: Promises,
    deadline: float | None,
    progress: Progress | None,
) -> tuple[CellRecoding, int]:
    """Walk, settle what is left, and improve."""
    first, checked = walk(ground, promises, progress)
    home = settle(ground, promises, first, problem.limit)
    if home is None:
        node, passing, _ = _by_columns(problem, None, progress)
        return at_levels(problem, np.tile(node, (len(passing), 1)), kept=passing), checked
    kept = np.nonzero(home >= 0)[0]
    left = problem.limit - int(ground.rows[home < 0].sum())
    if promises.divides:
        parts = parts_of(ground, kept, ground.rows[kept], home[kept])
        sweep_all(ground, parts, promises, SWEEPS, deadline, progress)
    else:
        home = refine(ground, promises, home, deadline, progress)
        parts = parts_of(ground, kept, ground.rows[kept], home[kept])
    if left and problem.cost is not None:
        drop_outliers(ground, parts, promises, left)
    return _recoding(problem, ground, parts, home < 0), checked


def _recoding(problem: Problem, ground: Ground, parts: Parts, dropped: Mask) -> CellRecoding:
    """The release that classes make; parts whose class is -1 are left out."""
    used = int(parts.used[0])
    owner, rows, home = parts.owner[:used], parts.rows[:used], parts.home[:used]
    out = np.nonzero(dropped)[0]
    levels = np.where(home[:, None] >= 0, parts.level[home], ground.height)
    owner, rows = np.concatenate([owner, out]), np.concatenate([rows, ground.rows[out]])
    levels = np.vstack([levels, np.tile(ground.height, (len(out), 1))])
    kept = np.concatenate([home >= 0, np.zeros(len(out), dtype=np.bool_)])
    return at_levels(problem, *_added_up(owner, rows, levels, kept))


def _added_up(owner: Ints, rows: Ints, levels: Ints, kept: Mask) -> tuple[Ints, Ints, Ints, Mask]:
    """Parts of one tuple that are released alike as one; in the order ``at_levels`` takes."""
    alike = np.column_stack([owner, kept, levels])
    order = np.lexsort(alike.T[::-1])
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (alike[order[1:]] != alike[order[:-1]]).any(axis=1)
    first = order[new]
    summed = np.add.reduceat(rows[order], np.nonzero(new)[0]) if len(order) else rows
    return levels[first], owner[first], summed, kept[first]


def _consistent(
    problem: Problem,
    ground: Ground,
    promises: Promises,
    seconds: float | None,
    progress: Progress | None,
) -> tuple[CellRecoding, int]:
    """The best release with one level a column, and then single values of it a level finer.

    Where its classes keep the promises only together, or not by themselves, it stays as it is.
    """
    node, kept, home = _by_columns(problem, seconds, progress)
    left, checked = problem.limit - int(ground.rows[~kept].sum()), 1
    levels = np.tile(node, (len(kept), 1))
    failing = promises.fails(np.where(kept, home, -1), int(home.max()) + 1)
    if kept.any() and not failing[home[kept]].any():
        levels, kept, checked = consistent_levels(ground, promises, node, kept, left, progress)
    return at_levels(problem, levels, kept=kept), checked


def _by_columns(
    problem: Problem, seconds: float | None, progress: Progress | None
) -> tuple[Ints, Mask, Ints]:
    """The best node, which tuples are kept there, and the number of each tuple's class."""
    found = Optimal()(problem, seconds, progress)
    maps = [h.maps[level] for h, level in zip(problem.lattice.hierarchies, found.node, strict=True)]
    codes = [up[column] for up, column in zip(maps, problem.frequency.codes, strict=True)]
    keys = problem.counter.packing.pack(codes, len(problem.frequency))
    together = np.hstack([found.groups.keys, keys]).T
    number = np.unique(together, axis=0, return_inverse=True)[1].reshape(-1)
    gone = number[: len(found.groups)][found.dropped > 0]
    home = number[len(found.groups) :]
    return np.array(found.node, dtype=np.int64), ~np.isin(home, gone), home
