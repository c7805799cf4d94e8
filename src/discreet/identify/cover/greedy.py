"""Columns one by one, the best next one first."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np

from discreet.identify.cover.goal import Floats
from discreet.identify.cover.growing import Growing, with_all


def greedy_least(
    start: Growing, places: Sequence[int], weights: Floats, goal: int
) -> list[int] | None:
    """Columns, cheapest gain first, until the goal is met, less those not needed; None if never.

    What a column adds beyond the goal does not count, or a heavy column might win by it.
    """
    state, picked = start, list[int]()
    gains = [(-np.inf, -np.inf, place) for place in places]
    heapq.heapify(gains)
    while state.value < goal:
        if not state.diminishing:
            gains = [_gain(state, place, weights, goal) for *_, place in gains]
            heapq.heapify(gains)
        best = _best(state, gains, weights, goal)
        if best is None:
            return None
        picked.append(best)
        state = state.plus(best)
    for place in picked[::-1]:
        rest = [other for other in picked if other != place]
        if with_all(start, rest).value >= goal:
            picked = rest
    return picked


def _gain(state: Growing, place: int, weights: Floats, goal: int) -> tuple[float, float, int]:
    """What a column adds for its weight; smaller is better."""
    now = state.value
    more = state.value_with(place) - now
    return -min(more, goal - now) / float(weights[place]), -float(more), place


def _best(
    state: Growing, gains: list[tuple[float, float, int]], weights: Floats, goal: int
) -> int | None:
    """The best gain; an old gain is never too small, so it need not be counted again to lose."""
    fresh = set[int]()
    while gains:
        gain, _, place = heapq.heappop(gains)
        if place in fresh:
            return place if gain < 0 else None
        fresh.add(place)
        heapq.heappush(gains, _gain(state, place, weights, goal))
    return None


def greedy_most(start: Growing, places: Sequence[int], weights: Floats, limit: int) -> list[int]:
    """Columns, least gain for their weight first, as long as the limit is kept.

    A value that was counted for a smaller set is never too large, so some need no new count.
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
