"""The recursion, all classes of a depth at once: cut while a cut is allowed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.algorithms.mondrian_cuts.cut import Cut, Side
from discreet.algorithms.mondrian_cuts.front import Front, joined
from discreet.algorithms.mondrian_cuts.number_axis import NumberAxis
from discreet.algorithms.mondrian_cuts.passing import Passing
from discreet.algorithms.mondrian_cuts.tree_axis import TreeAxis
from discreet.algorithms.problem import Problem
from discreet.frequency.classes import Floats, Ints, Mask
from discreet.frequency.frequency_list import Codes

Axis = TreeAxis | NumberAxis


class Cutting:
    """Cuts every open class along the column that is its turn.

    Where every side passes, the sides take the class's place; else the class tries its next column,
    and is done when it has none left.
    """

    def __init__(self, problem: Problem, axes: Sequence[Axis], passing: Passing) -> None:
        self._axes, self._passing = tuple(axes), passing
        self._weights: Floats = problem.table.weights
        frequency = problem.frequency
        ranks = [axis.rank[codes] for axis, codes in zip(axes, frequency.codes, strict=True)]
        owner = np.arange(len(frequency))
        start = np.zeros(1, dtype=np.int64)
        self._begin = self._measured(owner, frequency.rows, np.array(ranks), start)
        self.cuts = 0

    @property
    def passes(self) -> bool:
        """Whether the whole table as one class keeps the promises."""
        top = self._begin
        place, wanted = np.zeros(len(top.owner), dtype=np.int64), np.ones(1, dtype=np.bool_)
        return bool(self._passing(top.owner, place, top.size, wanted)[0])

    def begin(self) -> tuple[Front, Front]:
        """The whole table as one class, as an open and a done part."""
        return self._sorted_out(self._begin)

    def step(self, front: Front) -> tuple[Front, Front]:
        """The classes that are open after one cut each, and those that are done."""
        self.cuts += len(front)
        owner, rows, ranks, place, child = self._children(front)
        order, first, group = _grouped(place, child)
        size = np.add.reduceat(rows[order], first)
        above = place[order][first]
        sides = np.bincount(above, minlength=len(front))
        enough = np.bincount(above, size >= self._passing.least, len(front)) == sides
        wanted = (enough & (sides > 1))[above]
        passing = self._passing(owner, group, size, wanted)
        allowed = (np.bincount(above, passing, len(front)) == sides) & (sides > 1)
        taken = order[allowed[place[order]]]
        fresh = np.nonzero(np.diff(group[taken], prepend=-1))[0]
        cut = self._measured(owner[taken], rows[taken], ranks[:, taken], fresh)
        return self._sorted_out(joined([front.only(~allowed).next_turn(), cut]))

    def _children(self, front: Front) -> tuple[Ints, Ints, Codes, Ints, Ints]:
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

    def _measured(self, owner: Ints, rows: Ints, ranks: Codes, start: Ints) -> Front:
        """Classes that are new: where they lie, and the widest column first."""
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

    def _sorted_out(self, front: Front) -> tuple[Front, Front]:
        still = front.open(self._passing.least)
        return front.only(still), front.only(~still)


def _grouped(place: Ints, child: Ints) -> tuple[Ints, Ints, Ints]:
    """Parts in the order of their class and child, where each pair begins, each part's pair."""
    key = place * (int(child.max()) + 1) + child
    order = np.argsort(key, kind="stable")
    new: Mask = np.diff(key[order], prepend=-1) != 0
    group = np.empty(len(key), dtype=np.int64)
    group[order] = np.cumsum(new) - 1
    return order, np.nonzero(new)[0], group
