"""Local recoding: every class is released at levels of its own."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import ClassVar

import numpy as np

from discreet.algorithms.cell_recoding import CellRecoding, recode_at_levels
from discreet.algorithms.floors import Floors, find_floor_bound
from discreet.algorithms.local import kernels
from discreet.algorithms.local.ground import (
    Ground,
    Parts,
    Promises,
    build_ground,
    build_parts,
    list_walked_nodes,
    price_levels,
)
from discreet.algorithms.local.refine import (
    find_consistent_levels,
    join_failing_classes,
    refine,
    sweep_all,
)
from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.optimal.optimal import Optimal
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Search, build_cell_solution
from discreet.display import dataclass
from discreet.errors import InternalError, ParameterError
from discreet.frequency.classes import Floats, Ints, Mask
from discreet.models import BY_CLASS
from discreet.models.requirement import Quasi

# The first classes: nodes are visited by rising cost, and each group that passes becomes a class.


NODES, FEWEST_NODES = 20_000, 2_000
"""The most and the fewest nodes that are walked, next to some paths from finest to coarsest."""

VISITS = 1 << 26
"""Most tuples that are processed on the walk, unless that means too few nodes."""

JUDGED = 400
"""Most nodes that are walked if each group's sensitive values are judged."""


def walk(ground: Ground, promises: Promises, progress: Progress | None) -> tuple[Ints, int]:
    """The class of each tuple, numbered from 0, or -1; and how many nodes were visited.

    Tuples without a class are those that are left when every node was visited. *Cost*: nodes times
    the tuples that have no class yet, which are soon few.
    """
    most = min(NODES, max(FEWEST_NODES, VISITS // max(1, len(ground.rows))))
    nodes = list_walked_nodes(price_levels(ground, least=False), most)
    if promises.models:
        return _walk_judged(ground, promises, _thin_nodes(nodes), progress)

    home = np.full(len(ground.rows), -1)
    live, classes, at = np.arange(len(home)), 0, 0
    while at < len(nodes) and len(live):
        left, classes, at = kernels.walk(ground, nodes, at, promises.least, live, home, classes)
        live = live[:left].copy()
        if progress is not None:
            progress(at)
    return home, at


def _walk_judged(
    ground: Ground, promises: Promises, nodes: Ints, progress: Progress | None
) -> tuple[Ints, int]:
    """The same if groups are judged by more than their size."""
    home = np.full(len(ground.rows), -1)
    classes = 0
    for at, node in enumerate(nodes):
        live = np.nonzero(home < 0)[0]
        if not len(live):
            return home, at
        slots = np.empty(kernels.table_size(len(live)), dtype=np.int32)
        keys, out = np.empty(len(live), dtype=np.uint64), np.empty(len(live), dtype=np.int32)
        found = kernels.group(ground, live, len(live), node, slots, keys, out)
        rows = np.bincount(out, weights=ground.rows[live], minlength=found)
        large = rows >= promises.least
        if large.any():
            tried = np.full(len(home), -1)
            tried[live] = np.where(large[out], out, -1)
            passing = ~promises.fails(tried, found)
            number = np.where(passing, classes + np.cumsum(passing) - 1, -1)
            home[live] = number[out]
            classes += int(passing.sum())
        if progress is not None:
            progress(at + 1)
    return home, len(nodes)


def _thin_nodes(nodes: Ints) -> Ints:
    """As many nodes as can be judged, including the first and the last."""
    if len(nodes) <= JUDGED:
        return nodes
    return nodes[np.linspace(0, len(nodes) - 1, JUDGED).round().astype(np.int64)]


# Rows that the walk leaves without a class join others or are left out.


def settle(ground: Ground, promises: Promises, home: Ints, limit: int) -> Ints | None:
    """The class of each tuple, or -1 for those that are left out; None if no way was found.

    Rows without a class form one if they pass together; otherwise they join the classes that lose
    least, as many as are needed to pass. If that costs more than leaving them out, and the limit
    allows it, they are left out.
    """
    lost = home < 0
    if not lost.any():
        return home
    classes = int(home.max(initial=-1)) + 1
    alone = np.where(lost, 0, -1)
    if not promises.fails(alone, 1)[0]:
        return np.where(lost, classes, home)
    dropped = home if int(ground.rows[lost].sum()) <= limit else None
    joined = _join_nearest_classes(ground, promises, home, classes) if classes else None
    if joined is None or dropped is None:
        return dropped if joined is None else joined
    return max((joined, dropped), key=lambda one: _find_release_worth(ground, one))


def _join_nearest_classes(
    ground: Ground, promises: Promises, home: Ints, classes: int
) -> Ints | None:
    """The rows without a class, joined with as few of the nearest classes as let them pass."""
    lost = home < 0
    value = _join_values(ground, home, classes)
    order, number = np.argsort(-value, kind="stable"), 1
    while True:
        merged = np.zeros(classes, dtype=np.bool_)
        merged[order[:number]] = True
        together = np.where(lost | merged[home], 0, -1)
        if not promises.fails(together, 1)[0]:
            joined = np.where(together == 0, order[0], home)
            return np.unique(joined, return_inverse=True)[1].reshape(-1).astype(np.int64)
        if number >= classes:
            return None
        number *= 2


def _join_values(ground: Ground, home: Ints, classes: int) -> Floats:
    """The worth of each class with the rows without one, minus that of the class by itself."""
    lost = np.nonzero(home < 0)[0]
    everything = np.where(home < 0, classes, home)
    parts = build_parts(ground, np.arange(len(home)), ground.rows, everything)
    value: Floats = kernels.merged_values(ground, parts, classes, lost[0])[:classes]
    return value


def _find_release_worth(ground: Ground, home: Ints) -> float:
    """The worth of a release in which tuples without a class are left out."""
    kept = np.nonzero(home >= 0)[0]
    if not len(kept):
        return 0.0
    parts = build_parts(ground, kept, ground.rows[kept], home[kept])
    return sum_worth(parts)


def sum_worth(parts: Parts) -> float:
    """The total worth of all classes."""
    return float((parts.mass * parts.worth).sum())


# Rows that cost their class more than they are worth are left out, within the limit.


def drop_outliers(ground: Ground, parts: Parts, promises: Promises, limit: int) -> None:
    """Leave out at most ``limit`` rows where that gains; their parts get the class -1.

    In every round each class can lose one part, the parts that gain most per row first. *Cost*:
    every round visits all classes.
    """
    while limit > 0:
        part, rows, gain = kernels.outliers(ground, parts, promises.least)
        wanted = np.nonzero(gain > kernels.LEAST_GAIN)[0]
        if promises.models and len(wanted):
            home = np.full(len(ground.rows), -1)
            used = parts.home[: parts.used[0]]
            home[parts.owner[: len(used)][used >= 0]] = used[used >= 0]
            home[parts.owner[part[wanted]]] = -1
            wanted = wanted[~promises.fails(home, int(parts.used[1]))[wanted]]
        wanted = wanted[np.argsort(-gain[wanted] / rows[wanted], kind="stable")]
        wanted = wanted[np.cumsum(rows[wanted]) <= limit]
        if not len(wanted):
            return
        for a in wanted:
            kernels.remove(ground, parts, part[a], rows[a])
        limit -= int(rows[wanted].sum())


SWEEPS = 4
"""Sweeps over all classes if no time is given."""

TIE = 1e-9
"""A release this close to the bound counts as proven optimal."""


@dataclass(frozen=True)
class Local:
    """Generalizes each row only as far as needed to equal enough others.

    Rows are grouped into classes, and every class is released at levels of its own. That loses much
    less than levels for whole columns, but one value may be released in different ways.

    Parameters
    ----------
    consistent
        Always release a value in the same way: a column's values may have different levels, but all
        rows with a value get the same level.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2.2, generalization enforced at the cell level. Nodes are walked by
    rising cost, and every group of rows without a class that keeps all promises becomes one. Then
    classes give rows to nearby ones, form new ones, exchange rows, or are dissolved, as long as
    that gains. *Departures*: none, the method is ours. *Cost*: near-linear in the distinct tuples;
    see ``bench/local.py``.
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

        Given ``seconds``, rows are moved between classes until time is up.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        promises, ground = Promises(problem), build_ground(problem)
        known = _find_floors(problem, promises, progress)
        for found in known.values():
            ground = ground._replace(reach=ground.whole - found.prices)
        bound = find_floor_bound(problem, progress=progress, known=known)
        told = None if progress is None else _Told(problem, ground, bound, progress)
        if self.consistent:
            recoding, checked = _search_consistent(problem, ground, promises, seconds, told)
        else:
            recoding, checked = _search_cells(problem, ground, promises, deadline, told)
        search = Search(False, bound, problem.lattice.nodes, checked)
        solution = build_cell_solution(problem, self.name, recoding, search)
        if not solution.holds:
            raise InternalError("local recoding broke a promise")
        reached = bound is not None and abs(solution.measures[problem.measure.name] - bound) < TIE
        return replace(solution, search=replace(search, proven=reached))


MOST_SCORED = 200_000
"""Of more tuples the best so far is not told: to score it would take a second each time."""

NO_SIZES = np.zeros(0, dtype=np.int64)


class _Told:
    """Progress of a search by cell: with the bound, and the best release that was heard of."""

    def __init__(
        self, problem: Problem, ground: Ground, bound: float | None, progress: Progress
    ) -> None:
        self._problem, self._ground, self._progress = problem, ground, progress
        self._bound = bound
        self._best: float | None = None

    def __call__(self, checked: int, bound: float | None = None, best: float | None = None) -> None:
        """Tell; the bound of one level a column does not bound levels by cell, its best is one."""
        self._best = self._best if best is None else best
        self._progress(checked, self._bound, self._best)

    def hear_of(self, parts: Parts, dropped: Mask) -> None:
        """Score the release that these classes make, if that is quick."""
        problem, measure = self._problem, self._problem.measure
        if problem.cost is not None and len(self._ground.rows) <= MOST_SCORED:
            recoding = _build_recoding(problem, self._ground, parts, dropped)
            self._best = measure.convert_score(recoding.score(problem, measure, NO_SIZES))
            self(len(recoding.rows))


def _tell_best(progress: Progress | None, parts: Parts, dropped: Mask) -> None:
    """Score what was found so far for whoever listens."""
    if isinstance(progress, _Told):
        progress.hear_of(parts, dropped)


def _find_floors(
    problem: Problem, promises: Promises, progress: Progress | None
) -> dict[Quasi, Floors]:
    """The floors of all columns together, which show the search where nothing can be gained."""
    everything = len(problem.frequency.columns)
    for quasi in problem.requirement.quasis:
        if len(quasi.places) == everything and quasi.least_rows == promises.least > 1:
            return {quasi: Floors(problem, quasi, progress)}
    return {}


def _search_cells(
    problem: Problem,
    ground: Ground,
    promises: Promises,
    deadline: float | None,
    progress: Progress | None,
) -> tuple[CellRecoding, int]:
    """Walk, settle the remaining rows, and improve."""
    first, checked = walk(ground, promises, progress)
    home = settle(ground, promises, first, problem.limit)
    if promises.models:
        joined, more = _search_by_size(ground, promises, deadline, progress)
        checked += more
        found = [one for one in (home, joined) if one is not None]
        home = max(found, key=lambda one: _find_release_worth(ground, one), default=None)
    if home is None:
        node, passing, _ = _search_columns(problem, None, progress)
        return recode_at_levels(problem, np.tile(node, (len(passing), 1)), kept=passing), checked
    kept = np.nonzero(home >= 0)[0]
    left = problem.limit - int(ground.rows[home < 0].sum())
    if promises.divides:
        parts = build_parts(ground, kept, ground.rows[kept], home[kept])
        out = home < 0
        _tell_best(progress, parts, out)
        sweep_all(
            ground, parts, promises, SWEEPS, deadline, progress,
            lambda: _tell_best(progress, parts, out),
        )  # fmt: skip
    else:
        home = refine(ground, promises, home, deadline, progress, partial(_tell_best, progress))
        parts = build_parts(ground, kept, ground.rows[kept], home[kept])
    if left and problem.cost is not None:
        drop_outliers(ground, parts, promises, left)
    return _build_recoding(problem, ground, parts, home < 0), checked


def _search_by_size(
    ground: Ground, promises: Promises, deadline: float | None, progress: Progress | None
) -> tuple[Ints | None, int]:
    """Search by size first; then classes that break a promise join others."""
    sized = promises.about_size()
    home, checked = walk(ground, sized, progress)
    settled = settle(ground, sized, home, 0)
    if settled is None:
        return None, checked
    parts = build_parts(ground, np.arange(len(settled)), ground.rows, settled)
    sweep_all(ground, parts, sized, SWEEPS, deadline, progress)
    home = np.empty(len(settled), dtype=np.int64)
    used = int(parts.used[0])
    home[parts.owner[:used]] = np.unique(parts.home[:used], return_inverse=True)[1].reshape(-1)
    return join_failing_classes(ground, promises, home, progress), checked


def _build_recoding(problem: Problem, ground: Ground, parts: Parts, dropped: Mask) -> CellRecoding:
    """The release of the classes; parts whose class is -1 are left out."""
    used = int(parts.used[0])
    owner, rows, home = parts.owner[:used], parts.rows[:used], parts.home[:used]
    out = np.nonzero(dropped)[0]
    levels = np.where(home[:, None] >= 0, parts.level[home], ground.height)
    owner, rows = np.concatenate([owner, out]), np.concatenate([rows, ground.rows[out]])
    levels = np.vstack([levels, np.tile(ground.height, (len(out), 1))])
    kept = np.concatenate([home >= 0, np.zeros(len(out), dtype=np.bool_)])
    return recode_at_levels(problem, *_add_up_parts(owner, rows, levels, kept))


def _add_up_parts(
    owner: Ints, rows: Ints, levels: Ints, kept: Mask
) -> tuple[Ints, Ints, Ints, Mask]:
    """Parts with equal parts of a tuple merged, in the order ``recode_at_levels`` requires."""
    alike = np.column_stack([owner, kept, levels])
    order = np.lexsort(alike.T[::-1])
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (alike[order[1:]] != alike[order[:-1]]).any(axis=1)
    first = order[new]
    summed = np.add.reduceat(rows[order], np.nonzero(new)[0]) if len(order) else rows
    return levels[first], owner[first], summed, kept[first]


def _search_consistent(
    problem: Problem,
    ground: Ground,
    promises: Promises,
    seconds: float | None,
    progress: Progress | None,
) -> tuple[CellRecoding, int]:
    """The best release with one level per column, then refined for single values.

    If its classes do not keep the promises by themselves, it stays unchanged.
    """
    node, kept, home = _search_columns(problem, seconds, progress)
    left, checked = problem.limit - int(ground.rows[~kept].sum()), 1
    levels = np.tile(node, (len(kept), 1))
    failing = promises.fails(np.where(kept, home, -1), int(home.max()) + 1)
    if kept.any() and not failing[home[kept]].any():
        levels, kept, checked = find_consistent_levels(ground, promises, node, kept, left, progress)
    return recode_at_levels(problem, levels, kept=kept), checked


def _search_columns(
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
