"""Finer classes under any promise: a class is cut if its parts keep the promises too."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator
from itertools import count

import numpy as np
import numpy.typing as npt

from discreet.algorithms.local import kernels
from discreet.algorithms.local.ground import (
    LONGEST,
    Ground,
    Keys,
    Parts,
    Promises,
    average_losses,
    build_parts,
    make_spare_room,
)
from discreet.algorithms.optimal.box_search import Progress
from discreet.frequency.classes import Floats, Ints, Mask, add_up

ROUNDS = 60


def refine(
    ground: Ground,
    promises: Promises,
    home: Ints,
    deadline: float | None,
    progress: Progress | None,
    after: Callable[[Parts, Mask], None] = lambda parts, dropped: None,
) -> Ints:
    """Cut classes along one column at a time, the one that gains most, until nothing gains.

    The values one level below that keep the promises become classes; the others stay together, and
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
        parts = build_parts(ground, kept, ground.rows[kept], home[kept])
        after(parts, home < 0)
        gain, target = np.zeros(len(changed)), home.copy()
        for column in range(ground.codes.shape[1]):
            _cut(ground, promises, parts, home, changed, column, gain, target)
        if progress is not None:
            progress(number)
        if not (gain > 0).any():
            break
        home[kept], before = _number_classes(target[kept], len(changed))
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
    """Cut every changed class along a column, if that gains more than earlier cuts.

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
    passing = ~promises.fails(_spread_labels(home, tried, child), len(pairs))
    stays = ~passing[child]
    whole = promises.fails(_spread_labels(home, tried, np.where(stays, own, -1)), classes)
    left = add_up(own[stays], ground.rows[tried[stays]], classes) > 0
    mass = ground.rows[tried] * ground.unit[tried]
    rise = ground.worth[at - ground.size[column]] - ground.worth[at]
    gained = add_up(own, np.where(stays, 0.0, mass * rise), classes)
    better = (gained > gain + 1e-9) & ~(left & whole)
    gain[better] = gained[better]
    chosen = better[own]
    moved = np.where(stays, own, own + classes * (below + 1))
    target[tried[chosen]] = moved[chosen]


def _spread_labels(home: Ints, tried: Ints, label: Ints) -> Ints:
    """A class for every tuple, -1 for those that are not tried."""
    found = np.full(len(home), -1)
    found[tried] = label
    return found


def _number_classes(target: Ints, classes: int) -> tuple[Ints, Ints]:
    """Classes renumbered without gaps, and the class each came from."""
    different, number = np.unique(target, return_inverse=True)
    return number.reshape(-1).astype(np.int64), different % classes


# Better classes: rows move to nearby classes or form new ones, as long as that gains.


NEAR = 48
"""Classes on either side, in the order of a sweep, that a class may exchange rows with."""

AT_ONCE = 1 << 11
"""Classes that are tried between two checks of the clock."""

COARSE = 0.8
"""How often classes are sorted by a column's level below the root instead of any level."""


def sweep_all(
    ground: Ground,
    parts: Parts,
    promises: Promises,
    sweeps: int,
    deadline: float | None,
    progress: Progress | None,
    after: Callable[[], None] = lambda: None,
) -> None:
    """Sweep over all classes ``sweeps`` times, or until the deadline; call ``after`` each time.

    Each sweep sorts the classes by other columns first, so that other classes become neighbours.
    Most columns are sorted one level below the root, where joining costs most. Classes that lose
    most are tried first. *Cost*: each sweep visits some 100 classes for each part of a class that
    can still gain.
    """
    random = np.random.default_rng(1)
    number = 0
    while number < sweeps if deadline is None else time.monotonic() < deadline:
        _sweep(ground, parts, promises, random, number % 3 == 2, deadline, progress)
        number += 1
        after()


def _sweep(
    ground: Ground,
    parts: Parts,
    promises: Promises,
    random: np.random.Generator,
    exchange: bool,
    deadline: float | None,
    progress: Progress | None,
) -> None:
    """Try every class once, checking the clock from time to time."""
    near, low, high = order_neighbours(ground, parts, random)
    spare, log = make_spare_room(len(ground.size)), np.zeros((LONGEST, 3), dtype=np.int64)
    lost = average_losses(ground, parts)
    order = np.argsort(-lost, kind="stable")
    order = order[lost[order] > kernels.LEAST_GAIN]
    for first in range(0, len(order), AT_ONCE):
        some = order[first : first + AT_ONCE]
        kernels.improve(
            ground, parts, some, near, low, high, promises.least, promises.divides, exchange,
            spare, log,
        )  # fmt: skip
        if progress is not None:
            progress(first)
        if deadline is not None and time.monotonic() > deadline:
            return


def order_neighbours(
    ground: Ground, parts: Parts, random: np.random.Generator
) -> tuple[Ints, Ints, Ints]:
    """Classes sorted by random columns and levels, and the range of neighbours of each."""
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


# Classes that break a promise about sensitive values join others until they keep it.


PARTNERS = 8
"""How many nearby classes are tried for each that breaks a promise."""

ORDERS = 6
"""Orders of the classes in each of which nearby ones are tried."""


def join_failing_classes(
    ground: Ground, promises: Promises, home: Ints, progress: Progress | None
) -> Ints | None:
    """Classes that each keep the promises, or None if not even all rows together do.

    In every round each class that breaks a promise joins the nearby one that loses least and with
    which it keeps the promises; a class that finds none joins the nearest, and continues from
    there. *Cost*: every round visits some hundred classes for each that breaks a promise.
    """
    random = np.random.default_rng(1)
    for number in range(len(home)):
        classes = int(home.max()) + 1
        failing = np.nonzero(promises.fails(home, classes))[0]
        if not len(failing):
            return home
        if classes == 1:
            return None
        kept = np.nonzero(home >= 0)[0]
        parts = build_parts(ground, kept, ground.rows[kept], home[kept])
        first, second, loss = _list_pairs(ground, parts, failing, random)
        fails = promises.fails_joined(home, classes, first, second)
        target = _match_classes(classes, first, second, loss, fails)
        home = np.where(home >= 0, target[home], -1)
        home[kept] = np.unique(home[kept], return_inverse=True)[1].reshape(-1)
        if progress is not None:
            progress(number)
    return None


def _list_pairs(
    ground: Ground, parts: Parts, failing: Ints, random: np.random.Generator
) -> tuple[Ints, Ints, Floats]:
    """The classes that each failing class could join, and the loss."""
    partner = np.full((len(failing), PARTNERS), -1)
    loss = np.full(partner.shape, np.inf)
    for _ in range(ORDERS):
        near, low, high = order_neighbours(ground, parts, random)
        kernels.list_partners(ground, parts, failing, near, low, high, partner, loss)
    there = partner >= 0
    return np.repeat(failing, there.sum(axis=1)), partner[there], loss[there]


def _match_classes(classes: int, first: Ints, second: Ints, loss: Floats, fails: Mask) -> Ints:
    """The class that each class joins in this round, or itself; each is in at most one pair."""
    hopeful = np.zeros(classes, dtype=np.bool_)
    hopeful[first[~fails]] = True
    target, taken = np.arange(classes), np.zeros(classes, dtype=np.bool_)
    for pair in np.argsort(loss, kind="stable"):
        a, b = first[pair], second[pair]
        if taken[a] or taken[b] or (fails[pair] and hopeful[a]):
            continue
        target[a] = b
        taken[a] = taken[b] = True
    return target


# One way to release each value: the cut of every hierarchy is lowered value by value.


Step = tuple[float, int, int, int, Ints]
"""Minus the gain, a number, a column, its present level, and the tuples with the value."""


def find_consistent_levels(
    ground: Ground,
    promises: Promises,
    levels: Ints,
    kept: Mask,
    limit: int,
    progress: Progress | None,
) -> tuple[Ints, Mask, int]:
    """The levels of each tuple, which tuples are kept, and how many cuts were tried.

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
        key += _find_value_keys(ground, column, level, everything)
        _push_steps(ground, steps, numbers, column, level, everything[kept])
    found, number = np.tile(levels, (n, 1)), 0
    while steps:
        loss, _, column, level, who = heapq.heappop(steps)
        number += 1
        who = who[kept[who]]
        changed = (
            key[who]
            - _find_value_keys(ground, column, level, who)
            + _find_value_keys(ground, column, level - 1, who)
        )
        gone = who[_find_failing_tuples(ground, promises, who, changed)]
        allowed = int(ground.rows[gone].sum()) <= limit
        if not len(gone) or (allowed and _sum_worth(ground, found, gone) < -loss):
            limit -= int(ground.rows[gone].sum())
            kept[gone] = False
            key[who] = changed
            found[who, column] = level - 1
            _push_steps(ground, steps, numbers, column, level - 1, who)
        if progress is not None:
            progress(number)
    return found, kept, number


def _push_steps(
    ground: Ground, steps: list[Step], numbers: Iterator[int], column: int, level: int, who: Ints
) -> None:
    """Queue the gains of taking each value of a column down a level."""
    if level == 0:
        return
    now, below = _place(ground, column, level, who), _place(ground, column, level - 1, who)
    gain = ground.rows[who] * ground.unit[who] * (ground.worth[below] - ground.worth[now])
    order = np.argsort(ground.up[now], kind="stable")
    for some in np.split(order, np.nonzero(np.diff(ground.up[now][order]))[0] + 1):
        if len(some):
            step = -float(gain[some].sum()), next(numbers), column, level, who[some]
            heapq.heappush(steps, step)


def _find_failing_tuples(ground: Ground, promises: Promises, who: Ints, key: Keys) -> Mask:
    """Which of the tuples are in classes that do not pass."""
    different, number = np.unique(key, return_inverse=True)
    rows = np.bincount(number, weights=ground.rows[who], minlength=len(different))
    fails = rows < promises.least
    if promises.models and not fails.all():
        home = np.full(len(ground.rows), -1)
        home[who] = number
        fails = promises.fails(home, len(different))
    return fails[number]


def _sum_worth(ground: Ground, levels: Ints, who: Ints) -> float:
    """The worth of tuples at their present levels."""
    total = 0.0
    for column in range(levels.shape[1]):
        at = ground.start[column] + levels[who, column] * ground.size[column]
        cells = ground.worth[at + ground.codes[who, column]]
        total += float((cells * ground.rows[who] * ground.unit[who]).sum())
    return total


def _place(ground: Ground, column: int, level: int, who: Ints) -> Ints:
    found: Ints = ground.start[column] + level * ground.size[column] + ground.codes[who, column]
    return found


def _find_value_keys(ground: Ground, column: int, level: int, who: Ints) -> Keys:
    """The part of a tuple's key for a value: that of the first ground value under it.

    The values of a cut have no ground value in common, so no two of them share it.
    """
    start, size = int(ground.start[column]), int(ground.size[column])
    up = ground.up[start + level * size : start + (level + 1) * size]
    first = np.full(int(up.max()) + 1, size, dtype=np.int64)
    np.minimum.at(first, up, np.arange(size))
    found: Keys = ground.key[start + first[up[ground.codes[who, column]]]]
    return found
