"""One value of every rare combination is taken out of a row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.algorithms.argus.combinations import Combination
from discreet.frequency.classes import Ints, Mask


def greedy_cells(unsafe: Mask, combinations: Sequence[Combination], columns: int) -> Mask:
    """The cells to suppress, class by class: the column that is in most outliers, again and again.

    Notes
    -----
    [Sweeney2001]_, sec. 7.2, fig. 62; of columns in as many outliers the first is taken.
    *Departures*: none. *Cost*: as many steps as a row has columns, for all sets of outliers at
    once.

    >>> greedy_cells(np.array([[True, True]]), [(0, 1), (1, 2)], 3).tolist()
    [[False, True, False]]
    """
    inside = holds(combinations, columns)
    left, place = distinct(unsafe)
    cells = np.zeros((len(left), columns), dtype=np.bool_)
    while (todo := np.nonzero(left.any(axis=1))[0]).size:
        totals = left[todo].astype(np.int64) @ inside
        column = totals.argmax(axis=1)
        cells[todo, column] = True
        left[todo] &= ~inside.astype(np.bool_).T[column]
    return cells[place]


def first_cells(unsafe: Mask, combinations: Sequence[Combination], columns: int) -> Mask:
    """What the real program was seen to suppress: it does not exhaust the outliers.

    A row with a rare pair loses the one value that is in most of its outliers; a row whose rare
    combinations are all triples loses nothing.

    Notes
    -----
    [Sweeney2001]_, sec. 7.2, fig. 76. *Departures*: the thesis shows one result and no rule; this
    is the simplest rule found that gives that result.
    """
    pair = np.array([len(combination) == 2 for combination in combinations], dtype=np.bool_)
    different, place = distinct(unsafe)
    cells = np.zeros((len(different), columns), dtype=np.bool_)
    todo = np.nonzero((different & pair).any(axis=1))[0]
    totals = different[todo].astype(np.int64) @ holds(combinations, columns)
    cells[todo, totals.argmax(axis=1)] = True
    return cells[place]


def distinct(unsafe: Mask) -> tuple[Mask, Ints]:
    """The different sets of outliers, and which of them each class has."""
    packed = np.packbits(unsafe, axis=1)
    _, first, place = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    return unsafe[first], place.reshape(-1)


def holds(combinations: Sequence[Combination], columns: int) -> Ints:
    """Which combination holds which column, as ones and zeros."""
    inside = np.zeros((len(combinations), columns), dtype=np.int64)
    for number, combination in enumerate(combinations):
        inside[number, list(combination)] = 1
    return inside
