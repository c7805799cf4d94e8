"""What becomes of rows that the walk leaves without a class: they join others, or are left out."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.local_recoding.ground import Ground
from discreet.algorithms.local_recoding.parts import Parts, parts_of
from discreet.algorithms.local_recoding.promises import Promises
from discreet.frequency.classes import Floats, Ints


def settle(ground: Ground, promises: Promises, home: Ints, limit: int) -> Ints | None:
    """The class of each tuple, or -1 for those that are left out; None if no way was found.

    Rows without a class become one if they pass together; otherwise they join the classes that
    lose least by it, as many as are needed to pass. If that costs more than to leave them out, and
    the limit allows it, they are left out.
    """
    lost = home < 0
    if not lost.any():
        return home
    classes = int(home.max(initial=-1)) + 1
    alone = np.where(lost, 0, -1)
    if not promises.fails(alone, 1)[0]:
        return np.where(lost, classes, home)
    dropped = home if int(ground.rows[lost].sum()) <= limit else None
    joined = _joined(ground, promises, home, classes) if classes else None
    if joined is None or dropped is None:
        return dropped if joined is None else joined
    return max((joined, dropped), key=lambda one: _value(ground, one))


def _joined(ground: Ground, promises: Promises, home: Ints, classes: int) -> Ints | None:
    """The rows without a class together with as many of the nearest classes as let them pass."""
    lost = home < 0
    value = _join_values(ground, home, classes)
    order, number = np.argsort(-value, kind="stable"), 1
    while True:
        merged = np.zeros(classes, dtype=np.bool_)
        merged[order[:number]] = True
        together = np.where(lost | merged[home], 0, -1)
        if not promises.fails(together, 1)[0]:
            joined = np.where(together == 0, order[0], home)
            return np.unique(joined, return_inverse=True)[1].reshape(-1).astype(np.int64)
        if number >= classes:
            return None
        number *= 2


def _join_values(ground: Ground, home: Ints, classes: int) -> Floats:
    """What each class and the rows without one are worth together, less the class by itself."""
    from discreet.algorithms.local_recoding import kernels

    lost = np.nonzero(home < 0)[0]
    everything = np.where(home < 0, classes, home)
    parts = parts_of(ground, np.arange(len(home)), ground.rows, everything)
    value: Floats = kernels.merged_values(ground, parts, classes, lost[0])[:classes]
    return value


def _value(ground: Ground, home: Ints) -> float:
    """What a release is worth in which tuples without a class are left out."""
    kept = np.nonzero(home >= 0)[0]
    if not len(kept):
        return 0.0
    parts = parts_of(ground, kept, ground.rows[kept], home[kept])
    return total_worth(parts)


def total_worth(parts: Parts) -> float:
    """What all classes are worth together."""
    return float((parts.mass * parts.worth).sum())
