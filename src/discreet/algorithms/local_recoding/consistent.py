"""One way to release each value: the cut of every hierarchy is lowered value by value."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import count

import numpy as np

from discreet.algorithms.box_search import Progress
from discreet.algorithms.local_recoding.ground import Ground, Keys
from discreet.algorithms.local_recoding.promises import Promises
from discreet.frequency.classes import Ints, Mask

Step = tuple[float, int, int, int, Ints]
"""Minus the gain, a number, a column, its level now, and the tuples with the value."""


def consistent_levels(
    ground: Ground,
    promises: Promises,
    levels: Ints,
    kept: Mask,
    limit: int,
    progress: Progress | None,
) -> tuple[Ints, Mask, int]:
    """Levels of each tuple, which are kept, and how many cuts were tried.

    ``levels`` has the level that each column starts at, ``kept`` the tuples that are not left out;
    their classes must pass. The value whose children gain most is replaced by them, if all classes
    still pass; those that do not may be left out within the limit. A cut that fails once is not
    tried again: with finer classes it would fail too. *Cost*: each tuple is grouped at most once
    for each level of each column.
    """
    n, columns = ground.codes.shape
    everything, kept = np.arange(n), kept.copy()
    key = np.zeros(n, dtype=np.uint64)
    steps: list[Step] = []
    numbers = count()
    for column in range(columns):
        level = int(levels[column])
        key += _at(ground, column, level, everything)
        _push(ground, steps, numbers, column, level, everything[kept])
    found, number = np.tile(levels, (n, 1)), 0
    while steps:
        loss, _, column, level, who = heapq.heappop(steps)
        number += 1
        who = who[kept[who]]
        changed = key[who] - _at(ground, column, level, who) + _at(ground, column, level - 1, who)
        gone = who[_failing(ground, promises, who, changed)]
        allowed = int(ground.rows[gone].sum()) <= limit
        if not len(gone) or (allowed and _worth(ground, found, gone) < -loss):
            limit -= int(ground.rows[gone].sum())
            kept[gone] = False
            key[who] = changed
            found[who, column] = level - 1
            _push(ground, steps, numbers, column, level - 1, who)
        if progress is not None:
            progress(number, 0.0, None)
    return found, kept, number


def _push(
    ground: Ground, steps: list[Step], numbers: Iterator[int], column: int, level: int, who: Ints
) -> None:
    """Remember what it gains to take each value of a column down a level."""
    if level == 0:
        return
    now, below = _place(ground, column, level, who), _place(ground, column, level - 1, who)
    gain = ground.rows[who] * ground.unit[who] * (ground.worth[below] - ground.worth[now])
    order = np.argsort(ground.up[now], kind="stable")
    for some in np.split(order, np.nonzero(np.diff(ground.up[now][order]))[0] + 1):
        if len(some):
            step = -float(gain[some].sum()), next(numbers), column, level, who[some]
            heapq.heappush(steps, step)


def _failing(ground: Ground, promises: Promises, who: Ints, key: Keys) -> Mask:
    """Which of the tuples are in classes that do not pass."""
    different, number = np.unique(key, return_inverse=True)
    rows = np.bincount(number, weights=ground.rows[who], minlength=len(different))
    fails = rows < promises.least
    if promises.models and not fails.all():
        home = np.full(len(ground.rows), -1)
        home[who] = number
        fails = promises.fails(home, len(different))
    return fails[number]


def _worth(ground: Ground, levels: Ints, who: Ints) -> float:
    """What tuples are worth at their levels now."""
    total = 0.0
    for column in range(levels.shape[1]):
        at = ground.start[column] + levels[who, column] * ground.size[column]
        cells = ground.worth[at + ground.codes[who, column]]
        total += float((cells * ground.rows[who] * ground.unit[who]).sum())
    return total


def _place(ground: Ground, column: int, level: int, who: Ints) -> Ints:
    found: Ints = ground.start[column] + level * ground.size[column] + ground.codes[who, column]
    return found


def _at(ground: Ground, column: int, level: int, who: Ints) -> Keys:
    """The part of a tuple's key for a value: that of the first ground value under it.

    The values of a cut have no ground value in common, so no two of them share it.
    """
    start, size = int(ground.start[column]), int(ground.size[column])
    up = ground.up[start + level * size : start + (level + 1) * size]
    first = np.full(int(up.max()) + 1, size, dtype=np.int64)
    np.minimum.at(first, up, np.arange(size))
    found: Keys = ground.key[start + first[up[ground.codes[who, column]]]]
    return found
