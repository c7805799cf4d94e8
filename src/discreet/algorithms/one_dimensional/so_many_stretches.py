"""The best way to part the values of a small column into exactly so many stretches."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.one_dimensional import kernels
from discreet.algorithms.one_dimensional.clusters import CODES, Clusters, centred, check
from discreet.frequency.classes import Floats, Ints

FEW_VALUES = 256


def so_many_stretches(
    values: Floats, counts: Ints, k: int, number: int, cost: str
) -> Clusters | None:
    """Part values into so many stretches of at least k rows, at the least cost; None if none is.

    For columns where the best stretches of k rows are more than wanted, and those of k + 1 rows
    fewer, as happens where values are few.

    Notes
    -----
    [Lodha2008]_, sec. 4.1, dynamic programming. *Departures*: the number of clusters is given, so
    a cluster that could be cut in two may be part of the answer. *Cost*: m^2 for m values, times
    the number.

    >>> counts = np.array([5, 5, 5])
    >>> so_many_stretches(np.arange(3.0), counts, 5, 2, "ranks").starts.tolist()
    [0, 1]
    """
    before = check(values, counts, k)
    moved = np.asarray(values, dtype=np.float64) - values[0]
    price = _prices(moved, before, np.append(0.0, np.cumsum(moved * counts)), k, cost)
    best, firsts = price[0], [np.zeros(len(moved), dtype=np.int64)]
    for _ in range(number - 1):
        earlier = np.append(np.inf, best[:-1])[:, None]
        total = np.maximum(earlier, price) if cost == "radius" else earlier + price
        firsts.append(total.argmin(axis=0))
        best = total.min(axis=0)
    if not np.isfinite(best[-1]):
        return None
    starts, end = [], len(moved) - 1
    for first in reversed(firsts):
        starts.append(int(first[end]))
        end = starts[-1] - 1
    return Clusters(*centred(np.array(starts[::-1]), moved, before, cost), float(best[-1]))


def _prices(x: Floats, before: Ints, mass: Floats, k: int, cost: str) -> Floats:
    """The cost of each stretch from one value to another; infinite with fewer than k rows."""
    rows = before[1:] - before[:-1, None]
    price = np.full(rows.shape, np.inf)
    for i, j in np.argwhere(rows >= k).tolist():
        if CODES[cost] == kernels.RANKS:
            price[i, j] = rows[i, j] ** 2 // 4
        elif CODES[cost] == kernels.DISTANCES:
            middle = kernels.median_at(before, i, j)
            price[i, j] = kernels.distances_to(x, before, mass, i, j, middle)
        else:
            middle = kernels.centre_at(x, i, j)
            radius = max(x[j] - x[middle], x[middle] - x[i])
            price[i, j] = radius * (rows[i, j] if CODES[cost] == kernels.CELLULAR else 1)
    return price
