"""What every key must touch: the columns in which two rows differ.

A set of columns is a bit mask of as many 64-bit words as the columns need.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.frequency.kernels import _kernel

Masks = npt.NDArray[np.uint64]
ONE = np.uint64(1)
ROOM = 64
"""Difference sets that there is room for at first."""


class DifferenceSets:
    """The smallest sets of columns known so far that every answer has a column of.

    A set that contains another says nothing new.

    >>> known = DifferenceSets(3)
    >>> known.add([[0, 1, 2], [0, 1]])
    >>> known.add([[1]])
    >>> known.tidy()
    >>> known.sets()
    [(1,)]
    """

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.words = max(1, (columns + 63) // 64)
        self.masks: Masks = np.empty((ROOM, self.words), dtype=np.uint64)
        self.count = 0

    def add(self, sets: Iterable[Sequence[int]]) -> None:
        """Take more sets."""
        self.add_masks(masks_of(list(sets), self.words))

    def add_masks(self, masks: Masks) -> None:
        """Take more sets, as masks; of these only the smallest are kept."""
        new = masks.copy()
        count = keep_smallest(new)
        need = self.count + count
        if need > len(self.masks):
            more = np.empty((max(need, 2 * len(self.masks)), self.words), dtype=np.uint64)
            more[: self.count] = self.masks[: self.count]
            self.masks = more
        self.masks[self.count : need] = new[:count]
        self.count = need

    def tidy(self) -> None:
        """Drop every set that contains another."""
        self.count = int(keep_smallest(self.masks[: self.count]))

    def sets(self) -> list[tuple[int, ...]]:
        """The sets that are kept, as columns in rising order."""
        return [columns_of(mask) for mask in self.masks[: self.count]]


def masks_of(sets: Sequence[Sequence[int]], words: int) -> Masks:
    """Sets of columns as bit masks, a row each."""
    masks = np.zeros((len(sets), words), dtype=np.uint64)
    for row, columns in enumerate(sets):
        for column in columns:
            masks[row, column >> 6] |= ONE << np.uint64(column & 63)
    return masks


def columns_of(mask: Masks) -> tuple[int, ...]:
    """The columns of one bit mask, in rising order."""
    bits = np.unpackbits(mask.view(np.uint8), bitorder="little")
    return tuple(np.flatnonzero(bits).tolist())


@_kernel(nogil=True)
def keep_smallest(masks: Any) -> Any:
    """Move the masks that contain no other to the front, smallest first; how many there are."""
    rows, words = masks.shape
    size = np.zeros(rows, np.int64)
    for i in range(rows):
        for w in range(words):
            x = masks[i, w]
            while x:
                x &= x - np.uint64(1)
                size[i] += 1
    order = np.argsort(size)
    given = masks.copy()
    kept = 0
    for i in order:
        new = True
        for j in range(kept):
            inside = True
            for w in range(words):
                if masks[j, w] & ~given[i, w]:
                    inside = False
                    break
            if inside:
                new = False
                break
        if new:
            masks[kept] = given[i]
            kept += 1
    return kept


@_kernel(nogil=True)
def differences(codes: Any, left: Any, right: Any) -> Any:
    """The columns in which the rows of each pair differ."""
    columns = codes.shape[0]
    words = max(1, (columns + 63) // 64)
    out = np.zeros((len(left), words), np.uint64)
    for c in range(columns):
        bit = np.uint64(1) << np.uint64(c & 63)
        for p in range(len(left)):
            if codes[c, left[p]] != codes[c, right[p]]:
                out[p, c >> 6] |= bit
    return out


@_kernel(nogil=True)
def clashes(order: Any, starts: Any, column: Any, size: Any, most: Any) -> Any:
    """Pairs of rows that a column added to a partition leaves alike, no more than ``most``."""
    last = np.empty(size, np.int32)
    stamp = np.full(size, -1, np.int32)
    left = np.empty(most, np.int32)
    right = np.empty(most, np.int32)
    found = 0
    for g in range(len(starts) - 1):
        for i in range(starts[g], starts[g + 1]):
            row = order[i]
            v = column[row]
            if stamp[v] == g:
                left[found] = last[v]
                right[found] = row
                found += 1
                if found == most:
                    return left, right
            stamp[v] = g
            last[v] = row
    return left[:found], right[:found]
