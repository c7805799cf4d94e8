"""The compiled loops of one-dimensional masking: dynamic programs over sorted values.

``before[i]`` is the number of rows with one of the first i values. A cluster is a stretch of
values from i to j, both included, with at least k rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.frequency.kernels import _kernel

DISTANCES, RADIUS, CELLULAR, RANKS = 0, 1, 2, 3


@_kernel(nogil=True)
def last_starts(before: Any, k: Any) -> Any:
    """The last value with which a cluster that ends at each value can start; -1 if none."""
    n = len(before) - 1
    out = np.full(n, -1, np.int64)
    i = 0
    for j in range(n):
        while before[j + 1] - before[i + 1] >= k:
            i += 1
        if before[j + 1] - before[i] >= k:
            out[j] = i
    return out


@_kernel(nogil=True)
def median_at(before: Any, i: Any, j: Any) -> Any:
    """The first value up to which the cluster has half of its rows."""
    if before[j + 1] - before[i] == j - i + 1:
        return i + (j - i) // 2
    low, high = i, j
    while low < high:
        middle = (low + high) // 2
        if 2 * (before[middle + 1] - before[i]) >= before[j + 1] - before[i]:
            high = middle
        else:
            low = middle + 1
    return low


@_kernel(nogil=True)
def distances_to(x: Any, before: Any, mass: Any, i: Any, j: Any, m: Any) -> Any:
    """The sum of distances of a cluster's rows to the value at m."""
    left = x[m] * (before[m + 1] - before[i]) - (mass[m + 1] - mass[i])
    return left + (mass[j + 1] - mass[m + 1]) - x[m] * (before[j + 1] - before[m + 1])


@_kernel(nogil=True)
def centre_at(x: Any, i: Any, j: Any) -> Any:
    """The value of the cluster from which the farthest is nearest."""
    low, high = i, j
    while low < high:
        middle = (low + high) // 2
        if x[middle] - x[i] >= x[j] - x[middle]:
            high = middle
        else:
            low = middle + 1
    if low > i and max(x[j] - x[low - 1], x[low - 1] - x[i]) <= max(x[j] - x[low], x[low] - x[i]):
        return low - 1
    return low


@_kernel(nogil=True)
def within(x: Any, starts: Any, radius: Any) -> Any:
    """The best start of a last cluster for each end, where no cluster may exceed a radius.

    The first centre that an end can have and the earliest start never go back as the end goes
    on; the latest start that the rows allow, and before which the values can be parted, is taken.
    Also the largest radius that came out, infinite if there is no such parting.
    """
    n = len(x)
    first = np.full(n, -1, np.int64)
    latest = np.full(n + 1, -1, np.int64)
    latest[0] = 0
    centre, early = 0, 0
    for j in range(n):
        while x[j] - x[centre] > radius:
            centre += 1
        while x[centre] - x[early] > radius:
            early += 1
        i = -1
        if starts[j] >= 0:
            i = latest[starts[j]]
        possible = i >= early
        if possible:
            first[j] = i
        latest[j + 1] = j + 1 if possible else latest[j]
    end, largest = n, 0.0
    while end > 0 and first[end - 1] >= 0:
        i = first[end - 1]
        middle = centre_at(x, i, end - 1)
        largest = max(largest, x[end - 1] - x[middle], x[middle] - x[i])
        end = i
    return first, largest if end == 0 else np.inf


@_kernel(nogil=True)
def by_radius(x: Any, before: Any, k: Any) -> Any:
    """The clusters of which the largest radius is least, by halving what it can be."""
    starts = last_starts(before, k)
    first, high = within(x, starts, x[-1] - x[0])
    low = -1.0
    while True:
        middle = max(0.0, low + (high - low) / 2)
        if not low < middle < high:
            return high, first
        now, largest = within(x, starts, middle)
        if largest < np.inf:
            first, high = now, largest
        else:
            low = middle


@_kernel(nogil=True)
def by_window(x: Any, before: Any, k: Any) -> Any:
    """The best last cluster of each stretch from the first value on: cellular cost.

    A cluster that can be cut in two need not be tried: the two cost no more.
    """
    n = len(x)
    starts = last_starts(before, k)
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    first = np.full(n, -1, np.int64)
    for j in range(n):
        latest = starts[j]
        if latest < 0:
            continue
        earliest = 0
        if latest > 0:
            earliest = starts[latest - 1] + 1
        m = j
        i = latest
        while i >= earliest:
            while m > i and max(x[j] - x[m - 1], x[m - 1] - x[i]) <= max(x[j] - x[m], x[m] - x[i]):
                m -= 1
            radius = max(x[j] - x[m], x[m] - x[i])
            total = best[i] + radius * (before[j + 1] - before[i])
            if total < best[j + 1]:
                best[j + 1] = total
                first[j] = i
            i -= 1
    return best[n], first


@_kernel(nogil=True)
def _total(best: Any, x: Any, before: Any, mass: Any, i: Any, j: Any, cost: Any) -> Any:
    if cost == RANKS:
        rows = before[j + 1] - before[i]
        return best[i] + np.float64((rows * rows) // 4)
    return best[i] + distances_to(x, before, mass, i, j, median_at(before, i, j))


@_kernel(nogil=True)
def by_queue(x: Any, before: Any, mass: Any, k: Any, cost: Any) -> Any:
    """The same for costs where a later start, once better, stays better: distances, or ranks.

    Starts wait in a queue, each with the first end from which it is the best.
    """
    n = len(x)
    starts = last_starts(before, k)
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    first = np.full(n, -1, np.int64)
    queue = np.empty(n + 1, np.int64)
    since = np.empty(n + 1, np.int64)
    head, tail, ready = 0, 0, 0
    for j in range(n):
        while ready <= starts[j]:
            i = ready
            ready += 1
            if best[i] == np.inf:
                continue
            begin = j
            while tail > head:
                at = max(since[tail - 1], j)
                mine = _total(best, x, before, mass, i, at, cost)
                if mine < _total(best, x, before, mass, queue[tail - 1], at, cost):
                    tail -= 1
                    begin = at
                    continue
                low, high = at + 1, n
                while low < high:
                    middle = (low + high) // 2
                    mine = _total(best, x, before, mass, i, middle, cost)
                    if mine < _total(best, x, before, mass, queue[tail - 1], middle, cost):
                        high = middle
                    else:
                        low = middle + 1
                begin = low
                break
            if begin < n:
                queue[tail] = i
                since[tail] = begin
                tail += 1
        while head + 1 < tail and since[head + 1] <= j:
            head += 1
        if tail > head:
            best[j + 1] = _total(best, x, before, mass, queue[head], j, cost)
            first[j] = queue[head]
    return best[n], first


FEW_CUTS = 64
BLOCK = 2048


@_kernel("int64[::1](float64[::1], float64[::1])", nogil=True)
def buckets(numbers: Any, cuts: Any) -> Any:
    """The number of cuts below each number.

    A few cuts are compared one after the other with a block of numbers, many at once; many cuts
    are searched.
    """
    out = np.zeros(len(numbers), np.int64)
    if len(cuts) <= FEW_CUTS:
        for first in range(0, len(numbers), BLOCK):
            block = numbers[first : first + BLOCK]
            into = out[first : first + BLOCK]
            for cut in cuts:
                for row in range(len(block)):
                    into[row] += np.int64(block[row] > cut)
        return out
    for row in range(len(numbers)):
        low, high = 0, len(cuts)
        while low < high:
            middle = (low + high) // 2
            if cuts[middle] < numbers[row]:
                low = middle + 1
            else:
                high = middle
        out[row] = low
    return out
