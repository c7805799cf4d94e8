"""The queue of MPALM: parts of the public table, cut while a cut is allowed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np

from discreet.algorithms.mondrian_cuts.cutting import Axis
from discreet.algorithms.presence_cuts.choose_column import ColumnsBy, choose_columns
from discreet.algorithms.presence_cuts.choose_value import ValuesBy, choose_value
from discreet.algorithms.presence_cuts.passing import Passing
from discreet.algorithms.presence_cuts.pieces import pieces
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.frequency.classes import Ints


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
        """The tuples of each part that is not cut any further; None after each part looked at."""
        while self._queue:
            part = self._queue.popleft()
            sides = self._split(part)
            if sides:
                self._queue.extend(sides)
            else:
                yield part.tuples
            yield None

    def open(self) -> list[Ints]:
        """The tuples of the parts that were not looked at."""
        return [part.tuples for part in self._queue]

    def _split(self, part: Part) -> list[Part]:
        """The sides of the first cut that is allowed, if any."""
        amounts = self.passing.amounts[:, part.tuples]
        if not amounts[0].any():
            return []
        ranks = self.ranks[:, part.tuples]
        for column in choose_columns(self._columns_by, self._order, part.turn, ranks):
            seen = pieces(self._axes[column], ranks[column], amounts)
            if seen is None:
                continue
            self.cuts += 1
            side = choose_value(seen, self.passing, self._values_by)
            if side is not None:
                turn = (self._order.index(column) + 1) % len(self._order)
                return [Part(t, turn) for t in _sides(part.tuples, side[seen.number])]
        return []


def _sides(tuples: Ints, side: Ints) -> list[Ints]:
    """The tuples of each side."""
    order = np.argsort(side, kind="stable")
    return np.split(tuples[order], np.nonzero(np.diff(side[order]))[0] + 1)
