"""Which rows go into which box."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.cell_recoding import CellRecoding, at_levels
from discreet.algorithms.exact_search.boxes import Boxes
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
        """What the placement costs, rows that are left out included."""
        boxes = self.boxes
        return float((self.rows * boxes.cost).sum() + (self.left_out * boxes.whole).sum())

    @property
    def valid(self) -> bool:
        """Whether each row is placed or left out, no more than allowed, and each class has k."""
        out, sizes = self.left_out, add_up(self.boxes.box, self.rows, len(self.boxes))
        allowed = (out >= 0).all() and int(out.sum()) <= self.boxes.limit
        return bool(allowed and ((sizes == 0) | (sizes >= self.boxes.k)).all())

    def recoding(self, problem: Problem) -> CellRecoding:
        """The release."""
        used = np.nonzero(self.rows)[0]
        out = np.nonzero(self.left_out)[0]
        blank = np.zeros((len(out), self.boxes.levels.shape[1]), dtype=np.int64)
        kept = np.arange(len(used) + len(out)) < len(used)
        return at_levels(
            problem,
            np.concatenate([self.boxes.levels[used].astype(np.int64), blank]),
            np.concatenate([self.boxes.member[used], out]),
            np.concatenate([self.rows[used], self.left_out[out]]),
            kept,
        )
