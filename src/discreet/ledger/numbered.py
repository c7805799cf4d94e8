"""Lines of numbers, each different one with a number of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
Integers = npt.NDArray[np.integer[Any]]

ROOM = 1 << 62


def numbered(columns: Sequence[Integers]) -> Numbers:
    """The number of each line; equal lines have equal numbers, which count up from 0.

    >>> numbered([np.array([7, 7, 9]), np.array([1, 1, 1])]).tolist()
    [0, 0, 1]

    Notes
    -----
    *Cost*: one sort of the lines; more where their numbers outgrow a word.
    """
    found, size = _from_zero(columns[0])
    for column in columns[1:]:
        more, room = _from_zero(column)
        if size * room >= ROOM:
            found, more = _dense(found), _dense(more)
            size = room = len(found)
        found, size = found * room + more, size * room
    return _dense(found)


def _from_zero(column: Integers) -> tuple[Numbers, int]:
    """The same differences as small numbers as can be had without sorting, and their range."""
    if not len(column):
        return column.astype(np.int64), 1
    low, high = int(column.min()), int(column.max())
    if high - low >= ROOM or high >= ROOM:
        return _dense(column), len(column)
    return column.astype(np.int64) - low, high - low + 1


def _dense(numbers: Integers) -> Numbers:
    return np.unique(numbers, return_inverse=True)[1].reshape(-1).astype(np.int64)
