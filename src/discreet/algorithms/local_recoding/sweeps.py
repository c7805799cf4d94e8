"""Better classes: rows move to classes near by, or form new ones, as long as that gains."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

from discreet.algorithms.box_search import Progress
from discreet.algorithms.local_recoding.ground import Ground
from discreet.algorithms.local_recoding.parts import LONGEST, Parts, losses, spare_room
from discreet.algorithms.local_recoding.promises import Promises
from discreet.frequency.classes import Ints

NEAR = 48
"""Classes on either side, in the order of a sweep, that a class may exchange rows with."""

AT_ONCE = 1 << 11
"""Classes that are tried before the clock is looked at."""

COARSE = 0.8
"""How often classes are sorted by a column's level below the root instead of any level."""


def sweep_all(
    ground: Ground,
    parts: Parts,
    promises: Promises,
    sweeps: int,
    deadline: float | None,
    progress: Progress | None,
) -> None:
    """Sweep over all classes so many times, or until the deadline.

    Each sweep sorts the classes by other columns first, so that other classes are near each other.
    Most columns are sorted a level below the root: to join there is what costs most. Classes that
    lose most are tried first. *Cost*: each sweep looks at some 100 classes for each part of a class
    that can still gain.
    """
    random = np.random.default_rng(1)
    number = 0
    while number < sweeps if deadline is None else time.monotonic() < deadline:
        _sweep(ground, parts, promises.least, random, number % 3 == 2, deadline, progress)
        number += 1


def _sweep(
    ground: Ground,
    parts: Parts,
    least: int,
    random: np.random.Generator,
    exchange: bool,
    deadline: float | None,
    progress: Progress | None,
) -> None:
    """Try every class once, with a look at the clock now and then."""
    from discreet.algorithms.local_recoding import kernels

    near, low, high = neighbours(ground, parts, random)
    spare, log = spare_room(len(ground.size)), np.zeros((LONGEST, 3), dtype=np.int64)
    lost = losses(ground, parts)
    order = np.argsort(-lost, kind="stable")
    order = order[lost[order] > kernels.LEAST_GAIN]
    for first in range(0, len(order), AT_ONCE):
        some = order[first : first + AT_ONCE]
        kernels.improve(ground, parts, some, near, low, high, least, True, exchange, spare, log)
        if progress is not None:
            progress(first, 0.0, None)
        if deadline is not None and time.monotonic() > deadline:
            return


def neighbours(
    ground: Ground, parts: Parts, random: np.random.Generator
) -> tuple[Ints, Ints, Ints]:
    """Classes in an order by columns and levels at random, and which stretch is near each."""
    classes = int(parts.used[1])
    there = np.nonzero(parts.size[:classes] > 0)[0]
    codes = ground.codes[parts.member[there]]
    keys: list[npt.NDArray[np.int32]] = []
    for c in random.permutation(codes.shape[1]):
        below = max(1, int(ground.height[c]))
        level = below - 1 if random.random() < COARSE else int(random.integers(0, below))
        keys.append(ground.up[ground.start[c] + level * ground.size[c] + codes[:, c]])
    near = there[np.lexsort(keys[::-1])]
    place = np.arange(len(near))
    low, high = np.zeros(len(parts.head), np.int64), np.zeros(len(parts.head), np.int64)
    low[near] = np.maximum(0, place - NEAR)
    high[near] = np.minimum(len(near), place + NEAR)
    return near, low, high
