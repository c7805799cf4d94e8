"""The recursion, for all classes of a depth at once: cut while a cut is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from discreet.algorithms.cell_recoding import sum_entries_by_class
from discreet.algorithms.claims import find_least_class_size
from discreet.algorithms.mondrian.axes import Cut, NumberAxis, Side, TreeAxis
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.frequency.classes import Classes, Floats, Histogram, Ints, Mask
from discreet.frequency.frequency_list import Codes

# Classes while they are being cut: their parts in a row, and their ranges.


@dataclass(frozen=True, eq=False)
class Front:
    """Some classes, the parts of each in a row.

    Part i is ``rows[i]`` rows of the distinct tuple ``owner[i]``, at ``ranks[c, i]`` on the axis of
    column c. Class p begins at part ``start[p]``, has ``size[p]`` rows, and lies from ``low[p]`` to
    ``high[p]``, a rank a column. Its columns are tried in the order ``order[p]``; ``turn[p]`` of
    them have been tried.
    """

    owner: Ints
    rows: Ints
    ranks: Codes
    start: Ints
    size: Ints
    low: Ints
    high: Ints
    order: Ints
    turn: Ints

    def __len__(self) -> int:
        return len(self.start)

    @property
    def place(self) -> Ints:
        """The class of each part."""
        return np.repeat(np.arange(len(self)), self._lengths)

    @property
    def column(self) -> Ints:
        """The column that each class is cut along next."""
        found: Ints = self.order[np.arange(len(self)), self.turn]
        return found

    @property
    def _lengths(self) -> Ints:
        return np.diff(np.append(self.start, len(self.owner)))

    def open(self, least: int) -> Mask:
        """Classes that are large enough to be cut and have a column left that they differ in."""
        tried = self.turn >= self.order.shape[1]
        column = self.order[np.arange(len(self)), np.where(tried, 0, self.turn)]
        each = np.arange(len(self))
        differs = self.low[each, column] < self.high[each, column]
        found: Mask = ~tried & differs & (self.size >= 2 * least)
        return found

    def select(self, wanted: Mask) -> Front:
        """Some of the classes."""
        if wanted.all():
            return self
        inside, length = np.repeat(wanted, self._lengths), self._lengths[wanted]
        return Front(
            self.owner[inside],
            self.rows[inside],
            self.ranks[:, inside],
            np.cumsum(length) - length,
            self.size[wanted],
            self.low[wanted],
            self.high[wanted],
            self.order[wanted],
            self.turn[wanted],
        )

    def next_turn(self) -> Front:
        """The same classes, to be cut along their next column."""
        return replace(self, turn=self.turn + 1)


def join_fronts(fronts: Sequence[Front]) -> Front:
    """All classes of several fronts."""
    parts = np.cumsum([0, *(len(front.owner) for front in fronts)])
    return Front(
        np.concatenate([front.owner for front in fronts]),
        np.concatenate([front.rows for front in fronts]),
        np.concatenate([front.ranks for front in fronts], axis=1),
        np.concatenate([f.start + before for f, before in zip(fronts, parts, strict=False)]),
        np.concatenate([front.size for front in fronts]),
        np.concatenate([front.low for front in fronts]),
        np.concatenate([front.high for front in fronts]),
        np.concatenate([front.order for front in fronts]),
        np.concatenate([front.turn for front in fronts]),
    )


# Which classes are allowed: the promises, checked for many classes at once.


class Passing:
    """Every promise, checked for each class by itself.

    Promises are closed under union, so a release whose classes all pass keeps every promise, also
    those for some of the columns, whose classes are unions of the released ones.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.least = find_least_class_size(problem)
        quasis = problem.requirement.quasis
        models = [model for quasi in quasis for model in quasi.class_models]
        self._models = [model for model in models if model.sensitive is not None]

    def __call__(self, owner: Ints, group: Ints, size: Ints, wanted: Mask) -> Mask:
        """Which of the ``wanted`` classes pass, given the class of each part and their sizes.

        The tuples in ``owner`` are distinct if a promise is about sensitive values.
        """
        passing = wanted & (size >= self.least)
        if not self._models or not passing.any():
            return passing
        number = np.where(passing, np.cumsum(passing) - 1, -1)
        home = np.full(len(self._problem.frequency), -1, dtype=np.int64)
        home[owner] = number[group]
        left = np.ones(int(passing.sum()), dtype=np.bool_)
        classes = self._make_classes(home, size[passing])
        for model in self._models:
            if left.any():
                left[left] = ~model.fails(classes.select(left))
        passing[passing] = left
        return passing

    def _make_classes(self, home: Ints, size: Ints) -> Classes:
        histograms = {}
        for name, entries in self._problem.frequency.sensitive.items():
            reference = self._problem.counter.references[name]
            here = sum_entries_by_class(entries, home, len(reference.counts))
            histograms[name] = Histogram(here.owner, here.value, here.count, reference)
        return Classes(size, histograms)


Axis = TreeAxis | NumberAxis


class Cutting:
    """Cuts every open class along its next column.

    If every side passes, the sides replace the class; otherwise the class tries its next column,
    and is done when it has none left.
    """

    def __init__(self, problem: Problem, axes: Sequence[Axis], passing: Passing) -> None:
        self._axes, self._passing = tuple(axes), passing
        self._weights: Floats = problem.table.weights
        frequency = problem.frequency
        ranks = [axis.rank[codes] for axis, codes in zip(axes, frequency.codes, strict=True)]
        owner = np.arange(len(frequency))
        start = np.zeros(1, dtype=np.int64)
        self._begin = self._measure_classes(owner, frequency.rows, np.array(ranks), start)
        self.cuts = 0

    @property
    def passes(self) -> bool:
        """Whether the whole table as one class keeps the promises."""
        top = self._begin
        place, wanted = np.zeros(len(top.owner), dtype=np.int64), np.ones(1, dtype=np.bool_)
        return bool(self._passing(top.owner, place, top.size, wanted)[0])

    def begin(self) -> tuple[Front, Front]:
        """The whole table as one class, as an open and a done part."""
        return self._sort_out_done(self._begin)

    def step(self, front: Front) -> tuple[Front, Front]:
        """The classes that are open after one cut each, and those that are done."""
        self.cuts += len(front)
        owner, rows, ranks, place, child = self._divide_parts(front)
        order, first, group = _group_parts(place, child)
        size = np.add.reduceat(rows[order], first)
        above = place[order][first]
        sides = np.bincount(above, minlength=len(front))
        enough = np.bincount(above, size >= self._passing.least, len(front)) == sides
        wanted = (enough & (sides > 1))[above]
        passing = self._passing(owner, group, size, wanted)
        allowed = (np.bincount(above, passing, len(front)) == sides) & (sides > 1)
        taken = order[allowed[place[order]]]
        fresh = np.nonzero(np.diff(group[taken], prepend=-1))[0]
        cut = self._measure_classes(owner[taken], rows[taken], ranks[:, taken], fresh)
        return self._sort_out_done(join_fronts([front.select(~allowed).next_turn(), cut]))

    def _divide_parts(self, front: Front) -> tuple[Ints, Ints, Codes, Ints, Ints]:
        """The parts, some of them divided in two, with their class and the child they go to."""
        place, column = front.place, front.column
        child = np.zeros(len(front.owner), dtype=np.int64)
        divided, stay = [], []
        for c in np.unique(column):
            here = np.nonzero((column == c)[place])[0]
            cut = self._cut(front, int(c), place, here)
            child[here] = cut.child
            divided.append(here[cut.divided])
            stay.append(cut.stay)
        twice, left = np.concatenate(divided), np.concatenate(stay)
        rows = front.rows.copy()
        rows[twice] = left
        return (
            np.append(front.owner, front.owner[twice]),
            np.append(rows, front.rows[twice] - left),
            np.append(front.ranks, front.ranks[:, twice], axis=1),
            np.append(place, place[twice]),
            np.append(child, np.ones(len(twice), dtype=np.int64)),
        )

    def _cut(self, front: Front, column: int, place: Ints, here: Ints) -> Cut:
        classes, number = np.unique(place[here], return_inverse=True)
        side = Side(
            front.ranks[column, here],
            front.rows[here],
            number,
            front.low[classes, column],
            front.high[classes, column],
        )
        return self._axes[column].cut(side)

    def _measure_classes(self, owner: Ints, rows: Ints, ranks: Codes, start: Ints) -> Front:
        """New classes: their ranges, and their columns from the widest."""
        columns, classes = len(self._axes), len(start)
        if not classes:
            none = np.zeros((0, columns), dtype=np.int64)
            return Front(owner, rows, ranks, start, rows[:0], none, none, none, start)
        low = np.minimum.reduceat(ranks, start, axis=1).T.astype(np.int64)
        high = np.maximum.reduceat(ranks, start, axis=1).T.astype(np.int64)
        width = np.empty((classes, columns))
        for c, axis in enumerate(self._axes):
            width[:, c] = axis.width(low[:, c], high[:, c]) * self._weights[c]
        order = np.argsort(np.where(low < high, -width, np.inf), axis=1, kind="stable")
        size, turn = np.add.reduceat(rows, start), np.zeros(classes, dtype=np.int64)
        return Front(owner, rows, ranks, start, size, low, high, order, turn)

    def _sort_out_done(self, front: Front) -> tuple[Front, Front]:
        still = front.open(self._passing.least)
        return front.select(still), front.select(~still)


def _group_parts(place: Ints, child: Ints) -> tuple[Ints, Ints, Ints]:
    """Parts in the order of their class and child, where each pair begins, each part's pair."""
    key = place * (int(child.max()) + 1) + child
    order = np.argsort(key, kind="stable")
    new: Mask = np.diff(key[order], prepend=-1) != 0
    group = np.empty(len(key), dtype=np.int64)
    group[order] = np.cumsum(new) - 1
    return order, np.nonzero(new)[0], group
