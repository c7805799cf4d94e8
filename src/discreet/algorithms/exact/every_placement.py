"""Enumerates all placements up to some cost on small tables, filling class after class."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from discreet.algorithms.exact.best_placement import EQUAL, Best, find_promising_pairs
from discreet.algorithms.exact.boxes import Boxes
from discreet.algorithms.exact.placement import Placement
from discreet.algorithms.exact.row_prices import RowPrices
from discreet.display import dataclass

Parts = tuple[tuple[int, int], ...]
"""Pairs and the number of rows of each."""


NOISE = 1e-10
"""Tolerance for sums of the same numbers in another order."""


MOST_ROWS = 100
"""Most rows for an enumeration, which recurses once per class."""


class OutOfStepsError(Exception):
    """There are too many combinations to try."""


@dataclass(frozen=True, eq=False)
class _Rest:
    """What remains to be placed: rows of each tuple, how many may be left out, and the budget.

    ``budget`` is what the rest may cost above its prices; the boxes ``used`` are filled, and the
    tuple ``first`` may only go into boxes after ``last``.
    """

    rows: tuple[int, ...]
    limit: int
    budget: float
    used: frozenset[int] = frozenset()
    first: int = 0
    last: int = -1


def list_best_placements(best: Best, steps: int, most: int | None = None) -> list[Placement]:
    """All placements as good as the best one, or ``most`` of them."""
    cost = best.placement.cost
    found = list_placements(best, cost, steps, most)
    least = min([cost, *(one.cost for one in found)])
    return [one for one in found if one.cost <= least + NOISE]


def list_placements(
    best: Best, cost: float, steps: int, most: int | None = None
) -> list[Placement]:
    """All placements up to a cost, or ``most`` of them."""
    boxes = best.placement.boxes
    if boxes.rows.sum() > MOST_ROWS:
        raise OutOfStepsError
    return list(islice(EveryPlacement(boxes, best.prices, cost + EQUAL, steps), most))


class EveryPlacement:
    """Lists the placements that cost at most ``most``, each once.

    The first tuple with rows left goes into boxes of rising number, each filled once and
    completely; what is then left of the tuple is left out. The rest costs at least its prices,
    which cuts off most branches. Gives up after ``steps``.
    """

    def __init__(self, boxes: Boxes, prices: RowPrices, most: float, steps: int) -> None:
        priced = prices.priced
        self._boxes, self._steps = boxes, steps
        self._short = (boxes.cost - prices.prices[boxes.member]).tolist()
        self._short_out = (boxes.whole - prices.prices).tolist()
        self._member, self._box = boxes.member.tolist(), boxes.box.tolist()
        self._spare = -float(np.minimum(priced.box, 0.0).sum())
        self._budget = most - float((prices.prices * boxes.rows).sum())
        self._inside: dict[int, list[int]] = {}
        self._of_tuple: list[list[int]] = [[] for _ in boxes.rows]
        for pair in np.nonzero(find_promising_pairs(boxes, prices, most - priced.bound))[
            0
        ].tolist():
            self._inside.setdefault(self._box[pair], []).append(pair)
            self._of_tuple[self._member[pair]].append(pair)

    def __iter__(self) -> Iterator[Placement]:
        start = _Rest(tuple(self._boxes.rows.tolist()), self._boxes.limit, self._budget)
        for parts in self._place(start):
            rows = np.zeros(len(self._member), dtype=np.int64)
            for pair, number in parts:
                rows[pair] = number
            yield Placement(self._boxes, rows)

    def _step(self) -> None:
        self._steps -= 1
        if self._steps < 0:
            raise OutOfStepsError

    def _place(self, rest: _Rest) -> Iterator[Parts]:
        """Every way to place the rest."""
        self._step()
        if self._bound_budget(rest) < 0:
            return
        first, last = rest.first, rest.last
        while first < len(rest.rows) and not rest.rows[first]:
            first, last = first + 1, -1
        if first == len(rest.rows):
            yield ()
            return
        for pair in self._of_tuple[first]:
            if self._box[pair] > last and self._box[pair] not in rest.used:
                yield from self._open(pair, rest, first)
        number = rest.rows[first]
        if number <= rest.limit:
            rows = (*rest.rows[:first], 0, *rest.rows[first + 1 :])
            budget = rest.budget - number * self._short_out[first]
            yield from self._place(_Rest(rows, rest.limit - number, budget, rest.used, first))

    def _bound_budget(self, rest: _Rest) -> float:
        """The budget, plus everything that boxes and left-out rows can still add to it."""
        hope, limit = rest.budget + self._spare, rest.limit
        if limit:
            for short, rows in sorted(zip(self._short_out, rest.rows, strict=True)):
                number = min(rows, limit)
                hope, limit = hope - min(0.0, short) * number, limit - number
        return hope

    def _open(self, pair: int, rest: _Rest, first: int) -> Iterator[Parts]:
        """Fill the box of a pair in every way with rows of the pair's tuple, and continue."""
        box = self._box[pair]
        inside = [p for p in self._inside[box] if rest.rows[self._member[p]]]
        inside.sort(key=lambda p: (p != pair, self._short[p]))
        for parts in self._fill(
            inside, rest.rows, self._boxes.k, self._bound_budget(rest), least=1
        ):
            rows, budget = [*rest.rows], rest.budget
            for p, number in parts:
                rows[self._member[p]] -= number
                budget -= self._short[p] * number
            used = rest.used | {box}
            for more in self._place(_Rest(tuple(rows), rest.limit, budget, used, first, box)):
                yield parts + more

    def _fill(
        self, pairs: list[int], rows: tuple[int, ...], wanted: int, budget: float, least: int = 0
    ) -> Iterator[Parts]:
        """Every choice of ``wanted`` rows or more that costs no more than the budget."""
        self._step()
        gain = sum(max(0.0, -self._short[p]) * rows[self._member[p]] for p in pairs)
        if budget + gain < 0 or wanted > sum(rows[self._member[p]] for p in pairs):
            return
        if not pairs:
            yield ()
            return
        for number in range(least, rows[self._member[pairs[0]]] + 1):
            part = ((pairs[0], number),) if number else ()
            left = budget - self._short[pairs[0]] * number
            for more in self._fill(pairs[1:], rows, max(0, wanted - number), left):
                yield part + more
