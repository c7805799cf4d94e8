"""A release to start from: everything in the root box, then boxes are opened and closed."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.exact_search.boxes import Boxes
from discreet.algorithms.exact_search.placement import Placement
from discreet.algorithms.exact_search.row_prices import RowPrices
from discreet.frequency.classes import Floats, Ints

ROUNDS = 8
"""How often all boxes are tried again."""


def first_placement(boxes: Boxes, prices: RowPrices) -> Placement:
    """Open the boxes of the linear program where that gains, those it uses most first.

    Then close boxes whose rows are cheaper elsewhere, and begin again until nothing changes. All
    rows of a tuple stay together.
    """
    amount = np.zeros(len(boxes))
    np.add.at(amount, [c.box for c in prices.classes], prices.amounts)
    order = sorted({c.box for c in prices.classes}, key=lambda b: (-amount[b], b))
    rooms = _Rooms(boxes)
    for _ in range(ROUNDS):
        opened = [rooms.open(box) for box in order]
        closed = [rooms.close(box) for box in order]
        if not any(opened) and not any(closed):
            break
    rows = np.zeros(len(boxes.member), dtype=np.int64)
    rows[rooms.home] = boxes.rows
    return Placement(boxes, rows)


class _Rooms:
    """Which pair each tuple is in, and how many rows each box has."""

    def __init__(self, boxes: Boxes) -> None:
        self._boxes, self._box = boxes, boxes.box
        first, end = boxes.start[boxes.root], boxes.start[boxes.root + 1]
        self.home = np.empty(len(boxes.rows), dtype=np.int64)
        self.home[boxes.member[first:end]] = np.arange(first, end)
        self._sizes = np.zeros(len(boxes), dtype=np.int64)
        self._sizes[boxes.root] = boxes.rows.sum()
        self._pairs = np.argsort(boxes.member, kind="stable")
        self._start = np.searchsorted(boxes.member[self._pairs], np.arange(len(boxes.rows) + 1))

    def open(self, box: int) -> bool:
        """Take in the rows that gain, as long as what stays behind is a class or nothing."""
        boxes = self._boxes
        pairs = np.arange(boxes.start[box], boxes.start[box + 1])
        gain: Floats = boxes.cost[self.home[boxes.member[pairs]]] - boxes.cost[pairs]
        order = pairs[np.argsort(-gain, kind="stable")][: int((gain > 1e-12).sum())]
        source, amount = self._box[self.home[boxes.member[order]]], boxes.rows[boxes.member[order]]
        coming = np.ones(len(order), dtype=np.bool_)
        for one in np.unique(source):
            here = np.nonzero(source == one)[0]
            left = self._sizes[one] - np.cumsum(amount[here])
            coming[here] = (left >= boxes.k) | (left[-1] == 0)
        if not coming.any() or self._sizes[box] + int(amount[coming].sum()) < boxes.k:
            return False
        self._move(order[coming])
        return True

    def close(self, box: int) -> bool:
        """Send all rows to the cheapest other boxes in use, if that gains."""
        boxes = self._boxes
        inside = np.nonzero(self._box[self.home] == box)[0]
        targets = []
        for one in inside.tolist():
            pairs = self._pairs[self._start[one] : self._start[one + 1]]
            pairs = pairs[(self._sizes[self._box[pairs]] > 0) & (self._box[pairs] != box)]
            if not len(pairs):
                return False
            targets.append(pairs[boxes.cost[pairs].argmin()])
        rows = boxes.rows[inside]
        gain = (boxes.cost[self.home[inside]] - boxes.cost[targets]) @ rows if targets else 0.0
        if gain <= 1e-9:
            return False
        self._move(np.array(targets))
        return True

    def _move(self, pairs: Ints) -> None:
        """Put tuples into other pairs."""
        boxes = self._boxes
        member = boxes.member[pairs]
        np.subtract.at(self._sizes, self._box[self.home[member]], boxes.rows[member])
        np.add.at(self._sizes, self._box[pairs], boxes.rows[member])
        self.home[member] = pairs
