"""How many values each column may keep, so that together they show no more than is allowed."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from discreet.frequency.classes import Floats

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
    heavy = weighed(weights)
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
    heavy = np.log(weighed(weights))
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


def weighed(weights: Sequence[float]) -> Floats:
    """The weights, none below the least that counts."""
    given = np.asarray(weights, dtype=np.float64)
    largest = float(given.max(initial=0.0)) or 1.0
    return np.maximum(given, LEAST_WEIGHT * largest)
