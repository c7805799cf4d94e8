"""Buckets of as many rows as can be: the masking that moves rows over the fewest others."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.one_dimensional.clusters import Clusters, best_stretches, centred, check
from discreet.frequency.classes import Floats, Ints


def quantiles(values: Floats, counts: Ints, k: int) -> Clusters:
    """Part values into stretches of at least k rows with the least rank difference.

    The cost is the rank difference: over how many rows all rows are moved when each is put where
    the median of its bucket is.

    Notes
    -----
    [Lodha2008]_, sec. 4.1, definitions 8 and 9, theorem 5. *Departures*: rows with the same value
    stay together, for they could not be told apart from each other by a range. Buckets of equal
    size then are not always to be had, nor always the best of those to be had, so the least rank
    difference is found by dynamic programming. *Cost*: none but the sort where no value repeats,
    n log n for n values else.

    >>> quantiles(np.arange(7.0), np.ones(7, dtype=np.int64), 3).starts.tolist()
    [0, 4]
    """
    if len(counts) and int(counts.max()) == 1:
        before = check(values, counts, k)
        number = len(counts) // k
        base, longer = divmod(len(counts), number)
        sizes = np.full(number, base, dtype=np.int64)
        sizes[:longer] += 1
        starts = np.cumsum(sizes) - sizes
        cost = float(rank_difference(sizes))
        return Clusters(*centred(starts, values, before, "ranks"), cost)
    return best_stretches(values, counts, k, "ranks")


def rank_difference(sizes: Ints) -> int:
    """Over how many rows the rows of buckets of these sizes are moved, each to its median.

    Notes
    -----
    [Lodha2008]_, definition 8, for buckets that are stretches: s rows move over s^2/4, rounded
    down.

    >>> rank_difference(np.array([3, 2]))
    3
    """
    return int((np.asarray(sizes, dtype=np.int64) ** 2 // 4).sum())
