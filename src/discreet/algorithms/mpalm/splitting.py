"""The queue of MPALM: parts of the public table, cut while a cut is allowed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.mondrian.axes import NumberAxis, TreeAxis
from discreet.algorithms.mondrian.cutting import Axis, Front
from discreet.algorithms.mondrian.mondrian import recode_front
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.frequency.classes import Classes, Floats, Ints, Mask
from discreet.frequency.frequency_list import Codes
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.numbers import show
from discreet.models.delta_presence import DeltaPresence
from discreet.models.model import ClassModel, RegisterModel

# A part of the table along one column: the pieces that a cut can keep together.


@dataclass(frozen=True, eq=False)
class Pieces:
    """The distinct numbers of a part, from low to high, or the children of its value.

    Tuple i of the part is in piece ``number[i]``; ``amounts[:, p]`` is what is counted of piece p.
    ``together`` means that only a cut between all pieces can be released without overlap.
    """

    number: Ints
    amounts: Floats
    together: bool

    def __len__(self) -> int:
        return int(self.amounts.shape[1])


def find_pieces(axis: Axis, ranks: Codes, amounts: Floats) -> Pieces | None:
    """The pieces of a part whose tuples are at ``ranks``; None if they are equal.

    Along a hierarchy the pieces are the children of the least value that covers the part. Several
    of them together could only be released as that value, which also covers the others. Each number
    is a piece; if some are missing, the pieces are all numbers, and the missing values.
    """
    low, high = int(ranks.min()), int(ranks.max())
    if low == high:
        return None
    if isinstance(axis, TreeAxis):
        below = int((axis.codes[:, low] != axis.codes[:, high]).sum()) - 1
        codes = axis.codes[below, low : high + 1]
        stretch = np.append(0, np.cumsum(codes[1:] != codes[:-1]))
        return _count_pieces(stretch[ranks - low], amounts, together=True)
    if high == axis.missing:
        return _count_pieces((ranks == high).astype(np.int64), amounts, together=True)
    return _count_pieces((ranks - low).astype(np.int64), amounts, together=False)


def count_different(ranks: Codes) -> int:
    """How many different values the tuples of a part have."""
    return int(np.count_nonzero(np.bincount(ranks - ranks.min())))


def _count_pieces(place: Ints, amounts: Floats, together: bool) -> Pieces:
    """Number the pieces that are there, and count them."""
    there = np.bincount(place) > 0
    number = (np.cumsum(there) - 1)[place]
    sums = [np.bincount(number, weights=amount) for amount in amounts]
    return Pieces(number, np.array(sums), together)


# The order in which the columns of a part are tried.


ColumnsBy = Literal["next", "priority", "best"]
COLUMNS_BY: tuple[ColumnsBy, ...] = ("next", "priority", "best")


def choose_columns(
    columns_by: ColumnsBy, order: Sequence[int], turn: int, ranks: Codes
) -> Sequence[int]:
    """The columns to try, in turn, for a part whose tuples are at ``ranks``, one line per column.

    ``order`` are the columns as the data holder ranks them; ``turn`` is the place in it of the
    column whose turn it is.

    Notes
    -----
    [Nergiz2007]_, sec. 6.2: next, priority, best.
    """
    if columns_by == "next":
        return [*order[turn:], *order[:turn]]
    if columns_by == "priority":
        return order
    return sorted(order, key=lambda column: -count_different(ranks[column]))


# Which parts of the public table are allowed, checked for many at once.


class Passing:
    """Every promise, checked for each part by itself; the counts of a part are in ``amounts``.

    ``amounts[0]`` are rows of the private table, the others people, one line per register.
    """

    def __init__(self, problem: Problem) -> None:
        frequency = problem.frequency
        models = [m for m in problem.requirement.models if isinstance(m, ClassModel)]
        self._presence = [m for m in models if isinstance(m, DeltaPresence)]
        self._others = [m for m in models if not isinstance(m, DeltaPresence)]
        registers = [m.tally for m in (*self._presence, *models) if isinstance(m, RegisterModel)]
        self._names = tuple(dict.fromkeys(registers))
        tallies = [frequency.tallies[name] for name in self._names]
        self.amounts: Floats = np.array([frequency.rows, *tallies], dtype=np.float64)
        self.people = 1 if tallies else 0

    def __call__(self, amounts: Floats) -> Mask:
        """Which of some parts keep every promise, given their ``amounts``.

        A part without rows is not released. It keeps every promise but that of presence, by which
        its people must be likely enough to be in the private table.
        """
        classes = self.classes(amounts)
        passing = np.ones(len(classes), dtype=np.bool_)
        for presence in self._presence:
            passing &= ~presence.fails(classes)
        for model in self._others:
            passing &= (classes.rows == 0) | ~model.fails(classes)
        return passing

    def classes(self, amounts: Floats) -> Classes:
        """The parts as classes for the promises."""
        tallies = dict(zip(self._names, amounts[1:], strict=True))
        return Classes(amounts[0].astype(np.int64), tallies=tallies)


# The value at which a column is cut, among those at which every side is allowed.


ValuesBy = Literal["rows", "first", "values"]
VALUES_BY: tuple[ValuesBy, ...] = ("rows", "first", "values")


def choose_value(pieces: Pieces, passing: Passing, values_by: ValuesBy) -> Ints | None:
    """The side that each piece goes to, from 0 on; None if no cut is allowed.

    Of equally good cuts the lowest is taken.

    Notes
    -----
    [Nergiz2007]_, sec. 6.2: balanced cardinality, first split, balanced attribute-values.
    """
    if pieces.together:
        return np.arange(len(pieces)) if passing(pieces.amounts).all() else None
    left = np.cumsum(pieces.amounts, axis=1)
    whole, left = left[:, -1:], left[:, :-1]
    sides = passing(np.concatenate([left, whole - left], axis=1))
    allowed = np.nonzero(sides[: left.shape[1]] & sides[left.shape[1] :])[0]
    if not len(allowed):
        return None
    counted = left[passing.people], float(whole[passing.people, 0])
    at = allowed[np.argmin(_measure_cuts(values_by, allowed, len(pieces), *counted))]
    side: Ints = (np.arange(len(pieces)) > at).astype(np.int64)
    return side


def _measure_cuts(
    values_by: ValuesBy, cuts: Ints, pieces: int, left: Floats, whole: float
) -> Floats:
    """How far each cut is from the desired one."""
    off: Floats = cuts.astype(np.float64)
    if values_by == "rows":
        off = np.abs(2 * left[cuts] - whole)
    elif values_by == "values":
        off = np.abs(2.0 * (cuts + 1) - pieces)
    return off


@dataclass(frozen=True, eq=False)
class Part:
    """Some distinct tuples of the public table, and whose turn it is in the order of columns."""

    tuples: Ints
    turn: int


class Splitting:
    """Cuts parts of the table of all public tuples, first come first served.

    ``order`` are the columns that may be cut. A part without rows of the private table is not cut:
    nothing is released of it.
    """

    def __init__(
        self,
        problem: Problem,
        axes: Sequence[Axis],
        order: Sequence[int],
        columns_by: ColumnsBy,
        values_by: ValuesBy,
    ) -> None:
        self._axes, self._order = axes, tuple(order)
        self._columns_by, self._values_by = columns_by, values_by
        self.passing = Passing(problem)
        codes = problem.frequency.codes
        self.ranks = np.array([a.rank[c] for a, c in zip(axes, codes, strict=True)])
        self._queue = deque([Part(np.arange(len(problem.frequency)), 0)])
        self.cuts = 0

    @property
    def passes(self) -> bool:
        """Whether the whole table as one part keeps the promises."""
        whole = self.passing.amounts.sum(axis=1, keepdims=True)
        return bool(self.passing(whole)[0])

    def done(self) -> Iterator[Ints | None]:
        """The tuples of each part that is not cut any further; None after each part tried."""
        while self._queue:
            part = self._queue.popleft()
            sides = self._split(part)
            if sides:
                self._queue.extend(sides)
            else:
                yield part.tuples
            yield None

    def open(self) -> list[Ints]:
        """The tuples of the parts that were not tried."""
        return [part.tuples for part in self._queue]

    def _split(self, part: Part) -> list[Part]:
        """The sides of the first cut that is allowed, if any."""
        amounts = self.passing.amounts[:, part.tuples]
        if not amounts[0].any():
            return []
        ranks = self.ranks[:, part.tuples]
        for column in choose_columns(self._columns_by, self._order, part.turn, ranks):
            seen = find_pieces(self._axes[column], ranks[column], amounts)
            if seen is None:
                continue
            self.cuts += 1
            side = choose_value(seen, self.passing, self._values_by)
            if side is not None:
                turn = (self._order.index(column) + 1) % len(self._order)
                return [Part(t, turn) for t in _split_sides(part.tuples, side[seen.number])]
        return []


def _split_sides(tuples: Ints, side: Ints) -> list[Ints]:
    """The tuples of each side."""
    order = np.argsort(side, kind="stable")
    return np.split(tuples[order], np.nonzero(np.diff(side[order]))[0] + 1)


# The released values of MPALM's parts.


def recode_boxes(
    problem: Problem, axes: tuple[Axis, ...], ranks: Codes, parts: Sequence[Ints]
) -> CellRecoding:
    """Each part's private rows as the least values and ranges that cover all its public tuples.

    Notes
    -----
    [Nergiz2007]_, algorithm 2, line 20. *Departures*: the paper takes the box of the private rows
    of a part. People of the part who are outside that box then fit no released row: they are known
    to be absent, and the others are more likely to be present than the cut allowed for. Ranges that
    look like a value of the hierarchy with another meaning are written in words.
    """
    rows = problem.frequency.rows
    shown = [part for part in parts if rows[part].any()]
    low = np.array([ranks[:, part].min(axis=1) for part in shown], dtype=np.int64)
    high = np.array([ranks[:, part].max(axis=1) for part in shown], dtype=np.int64)
    own = [part[rows[part] > 0] for part in shown]
    owner = np.concatenate(own)
    length = np.array([len(part) for part in own])
    start = np.cumsum(length) - length
    size = np.add.reduceat(rows[owner], start)
    none = np.zeros(len(shown), dtype=np.int64)
    front = Front(owner, rows[owner], ranks[:, owner], start, size, low, high, low, none)
    recoding = recode_front(problem, axes, front)
    first = np.searchsorted(recoding.owner, owner[start])
    values = list(recoding.values)
    for c, axis in enumerate(axes):
        if isinstance(axis, NumberAxis):
            hierarchy, labels = problem.lattice.hierarchies[c], list(values[c].labels)
            for code, a, b in zip(recoding.codes[c][first], low[:, c], high[:, c], strict=True):
                labels[code] = _disambiguate_range(axis, hierarchy, labels[code], a, b)
            values[c] = replace(values[c], labels=tuple(labels))
    return replace(recoding, values=tuple(values))


def _disambiguate_range(
    axis: NumberAxis, hierarchy: Hierarchy, text: str | None, low: int, high: int
) -> str | None:
    """``20 to 24`` where ``20-24`` is a value of the hierarchy that stands for other numbers.

    A single number that is written in another way or in several ways is a range too: ``7 to 7``.
    """
    if high == axis.missing:
        return text
    units, places = axis.numbers
    in_words = f"{show(int(units[low]), places)} to {show(int(units[high]), places)}"
    if low == high:
        # 7, +7 and 7.0 are one number; released as 7 it would not be read as the others.
        same = [hierarchy.labels[0][code] for code in np.flatnonzero(axis.rank == low)]
        if same != [text]:
            return in_words
    for codes, labels in zip(hierarchy.maps, hierarchy.labels, strict=True):
        if text in labels:
            under = axis.rank[codes == labels.index(text)]
            if (under.min(), under.max()) != (low, high):
                return in_words
    return text
