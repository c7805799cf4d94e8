"""Rows that cost their class more than they are worth are left out, as far as the limit allows."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.local_recoding.ground import Ground
from discreet.algorithms.local_recoding.parts import Parts
from discreet.algorithms.local_recoding.promises import Promises


def drop_outliers(ground: Ground, parts: Parts, promises: Promises, limit: int) -> None:
    """Leave out at most ``limit`` rows where that gains; their parts get the class -1.

    In every round each class can lose one part, the parts that gain most a row first. *Cost*: every
    round looks at all classes.
    """
    from discreet.algorithms.local_recoding import kernels

    while limit > 0:
        part, rows, gain = kernels.outliers(ground, parts, promises.least)
        wanted = np.nonzero(gain > kernels.LEAST_GAIN)[0]
        if promises.models and len(wanted):
            home = np.full(len(ground.rows), -1)
            used = parts.home[: parts.used[0]]
            home[parts.owner[: len(used)][used >= 0]] = used[used >= 0]
            home[parts.owner[part[wanted]]] = -1
            wanted = wanted[~promises.fails(home, int(parts.used[1]))[wanted]]
        wanted = wanted[np.argsort(-gain[wanted] / rows[wanted], kind="stable")]
        wanted = wanted[np.cumsum(rows[wanted]) <= limit]
        if not len(wanted):
            return
        for a in wanted:
            kernels.remove(ground, parts, part[a], rows[a])
        limit -= int(rows[wanted].sum())
