"""How far one distribution is from another when some values are nearer to each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from discreet.release.checks.unchecked import Unchecked

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Levels = tuple[npt.NDArray[np.int32], ...]


def rank_values(values: Sequence[str | None], order: Sequence[str] | None) -> Ints:
    """The place of each value from low to high: as ``order`` lists them, else as numbers.

    The missing value comes last. Numbers that are written in two ways keep both places.
    """
    if order is not None:
        listed = {value: place for place, value in enumerate(order)}
        unlisted = sum(value is not None and value not in listed for value in values)
        if unlisted:
            raise Unchecked(f"order leaves out {unlisted} of the column's values")
        keys = [(listed[v], "") if v is not None else (math.inf, "") for v in values]
    else:
        keys = [_number_first(value) for value in values]
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[sorted(range(len(values)), key=keys.__getitem__)] = np.arange(len(values))
    return ranks


def _number_first(value: str | None) -> tuple[float, str]:
    if value is None:
        return math.inf, ""
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise Unchecked("not all values are numbers, and the policy gives no order")
    return number, value


def ordered_distance(differences: Floats) -> Floats:
    """Sum of the absolute cumulated differences p - q, over one less than the values, by row.

    Notes
    -----
    [Li2007]_, sec. 5.1. *Departures*: none; with a single value nothing can be moved.
    """
    steps = differences.shape[1] - 1
    if steps < 1:
        return np.zeros(len(differences))
    total: Floats = np.abs(np.cumsum(differences, axis=1)).sum(axis=1) / steps
    return total


def hierarchical_distance(differences: Floats, levels: Levels) -> Floats:
    """What it costs to move p onto q when values under a near common parent are near, by row.

    Notes
    -----
    [Li2007]_, sec. 5.2. For a leaf, extra is p - q; for a node N, the sum of its children's.
    cost(N) = height(N) / H * min(sum of its children's positive extras, sum of their negative
    ones); the distance is the sum of all costs. *Departures*: none.
    """
    top = len(levels) - 1
    cost = np.zeros(len(differences))
    extra, leaf = differences, np.arange(differences.shape[1])
    for height in range(1, top + 1):
        parent = levels[height][leaf]
        positive, first = _add_children(np.maximum(extra, 0), parent)
        negative, _ = _add_children(np.maximum(-extra, 0), parent)
        cost += height / top * np.minimum(positive, negative).sum(axis=1)
        extra, leaf = positive - negative, leaf[first]
    return cost


def _add_children(extra: Floats, parent: npt.NDArray[np.int32]) -> tuple[Floats, Ints]:
    """Add columns with the same parent; also gives the first column of each parent."""
    order = np.argsort(parent, kind="stable")
    starts = np.flatnonzero(np.diff(parent[order], prepend=-1))
    return np.add.reduceat(extra[:, order], starts, axis=1), order[starts]
