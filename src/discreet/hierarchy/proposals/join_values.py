"""Join similar values, two at a time, until one group is left."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.hierarchy.proposals.row_codes import Ints, Joint, xlogx

Floats = NDArray[np.float64]

LARGEST_TABLE = 1 << 20
"""Largest row count for which ``n log n`` is looked up instead of computed for every pair."""
DIGITS = 7
"""Decimals to which costs are rounded, so that ties are ties on every machine."""


class Costs:
    """The cost of joining two groups of values: the information that is lost.

    The first part is the mutual information with the other columns that is lost, the second the
    leaves that a released group has more than its parts had, both for all rows.
    """

    def __init__(self, joint: Joint, rows: Ints, spread: float) -> None:
        self.counts = joint.counts.copy()
        self.blocks = joint.columns
        self.seen = np.maximum(joint.counts.sum(axis=1) // max(1, joint.columns), 0)
        self.rows = rows.astype(np.float64)
        self.leaves = np.ones(len(rows))
        self.spread = (
            spread
            * float(max(1, self.seen.sum()))
            / (float(max(1, rows.sum())) * max(1, len(rows)))
        )
        most = 2 * int(self.seen.sum()) + 1  # a group is compared with itself, too
        self.table = xlogx(np.arange(most)) if most <= LARGEST_TABLE else None
        self.own = self._inform(self.counts, self.seen)

    def _inform(self, counts: Ints, seen: Ints) -> Floats:
        """The information of groups about the other columns, up to a constant term."""
        if self.table is None:
            found: Floats = xlogx(counts).sum(axis=1) - self.blocks * xlogx(seen)
        else:
            found = self.table[counts].sum(axis=1) - self.blocks * self.table[seen]
        return found

    def of(self, group: int, others: slice | Ints) -> Floats:
        """The cost of joining a group with each of some others."""
        joined = self._inform(
            self.counts[others] + self.counts[group], self.seen[others] + self.seen[group]
        )
        lost = self.own[others] + self.own[group] - joined
        wider = self.rows[others] * self.leaves[group] + self.rows[group] * self.leaves[others]
        costs: Floats = np.round(np.maximum(lost, 0) + self.spread * wider, DIGITS)
        return costs

    def join(self, group: int, other: int) -> None:
        """Merge one group into another."""
        for each in (self.counts, self.seen, self.rows, self.leaves):
            each[group] += each[other]
        self.own[group] = self._inform(self.counts[[group]], self.seen[[group]])[0]

    def move(self, group: int, to: int) -> None:
        """Give a group the number of one that no longer exists."""
        for each in (self.counts, self.seen, self.rows, self.leaves, self.own):
            each[to] = each[group]


def join_all(costs: Costs) -> list[tuple[int, int]]:
    """Join groups, the cheapest pair first, until one is left; returns a pair of values per join.

    Notes
    -----
    [Slonim1999]_, the agglomerative information bottleneck. *Departures*: the leaves of a group are
    part of the cost. *Cost*: the square of the number of values times the groups of the other
    columns; each value remembers its nearest one, so few pairs are recomputed per join.
    """
    size = len(costs.rows)
    pairs = np.full((size, size), np.inf)
    for group in range(size - 1):
        pairs[group, group + 1 :] = costs.of(group, slice(group + 1, size))
    pairs = np.minimum(pairs, pairs.T)
    value = np.arange(size)  # a value of each group, which represents it
    near = pairs.argmin(axis=1) if size else np.empty(0, dtype=np.intp)
    cost = pairs[np.arange(size), near]
    joins = []
    while size > 1:
        first = int(cost[:size].argmin())
        one, other = sorted((first, int(near[first])))
        joins.append((int(value[one]), int(value[other])))
        costs.join(one, other)
        last = size - 1
        _move_last(pairs, other, last)
        near[: last + 1][near[: last + 1] == other] = -1
        near[:last][near[:last] == last] = other
        near[other], cost[other], value[other] = near[last], cost[last], value[last]
        costs.move(last, other)
        size = last
        if size == 1:
            break
        fresh = costs.of(one, slice(0, size))
        fresh[one] = np.inf
        pairs[one, :size] = pairs[:size, one] = fresh
        better = fresh < cost[:size]
        near[:size][better], cost[:size][better] = one, fresh[better]
        again = np.flatnonzero((near[:size] == -1) | (near[:size] == one) & ~better)
        again = np.union1d(again, [one])
        near[again] = pairs[again, :size].argmin(axis=1)
        cost[again] = pairs[again, near[again]]
    return joins


def _move_last(pairs: Floats, to: int, last: int) -> None:
    pairs[to, : last + 1] = pairs[last, : last + 1]
    pairs[: last + 1, to] = pairs[: last + 1, last]
    pairs[to, to] = np.inf


def join_neighbours(costs: Costs) -> list[tuple[int, int]]:
    """Join only neighbours, the cheapest pair first, for values that have an order."""
    value = list(range(len(costs.rows)))
    between = [_cost_next(costs, at) for at in range(len(value) - 1)]
    joins = []
    while between:
        at = int(np.argmin(between))
        joins.append((value[at], value[at + 1]))
        costs.join(value[at], value[at + 1])
        del value[at + 1], between[at]
        for place in (at - 1, at):
            if 0 <= place < len(between):
                between[place] = _cost_next(costs, value[place], value[place + 1])
    return joins


def _cost_next(costs: Costs, group: int, other: int | None = None) -> float:
    return float(costs.of(group, np.array([group + 1 if other is None else other]))[0])


def cut_joins(joins: Sequence[tuple[int, int]], values: int, sizes: Sequence[int]) -> list[Ints]:
    """For each size, the group of each value once that many groups are left."""
    group = np.arange(values)
    levels, done = [], 0
    for size in sizes:
        for one, other in joins[done : values - size]:
            kept, gone = sorted((int(group[one]), int(group[other])))
            group[group == gone] = kept
        done = max(done, values - size)
        levels.append(group.copy())
    return levels


def choose_sizes(values: int, most: int) -> list[int]:
    """How many groups each level has: about half of the level below, down to two.

    >>> choose_sizes(16, 4), choose_sizes(42, 4), choose_sizes(3, 4), choose_sizes(2, 4)
    ([8, 4, 2], [20, 9, 4, 2], [2], [])
    """
    if values < 3:
        return []
    steps = min(most, max(1, round(np.log2(values)) - 1))
    sizes = [round(values * (2 / values) ** (step / steps)) for step in range(1, steps + 1)]
    return [size for size in dict.fromkeys(sizes) if 2 <= size < values]
