"""What the cheapest class of each box would gain or lose, if rows paid a price to be placed."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.exact_search.boxes import Boxes
from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints

NONE = 1e-12
"""A gain below this is none."""


@dataclass(frozen=True, eq=False)
class Priced:
    """The cheapest class of each box under a price for the rows of each tuple.

    ``box`` is what that class costs less what its rows pay. ``pair`` is the same where a row of
    the pair has to be in it, ``take`` how many rows of the pair the class has. No release costs
    less than ``bound``; one that uses a box costs at least ``bound`` and what the box costs above
    0 besides.
    """

    box: Floats
    pair: Floats
    take: Ints
    bound: float


def price(boxes: Boxes, prices: Floats) -> Priced:
    """Take the rows of each box that pay more than they cost, then the cheapest up to k rows."""
    box, first = boxes.box, boxes.start[:-1]
    short = boxes.cost - prices[boxes.member]
    order = np.lexsort((short, box))
    rows, ranked = boxes.rows[boxes.member[order]], short[order]
    before = np.cumsum(rows) - rows
    before -= before[first][box]
    gains = ranked < -NONE
    taken = np.where(gains, rows, np.clip(boxes.k - before, 0, rows))
    found = np.add.reduceat(taken * ranked, first)
    filled = np.where((taken > 0) & ~gains, ranked, 0.0)
    last = np.maximum.reduceat(filled, first)[box]
    forced = found[box] + np.where(taken > 0, 0.0, ranked - last)
    take, pair = np.empty_like(taken), np.empty_like(forced)
    take[order], pair[order] = taken, forced
    bound = float((prices * boxes.rows).sum() + np.minimum(found, 0.0).sum())
    return Priced(found, pair, take, bound + _left_out(boxes, prices))


def _left_out(boxes: Boxes, prices: Floats) -> float:
    """The most that leaving rows out could gain."""
    short = boxes.whole - prices
    order = np.argsort(short)
    rows = boxes.rows[order]
    before = np.cumsum(rows) - rows
    number = np.clip(boxes.limit - before, 0, rows)
    return float((np.minimum(short[order], 0.0) * number).sum())
