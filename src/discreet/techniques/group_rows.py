"""Near rows into groups of at least k, in time that grows little faster than the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.techniques.group_kernels import best_cuts, mdav

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.techniques.number_columns import Floats

BLOCK = 512
"""Rows of a block that MDAV looks through for each of its groups; more if k is large."""
GROUPS = 64
"""Most groups of a block: what sets the time."""
STEPS = 1_000_000_000
"""Above so many steps one column is grouped in sorted blocks: the best groups take too long."""


def group_rows(
    points: list[Floats], labels: list[NDArray[Any]], k: int, variable: bool
) -> NDArray[np.int64]:
    """The number of the group of each row: 0 and up, each with at least k rows."""
    if len(points) == 1 and not labels:
        return _one_column(points[0], k, variable)
    rows = len([*points, *labels][0])
    numbers = np.column_stack(points) if points else np.zeros((rows, 0))
    codes = np.column_stack(labels) if labels else np.zeros((rows, 0), np.int64)
    order, starts = _blocks(
        np.hstack([numbers, _scaled(codes)]), min(GROUPS * k, max(BLOCK, 10 * k)), k
    )
    kinds = int(codes.max(initial=0)) + 1
    numbers, codes = np.ascontiguousarray(numbers), np.ascontiguousarray(codes)
    return np.asarray(mdav(numbers, codes, order, starts, k, variable, kinds))


def _one_column(values: Floats, k: int, variable: bool) -> NDArray[np.int64]:
    order = np.argsort(values, kind="stable")
    groups = np.empty(len(values), np.int64)
    if variable and len(values) * 2 * k <= STEPS:
        groups[order] = best_cuts(values[order], k)
    else:
        last = len(values) // k - 1
        groups[order] = np.minimum(np.arange(len(values)) // k, last)
    return groups


def _scaled(codes: NDArray[Any]) -> Floats:
    """Codes of labels as numbers to split at: the frequent labels are at one side."""
    spread = codes.std(axis=0)
    return np.asarray((codes - codes.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


def _blocks(points: Floats, most: int, k: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows, those of a block together, and where each block starts and the last ends.

    Halves a set of rows at the median of its widest column until it is small enough; sizes are
    multiples of k but for one block, so that few groups need more than k rows.
    """
    order = np.arange(len(points))
    waiting, starts = [(0, len(points))], []
    while waiting:
        low, high = waiting.pop()
        if high - low <= most:
            starts.append(low)
            continue
        rows = order[low:high]
        part = points[rows]
        widest = int(np.argmax(np.ptp(part, axis=0)))
        half = max(k, (high - low) // 2 // k * k)
        order[low:high] = rows[np.argpartition(part[:, widest], half)]
        waiting += [(low + half, high), (low, low + half)]
    return order, np.array([*starts, len(points)])
