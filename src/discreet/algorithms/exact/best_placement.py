"""The search for the best release: prices for a bound, then programs over promising boxes."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from discreet.algorithms.exact.boxes import Boxes
from discreet.algorithms.exact.placement import Clock, Placement
from discreet.algorithms.exact.row_prices import RowPrices, row_prices
from discreet.display import dataclass
from discreet.errors import InternalError
from discreet.frequency.classes import Floats, Ints, Mask

# The first release: everything in the root box, then boxes are opened and closed.


ROUNDS = 8
"""How often all boxes are retried."""


def find_first_placement(boxes: Boxes, prices: RowPrices) -> Placement:
    """Open the boxes of the linear program if that gains, those it uses most first.

    Then close boxes whose rows are cheaper elsewhere, and repeat until nothing changes. All rows of
    a tuple stay together.
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
    """The pair of each tuple, and the number of rows in each box."""

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
        """Take in the rows that gain, as long as what they leave behind is a class or nothing."""
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


# The integer program: open boxes, and place every row in one that is open.


OPTIMAL = 0


@dataclass(frozen=True, eq=False)
class ProgramResult:
    """The best placement found in time, if any, and a lower bound on the cost of all others."""

    placement: Placement | None
    bound: float


def solve(boxes: Boxes, pairs: Mask, seconds: float) -> ProgramResult:
    """Place rows in some of the pairs at the least cost.

    Variables are the rows of each pair, the rows of each tuple that are left out, and whether each
    box is open. Only the last must be integers: once they are, the rest is a flow.
    """
    chosen = np.nonzero(pairs)[0]
    used, box = np.unique(boxes.box[chosen], return_inverse=True)
    member = boxes.member[chosen]
    parts, tuples = (len(chosen), len(boxes.rows), len(used)), len(boxes.rows)
    cost = np.concatenate([boxes.cost[chosen], boxes.whole, np.zeros(len(used))])
    out = boxes.rows if boxes.limit else np.zeros(tuples)
    most = np.concatenate([boxes.rows[member], out, np.ones(len(used))])
    found = scipy.optimize.milp(
        cost,
        constraints=_build_constraints(boxes, member, box, parts),
        integrality=np.repeat([0, 0, 1], parts),
        bounds=scipy.optimize.Bounds(0, most),
        options={"time_limit": max(seconds, 0.01), "mip_rel_gap": 0.0},
    )
    bound = -np.inf if found.mip_dual_bound is None else float(found.mip_dual_bound)
    if found.x is None:
        return ProgramResult(None, bound)
    placement = _round_rows(boxes, chosen, found.x)
    if not placement.valid:
        placement = solve_flow(boxes, chosen[(found.x[-len(used) :] > 0.5)[box]])
    return ProgramResult(placement, placement.cost if found.status == OPTIMAL else bound)


def _build_constraints(
    boxes: Boxes, member: Ints, box: Ints, parts: tuple[int, int, int]
) -> list[Any]:
    sparse = scipy.sparse
    pairs, tuples, opened = parts
    each, ones = np.arange(pairs), np.ones(pairs)
    of_tuple = sparse.csr_matrix((ones, (member, each)), shape=(tuples, pairs))
    of_box = sparse.csr_matrix((ones, (box, each)), shape=(opened, pairs))
    most = sparse.csr_matrix(
        (-boxes.rows[member].astype(float), (each, box)), shape=(pairs, opened)
    )
    no_rows = sparse.csr_matrix((opened, tuples))
    placed = sparse.hstack([of_tuple, sparse.eye(tuples), sparse.csr_matrix((tuples, opened))])
    enough = sparse.hstack([of_box, no_rows, -boxes.k * sparse.eye(opened)])
    inside = sparse.hstack([sparse.eye(pairs), sparse.csr_matrix((pairs, tuples)), most])
    left_out = np.repeat([0.0, 1.0, 0.0], parts)
    return [
        scipy.optimize.LinearConstraint(placed, boxes.rows, boxes.rows),
        scipy.optimize.LinearConstraint(enough, 0, np.inf),
        scipy.optimize.LinearConstraint(inside, -np.inf, 0),
        scipy.optimize.LinearConstraint(left_out[None, :], 0, boxes.limit),
    ]


def _round_rows(boxes: Boxes, chosen: Ints, found: Floats) -> Placement:
    """The rows of each pair, without the solver's rounding errors."""
    rows = np.zeros(len(boxes.member), dtype=np.int64)
    rows[chosen] = np.rint(found[: len(chosen)]).astype(np.int64)
    return Placement(boxes, rows)


def solve_flow(boxes: Boxes, chosen: Ints) -> Placement:
    """The cheapest placement in open boxes: a vertex of the flow polytope is integral."""
    sparse = scipy.sparse
    used, box = np.unique(boxes.box[chosen], return_inverse=True)
    pairs, tuples = len(chosen), len(boxes.rows)
    each, ones = np.arange(pairs), np.ones(pairs)
    of_tuple = sparse.csr_matrix((ones, (boxes.member[chosen], each)), shape=(tuples, pairs))
    of_box = sparse.csr_matrix((-ones, (box, each)), shape=(len(used), pairs))
    out = sparse.csr_matrix(np.repeat([0.0, 1.0], [pairs, tuples])[None, :])
    found = scipy.optimize.linprog(
        np.concatenate([boxes.cost[chosen], boxes.whole]),
        A_eq=sparse.hstack([of_tuple, sparse.eye(tuples)]),
        b_eq=boxes.rows,
        A_ub=sparse.vstack([sparse.hstack([of_box, sparse.csr_matrix((len(used), tuples))]), out]),
        b_ub=np.append(np.full(len(used), -boxes.k), boxes.limit),
        method="highs-ds",
    )
    placement = _round_rows(boxes, chosen, found.x) if found.success else None
    if placement is None or not placement.valid:
        raise InternalError("the solver's open boxes cannot hold the rows")
    return placement


FIRST = 8
"""Approximate number of pairs per tuple in the first program."""

SECOND = 20_000
"""Most pairs of the second program."""

WIDER = 4
"""Factor by which each further program may grow."""

EQUAL = 1e-6
"""Costs closer than this, in rows left out, are equal: the solver's own precision."""


@dataclass(frozen=True, eq=False)
class Best:
    """The best placement found, the prices that bound it, and a lower bound on the cost."""

    placement: Placement
    prices: RowPrices
    bound: float

    @property
    def proven(self) -> bool:
        """Whether no placement is better."""
        return self.placement.cost <= self.bound + EQUAL


def best_placement(boxes: Boxes, clock: Clock) -> Best:
    """Find the cheapest placement.

    A release that uses a pair costs at least the bound plus the pair's cost above its price. So the
    solution of a program over the pairs within some gap of the bound is optimal if its cost is
    within that gap. Programs get wider until that is so, or time is up.
    """
    prices = row_prices(boxes, clock)
    floor = prices.priced.bound
    best = Best(find_first_placement(boxes, prices), prices, floor)
    short, wanted = np.sort(_find_pair_gaps(boxes, prices)), FIRST * len(boxes.rows)
    while not best.proven and not clock.out:
        needed = best.placement.cost - floor + EQUAL
        gap = needed if wanted >= len(short) else min(needed, float(short[wanted]))
        best = _solve_within_gap(best, gap, clock)
        if gap == needed:
            break
        wanted = max(SECOND, wanted * WIDER)
    return best


def _solve_within_gap(best: Best, gap: float, clock: Clock) -> Best:
    """Solve the program over all pairs within the gap, within the time limit."""
    boxes, floor, seconds = best.placement.boxes, best.prices.priced.bound, clock.left
    pairs = find_promising_pairs(boxes, best.prices, gap)

    def work() -> ProgramResult:
        return solve(boxes, pairs, seconds)

    solved = clock.run(work, best.bound, best.placement.cost)
    placement = best.placement
    if solved.placement is not None and solved.placement.cost < placement.cost - 1e-12:
        placement = solved.placement
    bound = max(best.bound, min(solved.bound, floor + gap))
    return Best(placement, best.prices, min(bound, placement.cost))


def find_promising_pairs(boxes: Boxes, prices: RowPrices, gap: float) -> Mask:
    """Pairs that a release within the gap of the bound may use, and those of the root box."""
    near: Mask = (_find_pair_gaps(boxes, prices) <= gap) | (boxes.box == boxes.root)
    return near


def _find_pair_gaps(boxes: Boxes, prices: RowPrices) -> Floats:
    """For each pair, the least cost above the bound of a release that uses it."""
    short: Floats = prices.priced.pair - np.minimum(prices.priced.box, 0.0)[boxes.box]
    return short
