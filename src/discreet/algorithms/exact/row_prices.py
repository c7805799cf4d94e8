"""Optimal prices for the rows of each tuple: the dual of the linear relaxation, box by box."""

from __future__ import annotations

from dataclasses import field

import numpy as np
import scipy

from discreet.algorithms.exact.boxes import Boxes
from discreet.algorithms.exact.placement import Clock
from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints

# The gain or loss of the cheapest class of each box, if rows paid a price to be placed.


NONE = 1e-12
"""Smallest gain that counts."""


@dataclass(frozen=True, eq=False)
class Priced:
    """The cheapest class of each box under a price for the rows of each tuple.

    ``box`` is the cost of that class minus what its rows pay. ``pair`` is the same if a row of the
    pair has to be in it, ``take`` how many rows of the pair the class has. No release costs less
    than ``bound``; one that uses a box costs at least ``bound`` plus the positive part of the box's
    cost.
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
    return Priced(found, pair, take, bound + _bound_left_out_gain(boxes, prices))


def _bound_left_out_gain(boxes: Boxes, prices: Floats) -> float:
    """The largest possible gain from leaving rows out."""
    short = boxes.whole - prices
    order = np.argsort(short)
    rows = boxes.rows[order]
    before = np.cumsum(rows) - rows
    number = np.clip(boxes.limit - before, 0, rows)
    return float((np.minimum(short[order], 0.0) * number).sum())


CLOSE = 1e-7
"""A bound this near to the value of the linear program is final."""

STEADY = 0.7
"""Weight of the best prices so far in the next ones to try."""


@dataclass(frozen=True, eq=False)
class RowPrices:
    """Prices, the classes priced by them, the classes that led to them, and the amount of each.

    ``amounts`` is the solution of the linear program: how often each class is used, fractionally.
    """

    prices: Floats
    priced: Priced
    classes: tuple[Class, ...]
    amounts: Floats


@dataclass(frozen=True, eq=False)
class Class:
    """Some rows in a box."""

    box: int
    pairs: Ints
    rows: Ints


@dataclass(eq=False)
class _Master:
    """The linear program over the classes found so far."""

    boxes: Boxes
    classes: list[Class] = field(default_factory=list)
    known: set[tuple[int, bytes, bytes]] = field(default_factory=set)

    def add(self, box: int, take: Ints) -> bool:
        """Add a class, unless it is already there."""
        inside = slice(self.boxes.start[box], self.boxes.start[box + 1])
        chosen = np.nonzero(take[inside])[0]
        rows = take[inside][chosen]
        key = box, chosen.tobytes(), rows.tobytes()
        if key in self.known:
            return False
        self.known.add(key)
        self.classes.append(Class(box, chosen + self.boxes.start[box], rows))
        return True

    def solve(self, seconds: float) -> tuple[float, Floats, Floats] | None:
        """Value, row prices and how much of each class is used, or None if there was no time."""
        boxes, tuples = self.boxes, len(self.boxes.rows)
        pairs = np.concatenate([c.pairs for c in self.classes])
        rows = np.concatenate([c.rows for c in self.classes]).astype(np.float64)
        ends = np.cumsum([0, *(len(c.pairs) for c in self.classes)])
        placed = scipy.sparse.csc_matrix(
            (rows, boxes.member[pairs], ends), shape=(tuples, len(self.classes))
        )
        costs = np.add.reduceat(rows * boxes.cost[pairs], ends[:-1])
        more = {}
        if boxes.limit:
            costs = np.concatenate([costs, boxes.whole])
            out = np.concatenate([np.zeros(len(self.classes)), np.ones(tuples)])
            placed = scipy.sparse.hstack([placed, scipy.sparse.eye(tuples)], format="csc")
            more = {"A_ub": out[None, :], "b_ub": [boxes.limit]}
        options = {"time_limit": max(seconds, 0.01)}
        found = scipy.optimize.linprog(costs, A_eq=placed, b_eq=boxes.rows, options=options, **more)
        if not found.success:
            return None
        return float(found.fun), np.asarray(found.eqlin.marginals), found.x[: len(self.classes)]


def row_prices(boxes: Boxes, clock: Clock) -> RowPrices:
    """Raise the bound until no class of any box would lower the linear program.

    Prices are kept near the best so far, which saves steps; if that finds no new class, the
    program's own prices are used.
    """
    floors = np.full(len(boxes.rows), np.inf)
    np.minimum.at(floors, boxes.member, boxes.cost)
    best_prices, best = floors, price(boxes, floors)
    master = _Master(boxes)
    _add_first_classes(master, best)
    steady, amounts = 0.0, np.zeros(0)
    while not clock.out:
        solved = master.solve(clock.left)
        if solved is None:
            break
        amounts = solved[2]
        prices = steady * best_prices + (1.0 - steady) * solved[1]
        priced = price(boxes, prices)
        if priced.bound > best.bound:
            best_prices, best = prices, priced
        clock.report(best.bound, None)
        if solved[0] - best.bound < CLOSE:
            break
        added = _add_best(master, priced)
        if not added and steady == 0.0:
            break
        steady = STEADY if added else 0.0
    amounts = np.append(amounts, np.zeros(len(master.classes) - len(amounts)))
    return RowPrices(best_prices, best, tuple(master.classes), amounts)


def _add_first_classes(master: _Master, priced: Priced) -> None:
    """Start with everything in the root box, and with three cheap boxes for every tuple."""
    boxes = master.boxes
    everything = np.zeros(len(boxes.member), dtype=np.int64)
    inside = slice(boxes.start[boxes.root], boxes.start[boxes.root + 1])
    everything[inside] = boxes.rows[boxes.member[inside]]
    master.add(boxes.root, everything)
    box = boxes.box
    order = np.lexsort((priced.box[box], boxes.member))
    rank = np.arange(len(order)) - np.searchsorted(boxes.member[order], boxes.member[order])
    for number in np.unique(box[order[rank < 3]]):
        master.add(int(number), priced.take)


def _add_best(master: _Master, priced: Priced) -> int:
    """Add classes that gain, best first, until each tuple is in two of them."""
    boxes, added = master.boxes, 0
    gaining = np.nonzero(priced.box < -1e-9)[0]
    covered = np.zeros(len(boxes.rows), dtype=np.int64)
    for box in gaining[np.argsort(priced.box[gaining], kind="stable")].tolist():
        inside = slice(boxes.start[box], boxes.start[box + 1])
        members = boxes.member[inside][priced.take[inside] > 0]
        if (covered[members] < 2).any() and master.add(box, priced.take):
            covered[members] += 1
            added += 1
    return added
