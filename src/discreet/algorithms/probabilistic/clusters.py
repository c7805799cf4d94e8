"""Optimal partitions of sorted values into stretches of at least k rows."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Floats, Ints
from discreet.frequency.compiled import compile_loop
from discreet.models.parameters import require_choice, require_whole

# The compiled loops of one-dimensional masking: dynamic programs over sorted values.
#
# ``before[i]`` is the number of rows with one of the first i values. A cluster is a stretch of
# values from i to j, both included, with at least k rows.


DISTANCES, RADIUS, CELLULAR, RANKS = 0, 1, 2, 3


@compile_loop(nogil=True)
def last_starts(before: Any, k: Any) -> Any:
    """The last possible start of a cluster that ends at each value; -1 if none."""
    n = len(before) - 1
    out = np.full(n, -1, np.int64)
    i = 0
    for j in range(n):
        while before[j + 1] - before[i + 1] >= k:
            i += 1
        if before[j + 1] - before[i] >= k:
            out[j] = i
    return out


@compile_loop(nogil=True)
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


@compile_loop(nogil=True)
def distances_to(x: Any, before: Any, mass: Any, i: Any, j: Any, m: Any) -> Any:
    """The sum of distances of a cluster's rows to the value at m."""
    left = x[m] * (before[m + 1] - before[i]) - (mass[m + 1] - mass[i])
    return left + (mass[j + 1] - mass[m + 1]) - x[m] * (before[j + 1] - before[m + 1])


@compile_loop(nogil=True)
def centre_at(x: Any, i: Any, j: Any) -> Any:
    """The value of the cluster with the least distance to the farthest value."""
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


@compile_loop(nogil=True)
def part_within(x: Any, starts: Any, radius: Any) -> Any:
    """The best start of a last cluster for each end, where no cluster may exceed a radius.

    The first possible centre and the earliest start never move back as the end advances; the latest
    start that the rows allow, and before which the values can be partitioned, is taken. Also
    returns the largest radius that resulted, infinite if there is no such partition.
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


@compile_loop(nogil=True)
def cluster_by_radius(x: Any, before: Any, k: Any) -> Any:
    """The clusters with the least largest radius, found by bisection."""
    starts = last_starts(before, k)
    first, high = part_within(x, starts, x[-1] - x[0])
    low = -1.0
    while True:
        middle = max(0.0, low + (high - low) / 2)
        if not low < middle < high:
            return high, first
        now, largest = part_within(x, starts, middle)
        if largest < np.inf:
            first, high = now, largest
        else:
            low = middle


@compile_loop(nogil=True)
def cluster_by_window(x: Any, before: Any, k: Any) -> Any:
    """The best last cluster of each stretch from the first value on: cellular cost.

    A cluster that can be divided in two need not be tried, since the two cost no more.
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


@compile_loop(inner=True)
def _add_cost(best: Any, x: Any, before: Any, mass: Any, i: Any, j: Any, cost: Any) -> Any:
    if cost == RANKS:
        rows = before[j + 1] - before[i]
        return best[i] + np.float64((rows * rows) // 4)
    return best[i] + distances_to(x, before, mass, i, j, median_at(before, i, j))


@compile_loop(nogil=True)
def cluster_by_queue(x: Any, before: Any, mass: Any, k: Any, cost: Any) -> Any:
    """The same for costs for which a later start, once better, stays better: distances or ranks.

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
                mine = _add_cost(best, x, before, mass, i, at, cost)
                if mine < _add_cost(best, x, before, mass, queue[tail - 1], at, cost):
                    tail -= 1
                    begin = at
                    continue
                low, high = at + 1, n
                while low < high:
                    middle = (low + high) // 2
                    mine = _add_cost(best, x, before, mass, i, middle, cost)
                    if mine < _add_cost(best, x, before, mass, queue[tail - 1], middle, cost):
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
            best[j + 1] = _add_cost(best, x, before, mass, queue[head], j, cost)
            first[j] = queue[head]
    return best[n], first


FEW_CUTS = 64
BLOCK = 2048


@compile_loop("int64[::1](float64[::1], float64[::1])", nogil=True)
def buckets(numbers: Any, cuts: Any) -> Any:
    """The number of cuts below each number.

    A few cuts are each compared with a block of numbers at once; many cuts are searched.
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


Cost = Literal["distances", "radius", "cellular"]
CODES = {
    "distances": DISTANCES,
    "radius": RADIUS,
    "cellular": CELLULAR,
    "ranks": RANKS,
}


@dataclass(frozen=True, eq=False)
class Clusters:
    """Stretches of sorted values: their starts, the value that represents each, and the cost."""

    starts: Ints
    centres: Ints
    cost: float

    def __len__(self) -> int:
        return len(self.starts)


def cluster_values(values: npt.NDArray[np.float64], counts: Ints, k: int, cost: Cost) -> Clusters:
    """Partition values into stretches of at least k rows each, at the least cost.

    Parameters
    ----------
    values
        The distinct values, rising.
    counts
        How many rows have each value; rows with the same value stay together.
    k
        The rows that a cluster must have.
    cost
        ``distances``: the sum of distances to the cluster's centre, its median. ``radius``: the
        largest distance of any row to its centre. ``cellular``: the sum over clusters of radius
        times rows. Centres are values of the column.

    Notes
    -----
    [Lodha2008]_, sec. 4.1, dynamic programming. *Departures*: rows with the same value stay
    together, so a cluster may have 2k rows and more. Only stretches are considered; for
    ``distances`` and ``radius`` no other cluster is better, for ``cellular`` one may be, which the
    paper denies. *Cost*: for ``distances`` n log^2 n for n values, instead of the paper's n k,
    since a later start of the last cluster, once better, stays better; for ``radius`` n for each of
    some 60 halvings; for ``cellular`` n times the values of about k rows.

    >>> values, rows = np.array([1.0, 3, 4, 7, 12]), np.ones(5, dtype=np.int64)
    >>> found = cluster_values(values, rows, 2, "distances")
    >>> found.starts.tolist(), found.centres.tolist(), found.cost
    ([0, 3], [1, 3], 8.0)
    """
    require_choice("one_dimensional", "cost", cost, get_args(Cost))
    return find_best_stretches(values, counts, k, cost)


def find_best_stretches(values: Floats, counts: Ints, k: int, cost: str) -> Clusters:
    """Run the dynamic program of a cost and trace it back."""
    before = check(values, counts, k)
    moved = np.asarray(values, dtype=np.float64) - values[0]
    if cost in ("distances", "ranks"):
        mass = np.append(0.0, np.cumsum(moved * counts))
        found, first = cluster_by_queue(moved, before, mass, k, CODES[cost])
    elif cost == "radius":
        found, first = cluster_by_radius(moved, before, k)
    else:
        found, first = cluster_by_window(moved, before, k)
    starts: list[int] = []
    end = len(moved)
    while end:
        end = int(first[end - 1])
        starts.append(end)
    return Clusters(*find_centres(np.array(starts[::-1]), moved, before, cost), float(found))


def find_centres(starts: Ints, values: Floats, before: Ints, cost: str) -> tuple[Ints, Ints]:
    """The starts, and the value that represents each cluster."""
    ends = np.append(starts[1:], len(values)) - 1
    by_radius = cost in ("radius", "cellular")
    centres = [
        centre_at(values, i, j) if by_radius else median_at(before, i, j)
        for i, j in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
    return starts, np.array(centres, dtype=np.int64)


def check(values: Floats, counts: Ints, k: int) -> Ints:
    """Refuse values that cannot be partitioned; otherwise return the rows before each value."""
    require_whole("one_dimensional", "k", k, least=1)
    if len(values) != len(counts) or not (np.diff(values) > 0).all():
        raise ParameterError("one_dimensional", "values", "rising, with a count each")
    before = np.append(0, np.cumsum(counts)).astype(np.int64)
    if not len(counts) or before[-1] < k:
        raise ParameterError("one_dimensional", "k", f"at most the {before[-1]:,} rows there are")
    return before


# Optimal partitions of a small column's values into a given number of stretches.


FEW_VALUES = 256


def cluster_into_number(
    values: Floats, counts: Ints, k: int, number: int, cost: str
) -> Clusters | None:
    """Partition values into ``number`` stretches of at least k rows, at the least cost, or None.

    For columns with few values, where the best stretches of k rows are more than wanted, and those
    of k + 1 rows fewer.

    Notes
    -----
    [Lodha2008]_, sec. 4.1, dynamic programming. *Departures*: the number of clusters is given, so
    a cluster that could be cut in two may be part of the answer. *Cost*: m^2 for m values, times
    the number.

    >>> counts = np.array([5, 5, 5])
    >>> cluster_into_number(np.arange(3.0), counts, 5, 2, "ranks").starts.tolist()
    [0, 1]
    """
    before = check(values, counts, k)
    moved = np.asarray(values, dtype=np.float64) - values[0]
    price = _price_stretches(moved, before, np.append(0.0, np.cumsum(moved * counts)), k, cost)
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
    return Clusters(*find_centres(np.array(starts[::-1]), moved, before, cost), float(best[-1]))


def _price_stretches(x: Floats, before: Ints, mass: Floats, k: int, cost: str) -> Floats:
    """The cost of each stretch from one value to another; infinite with fewer than k rows."""
    rows = before[1:] - before[:-1, None]
    price = np.full(rows.shape, np.inf)
    for i, j in np.argwhere(rows >= k).tolist():
        if CODES[cost] == RANKS:
            price[i, j] = rows[i, j] ** 2 // 4
        elif CODES[cost] == DISTANCES:
            middle = median_at(before, i, j)
            price[i, j] = distances_to(x, before, mass, i, j, middle)
        else:
            middle = centre_at(x, i, j)
            radius = max(x[j] - x[middle], x[middle] - x[i])
            price[i, j] = radius * (rows[i, j] if CODES[cost] == CELLULAR else 1)
    return price
