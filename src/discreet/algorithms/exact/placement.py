"""Which rows go into which box."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import field
from typing import TypeVar

import numpy as np

from discreet.algorithms.cell_recoding import CellRecoding, recode_at_levels
from discreet.algorithms.exact.boxes import Boxes
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.frequency.classes import Ints, add_up


@dataclass(frozen=True, eq=False)
class Placement:
    """How many rows each pair of a tuple and a box gets; the rest of a tuple's rows is left out."""

    boxes: Boxes
    rows: Ints

    @property
    def left_out(self) -> Ints:
        """Rows of each tuple that are left out."""
        boxes = self.boxes
        placed = add_up(boxes.member, self.rows, len(boxes.rows))
        return boxes.rows - placed.astype(np.int64)

    @property
    def cost(self) -> float:
        """The cost of the placement, including rows that are left out."""
        boxes = self.boxes
        return float((self.rows * boxes.cost).sum() + (self.left_out * boxes.whole).sum())

    @property
    def valid(self) -> bool:
        """Whether all rows are placed or validly left out, and each class has k rows."""
        out, sizes = self.left_out, add_up(self.boxes.box, self.rows, len(self.boxes))
        allowed = (out >= 0).all() and int(out.sum()) <= self.boxes.limit
        return bool(allowed and ((sizes == 0) | (sizes >= self.boxes.k)).all())

    def recoding(self, problem: Problem) -> CellRecoding:
        """The release."""
        used = np.nonzero(self.rows)[0]
        out = np.nonzero(self.left_out)[0]
        blank = np.zeros((len(out), self.boxes.levels.shape[1]), dtype=np.int64)
        kept = np.arange(len(used) + len(out)) < len(used)
        return recode_at_levels(
            problem,
            np.concatenate([self.boxes.levels[used].astype(np.int64), blank]),
            np.concatenate([self.boxes.member[used], out]),
            np.concatenate([self.rows[used], self.left_out[out]]),
            kept,
        )


# Time limit and progress of a search.


Result = TypeVar("Result")

EVERY = 0.1
"""Seconds between two checks whether the solver is done."""


@dataclass
class Clock:
    """A time limit from ``start``; ``report`` gets the bound and the best cost, and may raise."""

    seconds: float
    report: Callable[[float, float | None], None]
    start: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self.start + self.seconds - time.monotonic()

    @property
    def out(self) -> bool:
        """Whether time is up."""
        return self.left <= 0

    def run(self, work: Callable[[], Result], bound: float, best: float | None) -> Result:
        """Run long work of the solver in another thread, so that Ctrl-C works meanwhile."""
        results: list[Result] = []
        failures: list[BaseException] = []

        def target() -> None:
            try:
                results.append(work())
            except BaseException as error:  # noqa: BLE001  handed on below
                failures.append(error)

        thread = threading.Thread(target=target, daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(EVERY)
            self.report(bound, best)
        if failures:
            raise failures[0]
        return results[0]


# The choice among releases of equal loss.


Key = tuple[tuple[int, ...], int, tuple[int, ...], tuple[tuple[int, ...], ...]]


def rank_by_preference(problem: Problem, placement: Placement) -> Key:
    """Sort key: the levels of the preferred columns, summed over rows; smaller is better.

    Then fewer suppressed rows, then lower levels in the order of the columns, then the levels of
    the single tuples. A row that is left out counts as one level above each root.
    """
    used = np.nonzero(placement.rows)[0]
    levels = placement.boxes.levels[used].astype(np.int64)
    out = placement.left_out
    above = np.array([h.height + 1 for h in problem.lattice.hierarchies])
    sums = placement.rows[used] @ levels + above * int(out.sum())
    by_column = tuple(sums.tolist())
    rows = np.column_stack([placement.boxes.member[used], levels, placement.rows[used]])
    single = tuple(sorted(tuple(row) for row in rows.tolist()))
    return tuple(by_column[c] for c in problem.prefer), int(out.sum()), by_column, single
