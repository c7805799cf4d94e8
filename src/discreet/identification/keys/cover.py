"""Proven minimum or maximum sets of columns, as hitting sets of all counterexamples."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy

from discreet.display import dataclass
from discreet.identification.keys.goal import Floats
from discreet.identification.keys.growing import Growing, add_columns

MOST_EXACT = 100
"""Most columns for which a proven optimum is computed."""


@dataclass(frozen=True)
class Best:
    """The best set found, whether it is proven optimal, and a bound on all sets."""

    places: list[int]
    proven: bool
    bound: float


def find_least_exactly(
    start: Growing,
    places: Sequence[int],
    weights: Floats,
    goal: int,
    known: list[int],
    seconds: float | None = None,
) -> Best:
    """The lightest columns that meet the goal; ``known`` is one such set.

    Every set that misses the goal is grown to a maximal one that misses it; an answer has a column
    outside of each. The lightest set that hits all these complements is tried next.
    """

    def outside(chosen: list[int]) -> list[int] | None:
        state = add_columns(start, chosen)
        if state.value >= goal:
            return None
        left = [place for place in places if place not in chosen]
        needed = []
        for place in left:
            if state.value_with(place) < goal:
                state = state.plus(place)
            else:
                needed.append(place)
        return needed

    return _hit_all(places, weights, outside, known, seconds)


def find_most_exactly(
    start: Growing,
    places: Sequence[int],
    weights: Floats,
    limit: int,
    known: list[int],
    seconds: float | None = None,
) -> Best:
    """The heaviest columns that keep the limit; ``known`` is one such set.

    Every set above the limit is reduced to a minimal one above it; an answer leaves out a column of
    each. The lightest columns that hit all of them are left out next.
    """

    def too_much(out: list[int]) -> list[int] | None:
        kept = [place for place in places if place not in out]
        if add_columns(start, kept).value <= limit:
            return None
        for place in list(kept):
            rest = [other for other in kept if other != place]
            if add_columns(start, rest).value > limit:
                kept = rest
        return kept

    left_out = [place for place in places if place not in known]
    found = _hit_all(places, weights, too_much, left_out, seconds)
    kept = [place for place in places if place not in found.places]
    whole = float(sum(weights[place] for place in places))
    return Best(kept, found.proven, whole - found.bound)


def _hit_all(
    places: Sequence[int],
    weights: Floats,
    missed: Callable[[list[int]], list[int] | None],
    known: list[int],
    seconds: float | None,
) -> Best:
    """The lightest set that hits everything ``missed`` returns; sets are generated as needed."""
    until = None if seconds is None else time.monotonic() + seconds
    cost = np.array([weights[place] for place in places])
    column_of = {place: i for i, place in enumerate(places)}
    rows: list[list[int]] = []
    chosen, bound = list[int](), 0.0
    while True:
        while (cut := missed(chosen)) is not None:  # a cheap hit first, so that one program
            rows.append([column_of[place] for place in cut])  # gets several cuts
            if until is not None and time.monotonic() > until:
                return Best(known, False, bound)
            chosen = [*chosen, min(cut, key=lambda place: (weights[place], place))]
        if sum(weights[place] for place in chosen) < sum(weights[place] for place in known):
            known = chosen
        if not rows:
            return Best(known, True, 0.0)
        owner = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        data = (np.ones(len(owner)), (owner, np.concatenate(rows)))
        matrix = scipy.sparse.csr_array(data, shape=(len(rows), len(places)))
        options: dict[str, Any] = {"mip_rel_gap": 0.0}
        if until is not None:
            options["time_limit"] = max(0.01, until - time.monotonic())
        solved = scipy.optimize.milp(
            cost,
            constraints=scipy.optimize.LinearConstraint(matrix, lb=1),
            integrality=np.ones(len(places)),
            bounds=scipy.optimize.Bounds(0, 1),
            options=options,
        )
        if solved.status != 0:
            return Best(known, False, bound)
        bound = float(solved.fun)
        if bound >= sum(weights[place] for place in known) * (1 - 1e-9):
            return Best(known, True, bound)
        chosen = [place for place, x in zip(places, solved.x, strict=True) if x > 0.5]


# Greedy search: columns one by one, the best next one first.


def find_least_greedily(
    start: Growing, places: Sequence[int], weights: Floats, goal: int
) -> list[int] | None:
    """Add columns, cheapest gain first, until the goal is met, then drop unneeded ones.

    Gains beyond the goal do not count, or a heavy column might win by them.
    """
    state, picked = start, list[int]()
    gains = [(-np.inf, -np.inf, place) for place in places]
    heapq.heapify(gains)
    while state.value < goal:
        if not state.diminishing:
            gains = [_measure_gain(state, place, weights, goal) for *_, place in gains]
            heapq.heapify(gains)
        best = _take_best(state, gains, weights, goal)
        if best is None:
            return None
        picked.append(best)
        state = state.plus(best)
    for place in picked[::-1]:
        rest = [other for other in picked if other != place]
        if add_columns(start, rest).value >= goal:
            picked = rest
    return picked


def _measure_gain(
    state: Growing, place: int, weights: Floats, goal: int
) -> tuple[float, float, int]:
    """The gain of a column for its weight; smaller is better."""
    now = state.value
    more = state.value_with(place) - now
    return -min(more, goal - now) / float(weights[place]), -float(more), place


def _take_best(
    state: Growing, gains: list[tuple[float, float, int]], weights: Floats, goal: int
) -> int | None:
    """The best gain; an old gain is never too small, so a loser need not be counted again."""
    fresh = set[int]()
    while gains:
        gain, _, place = heapq.heappop(gains)
        if place in fresh:
            return place if gain < 0 else None
        fresh.add(place)
        heapq.heappush(gains, _measure_gain(state, place, weights, goal))
    return None


def find_most_greedily(
    start: Growing, places: Sequence[int], weights: Floats, limit: int
) -> list[int]:
    """Add columns, least gain for their weight first, as long as the limit is kept.

    A value counted for a smaller set is never too large, so some need no new count.
    """
    state, picked = start, list[int]()
    known = dict.fromkeys(places, state.value)
    while known:
        now = state.value
        least = {place: max(value - now, 0) / weights[place] for place, value in known.items()}
        best, lowest = None, np.inf
        for place in sorted(known, key=lambda place: (least[place], place)):
            if least[place] >= lowest:
                break
            known[place] = value = state.value_with(place)
            if value > limit:
                del known[place]
            elif (gain := (value - now) / weights[place]) < lowest:
                best, lowest = place, gain
        if best is None:
            break
        del known[best]
        picked.append(best)
        state = state.plus(best)
    return picked
