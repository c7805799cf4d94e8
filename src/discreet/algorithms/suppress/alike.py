"""Blanks as values: there must be k rows with the same blanks and the same rest."""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np
import numpy.typing as npt

from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.algorithms.suppress.integer_program import Program, Rounded
from discreet.algorithms.suppress.patterns import Patterns
from discreet.display import dataclass
from discreet.errors import InternalError
from discreet.frequency.class_counter import Groups
from discreet.frequency.classes import Floats, Ints, Mask, add_up

# Classes of rows with the same blanks, while a release is being built.


Places = npt.NDArray[np.int64]


@dataclass(eq=False)
class Parts:
    """Rows of tuples, each with the pattern of its blanks; ``left`` are rows without one yet.

    ``placed[p]`` lists the tuples that pattern p blanks, and the rows of each.
    """

    problem: Problem
    patterns: Patterns
    k: int
    left: Ints
    placed: dict[int, list[tuple[Places, Ints]]] = field(default_factory=dict)
    _spare: dict[int, tuple[Places, Ints]] = field(default_factory=dict)

    def at(self, pattern: int) -> tuple[Places, Ints]:
        """The tuples that a pattern blanks, each once, and the number of rows of each."""
        pieces = self.placed.get(pattern, [])
        if not pieces:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        owner = np.concatenate([piece[0] for piece in pieces])
        rows = np.concatenate([piece[1] for piece in pieces])
        different, place = np.unique(owner, return_inverse=True)
        summed = np.bincount(place, weights=rows).astype(np.int64)
        here = summed > 0
        self.placed[pattern] = [(different[here], summed[here])]
        return self.placed[pattern][0]

    def place(self, pattern: int, owner: Places, rows: Ints) -> None:
        """Blank rows of tuples by a pattern; a negative number takes rows back."""
        if len(owner):
            self.placed.setdefault(pattern, []).append((owner, rows))
            self._spare.pop(pattern, None)

    def list_spare(self, pattern: int) -> tuple[Places, Ints]:
        """Tuples that a pattern blanks, and the rows of each that its classes can spare."""
        if pattern not in self._spare:
            owner, rows = self.at(pattern)
            number, size = self.numbers(pattern, owner)
            order = np.argsort(number, kind="stable")
            owner, rows, number = owner[order], rows[order], number[order]
            over = add_up(number, rows, size).astype(np.int64) - self.k
            given = take_in_turn(number, rows, over)
            self._spare[pattern] = owner[given > 0], given[given > 0]
        return self._spare[pattern]

    def numbers(self, pattern: int, owner: Places) -> tuple[Places, int]:
        """The class of each tuple on the columns that a pattern leaves, and how many there are."""
        if pattern == 0:
            different, number = np.unique(owner, return_inverse=True)
            return number, len(different)
        base = self.problem.counter.base
        some = Groups(
            base.node,
            np.ascontiguousarray(base.keys[:, owner]),
            np.ones(len(owner), dtype=np.int64),
            np.zeros((0, len(owner))),
            {},
        )
        classes, inverse = self.problem.counter.project(some, self.patterns.list_kept(pattern))
        return inverse.astype(np.int64), len(classes)


def take_in_turn(group: Places, rows: Ints, wanted: Ints) -> Ints:
    """How much each member of sorted groups gives, in order, until its group has enough."""
    before = np.cumsum(rows) - rows
    first = np.searchsorted(group, group)
    taken: Ints = np.clip(wanted[group] - (before - before[first]), 0, rows)
    return taken


# Rows that classes can spare fill up a group that is too small.


@dataclass(frozen=True, eq=False)
class Lenders:
    """Tuples, the pattern that blanks them now, available rows of each, and the price of one."""

    owner: Places
    source: Places
    rows: Ints
    price: Floats


def list_spare_rows(parts: Parts, pattern: int, free: bool) -> Lenders:
    """Rows of all other patterns that can be spared; if ``free``, only those that lose nothing."""
    cost = parts.patterns.cost
    sources = [p for p in parts.placed if p != pattern and (not free or cost[p] >= cost[pattern])]
    pieces = [parts.list_spare(source) for source in sources]
    none = np.zeros(0, dtype=np.int64)
    source = np.repeat(np.array(sources, dtype=np.int64), [len(owner) for owner, _ in pieces])
    return Lenders(
        np.concatenate([none, *(owner for owner, _ in pieces)]),
        source,
        np.concatenate([none, *(rows for _, rows in pieces)]),
        cost[pattern] - cost[source],
    )


def list_whole_classes(parts: Parts, pattern: int) -> Lenders:
    """Classes of rows that are safe as they are, each available as a whole."""
    owner, rows = parts.at(0)
    price = parts.patterns.cost[pattern] * rows
    return Lenders(owner, np.zeros(len(owner), dtype=np.int64), rows, price)


def lend_rows(parts: Parts, pattern: int, wanting: Places, lenders: Lenders, whole: bool) -> Mask:
    """Blank lenders' rows by a pattern if that gives groups of ``wanting`` tuples k rows.

    The cheapest rows are taken first. Marks the tuples whose group has k rows now.
    """
    group, size = parts.numbers(pattern, np.concatenate([wanting, lenders.owner]))
    mine, theirs = group[: len(wanting)], group[len(wanting) :]
    lacking = parts.k - add_up(mine, parts.left[wanting], size).astype(np.int64)
    lacking[np.bincount(mine, minlength=size) == 0] = 0
    enough = add_up(theirs, lenders.rows, size) >= lacking
    lacking[~enough] = 0
    order = np.lexsort((lenders.price, theirs))
    taken = np.zeros(len(theirs), dtype=np.int64)
    taken[order] = take_in_turn(theirs[order], lenders.rows[order], lacking)
    if whole:
        taken = np.where(taken > 0, lenders.rows, 0)
    for source in np.unique(lenders.source[taken > 0]):
        here = (lenders.source == source) & (taken > 0)
        parts.place(int(source), lenders.owner[here], -taken[here])
    parts.place(pattern, lenders.owner[taken > 0], taken[taken > 0])
    marked: Mask = enough[mine]
    return marked


STEPS = 5
"""How many sizes of a group that is too small are distinguished."""


def cover(problem: Problem, patterns: Patterns, k: int, progress: Progress | None = None) -> Parts:
    """Put rows into classes, those with the least cost per helped row first.

    A group of rows that agree on the columns a pattern leaves becomes a class if it has k rows
    without a class, or if it gets k with rows that other classes can spare, or with a whole class
    of rows that were safe as they are. Rows that fit a class join it. Remaining rows are left out,
    if the policy allows that many, or join blank rows.
    """
    rows = problem.frequency.rows
    parts = Parts(problem, patterns, k, np.where(rows >= k, 0, rows))
    safe = np.nonzero(rows >= k)[0]
    parts.place(0, safe, rows[safe])
    largest: dict[int, int] = {}
    for turn, (cost, pattern, least, whole) in enumerate(_list_turns(patterns, k)):
        may_be_left_out = problem.limit if cost > patterns.cost[-1] else 0
        if parts.left.sum() <= may_be_left_out:
            break
        if progress is not None:
            progress(turn)
        if largest.get(pattern, k) >= least:
            largest[pattern] = _open(parts, pattern, least, whole)
    if parts.left.sum() > problem.limit:
        _blank_more(parts)
    return parts


def _list_turns(patterns: Patterns, k: int) -> list[tuple[float, int, int, bool]]:
    """Cost per row, pattern, least rows without a class in a group, if classes may be dissolved.

    In rising order of cost.
    """
    sizes = sorted({max(1, math.ceil(k * step / STEPS)) for step in range(1, STEPS + 1)})
    turns = [
        (round(float(cost) * (k + whole * size) / size, 9), pattern, size, whole)
        for pattern, cost in enumerate(patterns.cost)
        for size in sizes
        for whole in (False, True)
        if pattern and not (whole and size == k)
    ]
    return sorted(turns)


def _open(parts: Parts, pattern: int, least: int, whole: bool) -> int:
    """Make classes of one pattern, and let rows join its existing ones.

    Returns the rows of the largest group left without a class.
    """
    mine = np.nonzero(parts.left)[0]
    has, _ = parts.at(pattern)
    number, size = parts.numbers(pattern, np.concatenate([mine, has]))
    exists = np.zeros(size, dtype=np.bool_)
    exists[number[len(mine) :]] = True
    number = number[: len(mine)]
    waiting = add_up(number, parts.left[mine], size).astype(np.int64)
    joins = (exists | (waiting >= parts.k))[number]
    if not joins.all() and least == parts.k:
        lenders = list_spare_rows(parts, pattern, free=True)
        joins[~joins] = lend_rows(parts, pattern, mine[~joins], lenders, whole=False)
    short = ~joins & (waiting >= least)[number]
    if short.any():
        lenders = (
            list_whole_classes(parts, pattern)
            if whole
            else list_spare_rows(parts, pattern, free=False)
        )
        joins[short] = lend_rows(parts, pattern, mine[short], lenders, whole)
    chosen = mine[joins]
    parts.place(pattern, chosen, parts.left[chosen])
    parts.left[chosen] = 0
    return int(waiting[number[~joins]].max(initial=0))


def _blank_more(parts: Parts) -> None:
    """Blank everything in the remaining rows, and in as many others as are needed for k.

    They are taken from the class that loses least: some of its rows if it stays large enough, or
    all of them.
    """
    last = len(parts.patterns) - 1
    lacking = parts.k - int(parts.left.sum())
    best: tuple[float, int, Places, Ints] | None = None
    for pattern in list(parts.placed):
        owner, rows = parts.at(pattern)
        number, size = parts.numbers(pattern, owner)
        held = add_up(number, rows, size).astype(np.int64)
        wanted = np.where(held - lacking >= parts.k, lacking, held)
        if not size:
            continue
        chosen = int(wanted.argmin())
        price = float(wanted[chosen] * (parts.patterns.cost[last] - parts.patterns.cost[pattern]))
        if best is None or price < best[0]:
            mine = np.nonzero(number == chosen)[0]
            given = take_in_turn(np.zeros(len(mine), dtype=np.int64), rows[mine], wanted[[chosen]])
            best = price, pattern, owner[mine], given
    if best is None:
        raise InternalError("no class is left to take rows from")
    _, pattern, owner, given = best
    left = np.nonzero(parts.left)[0]
    parts.place(pattern, owner, -given)
    parts.place(last, np.concatenate([owner, left]), np.concatenate([given, parts.left[left]]))
    parts.left[left] = 0


# The fewest blanks where blanks are values, by an integer program.


def solve_exact_cover(
    problem: Problem, patterns: Patterns, k: int, seconds: float | None
) -> tuple[Parts, Rounded] | None:
    """Each row goes to a class that fits it or is left out; each class in use has k rows.

    None if there is no answer in time. Classes that look the same need not be distinguished, so a
    class is a pattern and the values it leaves.
    """
    rows = problem.frequency.rows
    tuples = np.arange(len(rows))
    parts = Parts(problem, patterns, k, rows.copy())
    program = Program()
    out = program.add(np.full(len(rows), patterns.cost[-1]), rows)
    share = [(tuples, out)]
    for pattern in range(len(patterns)):
        number, size = parts.numbers(pattern, tuples)
        fits = np.bincount(number, weights=rows, minlength=size)[number] >= k
        used = program.add(np.zeros(size), np.ones(size), whole=True)
        here = program.add(np.full(int(fits.sum()), patterns.cost[pattern]), rows[fits])
        mine = number[fits]
        program.rows([(mine, here, 1.0), (np.arange(size), used, -float(k))], 0.0, np.inf)
        each = np.arange(len(here))
        program.rows([(each, here, 1.0), (each, used[mine], -rows[fits])], -np.inf, 0.0)
        share.append((tuples[fits], here))
    program.rows([(owner, column, 1.0) for owner, column in share], rows, rows)
    program.rows([(np.zeros(len(out), dtype=np.int64), out, 1.0)], 0.0, problem.limit)
    found = program.solve(seconds)
    if found is None:
        return None
    for pattern, (owner, column) in enumerate(share[1:]):
        placed = np.rint(found.values[column]).astype(np.int64)
        parts.place(pattern, owner[placed > 0], placed[placed > 0])
        np.subtract.at(parts.left, owner, placed)
    return parts, found
