"""The search for the best release: prices for a bound, then programs over the boxes that count."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.exact_search.boxes import Boxes
from discreet.algorithms.exact_search.clock import Clock
from discreet.algorithms.exact_search.first_placement import first_placement
from discreet.algorithms.exact_search.placement import Placement
from discreet.algorithms.exact_search.program import Solved, solve
from discreet.algorithms.exact_search.row_prices import RowPrices, row_prices
from discreet.display import dataclass
from discreet.frequency.classes import Floats, Mask

FIRST = 8
"""The first program has about so many pairs for each tuple."""

SECOND = 20_000
"""The second program has no more pairs than this."""

WIDER = 4
"""Each further program may have so many times as many."""

EQUAL = 1e-6
"""Costs closer than this, in rows left out, are equal: the solver's own precision."""


@dataclass(frozen=True, eq=False)
class Best:
    """The best placement found, the prices that bound it, and a cost that none is below."""

    placement: Placement
    prices: RowPrices
    bound: float

    @property
    def proven(self) -> bool:
        """Whether no placement is better."""
        return self.placement.cost <= self.bound + EQUAL


def best_placement(boxes: Boxes, clock: Clock) -> Best:
    """Find the cheapest placement.

    A release that uses a pair costs at least the bound and what the pair costs above its price. So
    a program over the pairs within some gap of the bound has the best release of all, if what it
    finds is within that gap. Programs get wider until that is so, or time is up.
    """
    prices = row_prices(boxes, clock)
    floor = prices.priced.bound
    best = Best(first_placement(boxes, prices), prices, floor)
    short, wanted = np.sort(_short(boxes, prices)), FIRST * len(boxes.rows)
    while not best.proven and not clock.out:
        needed = best.placement.cost - floor + EQUAL
        gap = needed if wanted >= len(short) else min(needed, float(short[wanted]))
        best = _within(best, gap, clock)
        if gap == needed:
            break
        wanted = max(SECOND, wanted * WIDER)
    return best


def _within(best: Best, gap: float, clock: Clock) -> Best:
    """Solve the program over all pairs within the gap, as far as time goes."""
    boxes, floor, seconds = best.placement.boxes, best.prices.priced.bound, clock.left
    pairs = promising(boxes, best.prices, gap)

    def work() -> Solved:
        return solve(boxes, pairs, seconds)

    solved = clock.run(work, best.bound, best.placement.cost)
    placement = best.placement
    if solved.placement is not None and solved.placement.cost < placement.cost - 1e-12:
        placement = solved.placement
    bound = max(best.bound, min(solved.bound, floor + gap))
    return Best(placement, best.prices, min(bound, placement.cost))


def promising(boxes: Boxes, prices: RowPrices, gap: float) -> Mask:
    """Pairs that a release within the gap of the bound may use, and those of the root box."""
    near: Mask = (_short(boxes, prices) <= gap) | (boxes.box == boxes.root)
    return near


def _short(boxes: Boxes, prices: RowPrices) -> Floats:
    """What a release that uses each pair costs above the bound, at least."""
    short: Floats = prices.priced.pair - np.minimum(prices.priced.box, 0.0)[boxes.box]
    return short
