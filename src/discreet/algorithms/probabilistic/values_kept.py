"""How many values each column may keep, so that together they show no more than allowed."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints

LEAST_WEIGHT = 1e-12
"""A column of weight 0 gets this share of the largest weight: it gets what the others leave."""


def equation_1(allowed: float, weights: Sequence[float]) -> Floats:
    """How many values each column may keep if all had enough of them.

    Notes
    -----
    [Lodha2008]_, sec. 3.1, eq. (1): the least sum of w / d with the product of all d fixed.

    >>> equation_1(36, [1, 1]).tolist()
    [6.0, 6.0]
    """
    heavy = floor_weights(weights)
    each = math.exp((math.log(allowed) - float(np.log(heavy).sum())) / len(heavy))
    return heavy * each


def values_kept(allowed: float, weights: Sequence[float], distinct: Sequence[int]) -> Floats:
    """How many values each column may keep, if none can keep more than it has.

    Notes
    -----
    [Lodha2008]_, sec. 3.1: columns at their limit are taken out and the others share what is left
    (to "maximize" in the last formula is a slip for minimize). *Departures*: no column gets less
    than one value, and the paper's rounds are one step: w d, cut to 1 and the limit, grows with d,
    and its product is a stretch of a power between the points where a column reaches an end.
    *Cost*: m log m for m columns.

    >>> values_kept(72, [1, 1, 1], [2, 100, 100]).round(9).tolist()
    [2.0, 6.0, 6.0]
    """
    heavy = np.log(floor_weights(weights))
    most = np.log(np.asarray(distinct, dtype=np.float64))
    room = math.log(max(1.0, allowed))
    if most.sum() <= room:
        return np.asarray(distinct, dtype=np.float64)

    def count_used(scale: float) -> float:
        return float(np.clip(heavy + scale, 0.0, most).sum())

    ends = np.sort(np.concatenate([-heavy, most - heavy]))
    above = (
        bisect_left(range(1, len(ends) - 1), room, key=lambda at: count_used(float(ends[at]))) + 1
    )
    around = ends[above - 1 : above + 1].tolist()
    scale = float(np.interp(room, [count_used(end) for end in around], around))
    return np.exp(np.clip(heavy + scale, 0.0, most))


def floor_weights(weights: Sequence[float]) -> Floats:
    """The weights, none below the least that counts."""
    given = np.asarray(weights, dtype=np.float64)
    largest = float(given.max(initial=0.0)) or 1.0
    return np.maximum(given, LEAST_WEIGHT * largest)


# How many values each column keeps, in whole numbers that the column can have.


MANY_COLUMNS = 64
"""With more columns, the search is greedy."""
MOST_PAIRS = 2_000_000
"""Most partial answers times choices for one column; beyond it the least promising are dropped."""
LARGEST = 2**62
ROUNDING = 1e-12


def choose_whole_values(
    allowed: int, weights: Sequence[float], choices: Sequence[Ints]
) -> tuple[int, ...]:
    """How many values each column keeps, among the numbers of values to which it can be reduced.

    ``choices`` are those numbers, rising from the fewest. Their product never exceeds ``allowed``
    unless the fewest do, and no column could go one choice up.

    Notes
    -----
    [Lodha2008]_, sec. 3.1 and 4.2: the least sum of weight / values. *Departures*: the paper rounds
    by eye; this is the least sum over the choices. Found column by column: of partial answers with
    no fewer combinations and no less cost than another, and of those that cannot get below the best
    known by equation 1, none is followed. Greedy for more than 64 columns; if millions of partial
    answers are left, only the most promising are followed. *Cost*: milliseconds for ten columns.

    >>> numbers = np.arange(1, 50)
    >>> choose_whole_values(100, [1, 1], [np.array([1, 3, 40]), numbers])
    (3, 33)
    >>> choose_whole_values(81, [1, 1, 1], [np.array([1, 5]), numbers, numbers])
    (5, 4, 4)
    """
    heavy = floor_weights(weights)
    if math.prod(int(c[-1]) for c in choices) <= allowed:
        return tuple(int(c[-1]) for c in choices)
    known = _fill_up(allowed, heavy, choices, _round_equation_1(allowed, weights, choices))
    if 1 < len(choices) <= MANY_COLUMNS:
        better = _Search.of(min(allowed, LARGEST), heavy, choices, known).best()
        known = _fill_up(allowed, heavy, choices, better)
    return tuple(known)


def _round_equation_1(allowed: int, weights: Sequence[float], choices: Sequence[Ints]) -> list[int]:
    """Equation 1 rounded down; columns with gaps first, the others share what those leave."""
    real = values_kept(allowed, weights, [int(c[-1]) for c in choices])
    counts = [_floor_choice(c, x) for c, x in zip(choices, real, strict=True)]
    dense = [at for at, c in enumerate(choices) if int(c[-1]) == len(c)]
    if dense:
        rest = math.prod(n for at, n in enumerate(counts) if at not in dense)
        limits = [int(choices[at][-1]) for at in dense]
        again = values_kept(allowed / rest, [weights[at] for at in dense], limits)
        for at, x in zip(dense, again, strict=True):
            counts[at] = _floor_choice(choices[at], x)
    return counts


def _fill_up(
    allowed: int, heavy: Floats, choices: Sequence[Ints], given: Sequence[int]
) -> list[int]:
    """Give what rounding left over to the columns that gain most."""
    counts = list(given)
    open_columns = set(range(len(counts)))
    product = math.prod(counts)
    while open_columns:
        gains: list[tuple[float, int, int]] = []
        for at in sorted(open_columns):
            place = int(np.searchsorted(choices[at], counts[at], side="right"))
            more = int(choices[at][place]) if place < len(choices[at]) else 0
            if not more or product // counts[at] * more > allowed:
                open_columns.discard(at)
                continue
            gain = heavy[at] * (1 / counts[at] - 1 / more) / math.log(more / counts[at])
            gains.append((-gain, at, more))
        if gains:
            _, at, more = min(gains)
            product = product // counts[at] * more
            counts[at] = more
    return counts


def _floor_choice(choices: Ints, number: float) -> int:
    """The largest choice that is not above a number, or the least of all."""
    place = int(np.searchsorted(choices, number * (1 + 1e-12), side="right")) - 1
    return int(choices[max(0, place)])


def find_least_costs(rooms: Floats, heavy: Floats, most: Floats) -> Floats:
    """The least sum of weight / values of columns that share each room, in real numbers.

    Notes
    -----
    [Lodha2008]_, sec. 3.1, as :func:`values_kept`, for many rooms at once.
    """
    weights, limits, wanted = np.log(heavy), np.log(most), np.log(np.maximum(rooms, 1.0))
    ends = np.sort(np.concatenate([-weights, limits - weights]))
    count_used = np.clip(weights + ends[:, None], 0.0, limits).sum(axis=1)
    scale = np.interp(wanted, count_used, ends)
    kept = np.clip(weights + scale[:, None], 0.0, limits)
    return np.asarray((heavy * np.exp(-kept)).sum(axis=1))


@dataclass(frozen=True, eq=False)
class _Search:
    """The columns from few choices to many, each with the choices that may be part of the best."""

    allowed: int
    order: list[int]
    heavy: Floats
    choices: list[Ints]
    most: Floats
    known: list[int]
    limit: float

    @classmethod
    def of(
        cls, allowed: int, heavy: Floats, choices: Sequence[Ints], known: Sequence[int]
    ) -> _Search:
        order = sorted(range(len(choices)), key=lambda at: (len(choices[at]), at))
        sorted_heavy = heavy[order]
        counts = [known[at] for at in order]
        limit = float((sorted_heavy / counts).sum()) * (1 + ROUNDING)
        most = np.array([choices[at][-1] for at in order], dtype=np.float64)
        kept = []
        for place, at in enumerate(order):
            others = np.arange(len(order)) != place
            rest = find_least_costs(allowed / choices[at], sorted_heavy[others], most[others])
            fits = (sorted_heavy[place] / choices[at] + rest <= limit) & (choices[at] <= allowed)
            kept.append(choices[at][fits | (choices[at] == counts[place])])
        return cls(allowed, order, sorted_heavy, kept, most, counts, limit)

    def best(self) -> list[int]:
        """The best numbers of values, in column order; the known ones if none are better."""
        products, costs = np.ones(1, dtype=np.int64), np.zeros(1)
        steps: list[tuple[Ints, Ints]] = []
        last = len(self.order) - 1
        for place in range(last):
            products, costs, parents, taken = self._grow_answers(place, products, costs)
            steps.append((parents, taken))
        found = np.searchsorted(self.choices[last], self.allowed // products, side="right") - 1
        total = costs + self.heavy[last] / self.choices[last][np.maximum(found, 0)]
        total[found < 0] = np.inf
        if not len(total) or total.min() >= self.limit / (1 + ROUNDING):
            counts = self.known
        else:
            at = int(total.argmin())
            counts = [int(self.choices[last][found[at]])]
            for parents, taken in reversed(steps):
                counts.append(int(taken[at]))
                at = int(parents[at])
            counts.reverse()
        by_column = dict(zip(self.order, counts, strict=True))
        return [by_column[at] for at in range(len(counts))]

    def _grow_answers(
        self, place: int, products: Ints, costs: Floats
    ) -> tuple[Ints, Floats, Ints, Ints]:
        """Every partial answer with every choice of the next column, those worth following."""
        choices = self.choices[place]
        room = max(1, MOST_PAIRS // len(choices))
        if len(products) > room:
            bound = costs + self._bound_rest(place, products)
            chosen = np.sort(np.argsort(bound, kind="stable")[:room])
        else:
            chosen = np.arange(len(products))
        parents, at = np.nonzero(products[chosen, None] <= self.allowed // choices)
        parents = chosen[parents]
        taken = choices[at]
        grown = products[parents] * taken
        cost = costs[parents] + self.heavy[place] / taken
        order = np.lexsort((cost, grown))
        lowest = np.minimum.accumulate(cost[order])
        best = order[np.append(True, cost[order][1:] < lowest[:-1])] if len(order) else order
        worth = best[cost[best] + self._bound_rest(place + 1, grown[best]) <= self.limit]
        return grown[worth], cost[worth], parents[worth], taken[worth]

    def _bound_rest(self, place: int, products: Ints) -> Floats:
        """The least cost of the columns from this one on."""
        return find_least_costs(self.allowed / products, self.heavy[place:], self.most[place:])
