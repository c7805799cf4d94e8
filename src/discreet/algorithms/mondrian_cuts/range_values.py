"""What classes are released as in a column of ranges."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.mondrian_cuts.number_axis import NumberAxis
from discreet.algorithms.mondrian_cuts.tree_axis import TreeAxis
from discreet.frequency.classes import Floats, Ints
from discreet.hierarchy.hierarchy import SUPPRESSED, Hierarchy
from discreet.hierarchy.numbers import show
from discreet.hierarchy.values import Values


def range_values(
    axis: NumberAxis, hierarchy: Hierarchy, marginal: Floats, low: Ints, high: Ints
) -> tuple[Values, Ints]:
    """The values of a column, and the code of each class that lies from ``low`` to ``high``.

    A range covers all values of the table between its ends, those of other classes too; leaves of
    the hierarchy that the table does not hold are not counted. A class of numbers and missing
    values gets the value of the hierarchy above the missing one and all numbers from ``low`` on.
    """
    ends, code = np.unique(np.stack([low, high], axis=1), axis=0, return_inverse=True)
    first, last = ends[:, 0], ends[:, 1]
    level, ground = _common(axis, hierarchy, first, last)
    mixed = (first < last) & (last == axis.missing)
    counts = [_between(axis, amount, first, last) for amount in (hierarchy.leaves[0], marginal)]
    labels = [_range_text(axis, a, b) for a, b in ends.tolist()]
    mass = [np.bincount(codes, weights=marginal) for codes in hierarchy.maps]
    for i in np.nonzero(mixed)[0]:
        value = hierarchy.maps[level[i]][ground[i]]
        labels[i] = hierarchy.labels[level[i]][value]
        counts[0][i] = hierarchy.leaves[level[i]][value]
        counts[1][i] = mass[level[i]][value]
    values = Values(
        hierarchy.column,
        (*labels, SUPPRESSED),
        np.append(counts[0], hierarchy.leaf_count).astype(np.int64),
        np.append(level / max(1, hierarchy.height), 1.0),
        np.append(counts[1], marginal.sum()),
        np.array([*(label == SUPPRESSED for label in labels), True]),
        np.zeros(0, dtype=np.int64),
    )
    return values, code.reshape(-1)


def _range_text(axis: NumberAxis, low: int, high: int) -> str | None:
    """``20-35``, ``-5 to 5`` or ``7``; both ends belong to a range."""
    if low == axis.missing:
        return None
    units, places = axis.numbers
    start, end = (show(int(units[min(at, axis.missing - 1)]), places) for at in (low, high))
    if low == high:
        return start
    return f"{start} to {end}" if start.startswith("-") else f"{start}-{end}"


def _between(axis: NumberAxis, amount: Ints | Floats, first: Ints, last: Ints) -> Floats:
    """Sum an amount of each ground value over the values from first to last."""
    by_rank = np.bincount(axis.rank, weights=amount, minlength=axis.missing + 1)
    total = np.append(0.0, np.cumsum(by_rank))
    found: Floats = total[last + 1] - total[first]
    return found


def _common(axis: NumberAxis, hierarchy: Hierarchy, first: Ints, last: Ints) -> tuple[Ints, Ints]:
    """The level of the least common value of each range, and a ground value under it."""
    tree = TreeAxis.of(hierarchy)
    ground = np.argsort(axis.rank, kind="stable")
    begin = np.searchsorted(axis.rank[ground], np.arange(axis.missing + 2))
    stretches = [
        tree.rank[ground[begin[a] : begin[b + 1]]] for a, b in zip(first, last, strict=True)
    ]
    low = np.array([stretch.min() for stretch in stretches], dtype=np.int64)
    high = np.array([stretch.max() for stretch in stretches], dtype=np.int64)
    return tree.level(low, high), ground[begin[first]]
