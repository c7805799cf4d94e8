"""Finer classes under any promise: a class is cut where its parts keep the promises too."""

from __future__ import annotations

import time

import numpy as np

from discreet.algorithms.box_search import Progress
from discreet.algorithms.local_recoding.ground import Ground
from discreet.algorithms.local_recoding.parts import Parts, parts_of
from discreet.algorithms.local_recoding.promises import Promises
from discreet.frequency.classes import Floats, Ints, Mask, add_up

ROUNDS = 60


def refine(
    ground: Ground,
    promises: Promises,
    home: Ints,
    deadline: float | None,
    progress: Progress | None,
) -> Ints:
    """Cut classes along one column at a time, the one that gains most, until nothing gains.

    The values a level below that keep the promises become classes; the others stay together, and
    must keep them too. Tuples whose class is -1 are left out. *Cost*: every round judges the
    classes that changed, twice for each column.
    """
    inside = home >= 0
    if not inside.any():
        return home
    home = home.copy()
    home[inside] = np.unique(home[inside], return_inverse=True)[1].reshape(-1)
    changed = np.ones(int(home.max()) + 1, dtype=np.bool_)
    for number in range(ROUNDS):
        if deadline is not None and time.monotonic() > deadline:
            break
        kept = np.nonzero(home >= 0)[0]
        parts = parts_of(ground, kept, ground.rows[kept], home[kept])
        gain, target = np.zeros(len(changed)), home.copy()
        for column in range(ground.codes.shape[1]):
            _cut(ground, promises, parts, home, changed, column, gain, target)
        if progress is not None:
            progress(number, 0.0, None)
        if not (gain > 0).any():
            break
        home[kept], before = _numbered(target[kept], len(changed))
        grown = np.bincount(before, minlength=len(gain)) > 1
        changed = grown[before]
    return home


def _cut(
    ground: Ground,
    promises: Promises,
    parts: Parts,
    home: Ints,
    changed: Mask,
    column: int,
    gain: Floats,
    target: Ints,
) -> None:
    """Cut every changed class along a column, where that gains more than what was found before.

    ``target`` is a class's number, plus the number of classes times one more than the value for
    rows that leave it.
    """
    level = parts.level[home, column]
    tried = np.nonzero((home >= 0) & changed[home] & (level > 0))[0]
    if not len(tried):
        return
    classes, own = len(changed), home[tried]
    code = ground.codes[tried, column]
    at = ground.start[column] + level[tried] * ground.size[column] + code
    below = ground.up[at - ground.size[column]].astype(np.int64)
    pairs, child = np.unique(own * ground.size[column] + below, return_inverse=True)
    passing = ~promises.fails(_spread(home, tried, child), len(pairs))
    stays = ~passing[child]
    whole = promises.fails(_spread(home, tried, np.where(stays, own, -1)), classes)
    left = add_up(own[stays], ground.rows[tried[stays]], classes) > 0
    mass = ground.rows[tried] * ground.unit[tried]
    rise = ground.worth[at - ground.size[column]] - ground.worth[at]
    gained = add_up(own, np.where(stays, 0.0, mass * rise), classes)
    better = (gained > gain + 1e-9) & ~(left & whole)
    gain[better] = gained[better]
    chosen = better[own]
    moved = np.where(stays, own, own + classes * (below + 1))
    target[tried[chosen]] = moved[chosen]


def _spread(home: Ints, tried: Ints, label: Ints) -> Ints:
    """A class for every tuple, -1 for those that are not tried."""
    found = np.full(len(home), -1)
    found[tried] = label
    return found


def _numbered(target: Ints, classes: int) -> tuple[Ints, Ints]:
    """Classes numbered anew without gaps, and which class each came from."""
    different, number = np.unique(target, return_inverse=True)
    return number.reshape(-1).astype(np.int64), different % classes
