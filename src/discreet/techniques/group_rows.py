"""Near rows into groups of at least k, in time that grows little faster than the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.techniques.number_columns import Floats

BLOCK = 512
"""Rows of a block that MDAV looks through for each of its groups; more if k is large."""
GROUPS = 64
"""Most groups of a block: what sets the time of large tables."""
WORK = 10_000_000
"""Rows times groups of a block that a table may have at least: small tables are one block."""
DEEPEST = 64
"""Cuts at the middle of the range one after the other; then at the median, to come to an end."""
STEPS = 1_000_000_000
"""Above so many steps one column is grouped in sorted blocks: the best groups take too long."""


def group_rows(
    points: list[Floats], labels: list[NDArray[Any]], k: int, variable: bool
) -> NDArray[np.int64]:
    """The number of the group of each row: 0 and up, each with at least k rows."""
    if len(points) == 1 and not labels:
        return _one_column(points[0], k, variable)
    from discreet.techniques.group_kernels import mdav  # compiled: half a second to load

    rows = len([*points, *labels][0])
    numbers = np.column_stack(points) if points else np.zeros((rows, 0))
    codes = np.column_stack(labels) if labels else np.zeros((rows, 0), np.int64)
    most = max(min(GROUPS * k, max(BLOCK, 10 * k)), WORK * k // rows)
    order, starts = _blocks(np.hstack([numbers, _scaled(codes)]), most, k)
    kinds = int(codes.max(initial=0)) + 1
    numbers, codes = np.ascontiguousarray(numbers), np.ascontiguousarray(codes)
    return np.asarray(mdav(numbers, codes, order, starts, k, variable, kinds))


def _one_column(values: Floats, k: int, variable: bool) -> NDArray[np.int64]:
    order = np.argsort(values, kind="stable")
    groups = np.empty(len(values), np.int64)
    if variable and len(values) * 2 * k <= STEPS:
        from discreet.techniques.group_kernels import best_cuts

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

    Cuts a set of rows at the middle of its widest column until it is small enough: the few rows
    at a long end then stay together, where a cut at the median would deal them out over many
    blocks. Sizes are multiples of k but for one block, so that few groups need more than k rows.
    """
    order = np.arange(len(points))
    waiting, starts = [(0, len(points), 0)], []
    while waiting:
        low, high, depth = waiting.pop()
        if high - low <= most:
            starts.append(low)
            continue
        rows = order[low:high]
        part = points[rows]
        column = part[:, int(np.argmax(np.ptp(part, axis=0)))]
        cut = _cut(column, k, depth)
        order[low:high] = rows[np.argpartition(column, cut)]
        waiting += [(low + cut, high, depth + 1), (low, low + cut, depth + 1)]
    return order, np.array([*starts, len(points)])


def _cut(values: Floats, k: int, depth: int) -> int:
    """How many rows go to the lower side; at least k to each."""
    least, most = values.min(), values.max()
    low = len(values) // 2
    if depth < DEEPEST and least < most:
        low = int(np.count_nonzero(values < (least + most) / 2))
    return max(k, min(low // k * k, (len(values) - k) // k * k))
