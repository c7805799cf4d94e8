"""How many values each column may keep, so that together they show no more than is allowed."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from discreet.frequency.classes import Floats, Ints

LEAST_WEIGHT = 1e-12
"""A column of weight 0 counts this much of the heaviest: it gets what the others leave."""


def equation_1(allowed: float, weights: Sequence[float]) -> Floats:
    """How many values each column may keep if all had enough of them.

    Notes
    -----
    [Lodha2008]_, sec. 3.1, eq. (1): the least sum of w / d with the product of all d fixed.

    >>> equation_1(36, [1, 1]).tolist()
    [6.0, 6.0]
    """
    heavy = _weights(weights)
    each = math.exp((math.log(allowed) - float(np.log(heavy).sum())) / len(heavy))
    return heavy * each


def values_kept(allowed: float, weights: Sequence[float], distinct: Sequence[int]) -> Floats:
    """How many values each column may keep, where none can keep more than it has.

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
    heavy = np.log(_weights(weights))
    most = np.log(np.asarray(distinct, dtype=np.float64))
    room = math.log(max(1.0, allowed))
    if most.sum() <= room:
        return np.asarray(distinct, dtype=np.float64)

    def used(scale: float) -> float:
        return float(np.clip(heavy + scale, 0.0, most).sum())

    ends = np.sort(np.concatenate([-heavy, most - heavy]))
    above = bisect_left(range(1, len(ends) - 1), room, key=lambda at: used(float(ends[at]))) + 1
    around = ends[above - 1 : above + 1].tolist()
    scale = float(np.interp(room, [used(end) for end in around], around))
    return np.exp(np.clip(heavy + scale, 0.0, most))


def whole_values_kept(
    allowed: int, weights: Sequence[float], choices: Sequence[Ints]
) -> tuple[int, ...]:
    """How many values each column keeps, of the numbers of values that it can be cut down to.

    ``choices`` are those numbers, rising from the fewest. Their product never exceeds ``allowed``
    unless the fewest do.

    Notes
    -----
    [Lodha2008]_, sec. 3.1 and 4.2. *Departures*: the paper rounds by eye. Here columns with gaps
    between their choices (hierarchies) are rounded down first and the others share what that
    leaves; then, as long as something fits, the column that gains most goes one choice up. Not
    always the best of all whole numbers.

    >>> numbers = np.arange(1, 50)
    >>> whole_values_kept(100, [1, 1], [np.array([1, 3, 40]), numbers])
    (3, 33)
    """
    heavy = _weights(weights)
    real = values_kept(allowed, weights, [int(c[-1]) for c in choices])
    counts = [_floor(c, x) for c, x in zip(choices, real, strict=True)]
    dense = [at for at, c in enumerate(choices) if int(c[-1]) == len(c)]
    if dense:
        rest = math.prod(n for at, n in enumerate(counts) if at not in dense)
        limits = [int(choices[at][-1]) for at in dense]
        again = values_kept(allowed / rest, [heavy[at] for at in dense], limits)
        for at, x in zip(dense, again, strict=True):
            counts[at] = _floor(choices[at], x)
    return _filled(allowed, heavy, choices, counts)


def _filled(
    allowed: int, heavy: Floats, choices: Sequence[Ints], counts: list[int]
) -> tuple[int, ...]:
    """Give what rounding left to the columns that gain most by it."""
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
    return tuple(counts)


def _floor(choices: Ints, number: float) -> int:
    """The largest choice that is not above a number, or the least of all."""
    place = int(np.searchsorted(choices, number * (1 + 1e-12), side="right")) - 1
    return int(choices[max(0, place)])


def _weights(weights: Sequence[float]) -> Floats:
    given = np.asarray(weights, dtype=np.float64)
    largest = float(given.max(initial=0.0)) or 1.0
    return np.maximum(given, LEAST_WEIGHT * largest)
