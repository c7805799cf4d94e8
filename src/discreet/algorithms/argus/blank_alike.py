"""Cells are suppressed until every row looks like k - 1 others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations as choose
from math import comb

import numpy as np

from discreet.algorithms.argus.looks import Looks, looks_of
from discreet.algorithms.box_search import Progress
from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.problem import Problem
from discreet.errors import InternalError
from discreet.frequency.classes import Ints, Mask

MOST_SETS = 5_000
"""So many sets of columns are tried at most; with more columns, only the smaller sets are."""


def blank_alike(
    problem: Problem, recoding: CellRecoding, k: int, progress: Progress | None = None
) -> CellRecoding:
    """Suppress further cells, none of them back, so that every released row is alike with k - 1.

    A suppressed cell counts as a value. Rows in classes of fewer than k are made alike among
    themselves on as many columns as possible: first those that need to lose one cell, then two and
    so on; of as many cells, first the columns that help most rows. Classes made so that have more
    than k rows give some to others that lack a few. Rows left at the end, fewer than k, take in
    rows of the class that loses the fewest cells by it.

    Notes
    -----
    The release must have k rows. *Cost*: three roll-ups of the classes for each set of columns, of
    which there are 2 to the number of columns, but no more than ``MOST_SETS``.
    """
    looks = looks_of(problem, recoding)
    if (looks.size >= k).all():
        return recoding
    if looks.size.sum() < k:
        raise InternalError("fewer rows than k are to be made alike")
    lost = _Walk(looks, k, progress).run()
    looks, divide = looks.blanked(lost), not problem.frequency.sensitive
    while (small := np.nonzero((looks.size > 0) & (looks.size < k))[0]).size:
        _take_in(looks, int(small[0]), k, divide)
    return looks.recoding(recoding)


class _Walk:
    """Sets of columns in turn: rows below k that are alike on all others are suppressed there."""

    def __init__(self, looks: Looks, k: int, progress: Progress | None) -> None:
        self._looks, self._k, self._progress = looks, k, progress
        self._own = looks.blank
        self._lost = self._own.copy()
        self._open = looks.size < k
        self._home = np.full(len(looks.size), -1, dtype=np.int64)
        self._size = np.zeros(0, dtype=np.int64)
        self._tried = 0

    def run(self) -> Mask:
        """The cells that each class is without, those it had lost before included."""
        columns = range(self._own.shape[1])
        for number in _depths(len(columns)):
            sets = list(map(list, choose(columns, number)))
            ranked = [
                (int(self._looks.size[self._fits(lost)].sum()), lost)
                for lost in sets
                if self._open.any()
            ]
            for rows, lost in sorted(ranked, key=lambda one: -one[0]):
                if rows:
                    self._place(self._fits(lost), lost)
            for lost in sets:
                self._regroup(lost)
        self._one_by_one()
        return self._lost

    def _regroup(self, lost: list[int]) -> None:
        """Rows that lack a few to k get them from classes that lost as many cells and have more."""
        if not self._open.any():
            return
        self._count()
        size = self._looks.size
        settled = np.nonzero(self._home >= 0)[0]
        free = np.zeros(len(size), dtype=np.bool_)
        free[settled] = self._size[self._home[settled]] - size[settled] >= self._k
        free &= (self._lost & ~self._own).sum(axis=1) >= len(lost)
        free &= ~self._at(lost)
        rows, place = self._looks.places(lost, self._open)
        more = np.bincount(place, weights=np.where(free, size, 0), minlength=len(rows))
        good = (rows > 0) & (rows + more >= self._k)
        movers = np.nonzero(free & good[place])[0]
        movers = movers[np.argsort(place[movers], kind="stable")]
        ends = np.nonzero(np.diff(place[movers]))[0] + 1
        done = np.zeros(len(rows), dtype=np.bool_)
        moved = np.zeros(len(size), dtype=np.bool_)
        for some in np.split(movers, ends):
            if len(some):
                need = self._k - int(rows[place[some[0]]])
                taken = self._spared(some.tolist(), need)
                if taken:
                    done[place[some[0]]] = True
                    moved[taken] = True
        self._lost[moved] = self._own[moved]
        self._place(moved | (self._open & done[place]), lost)

    def _spared(self, some: list[int], need: int) -> list[int]:
        """Those that can leave their class with k rows, as many as are needed, or none."""
        taken = []
        for one in some:
            home, rows = self._home[one], self._looks.size[one]
            if self._size[home] - rows >= self._k:
                self._size[home] -= rows
                taken.append(one)
                need -= rows
                if need <= 0:
                    return taken
        for one in taken:
            self._size[self._home[one]] += self._looks.size[one]
        return []

    def _one_by_one(self) -> None:
        """For the rest one column after the other, the one with most values first."""
        codes, lost = self._looks.codes, list[int]()
        while self._open.any() and len(lost) < codes.shape[1]:
            left = [c for c in range(codes.shape[1]) if c not in lost]
            lost.append(max(left, key=lambda c: len(np.unique(codes[self._open, c]))))
            self._place(self._fits(lost), lost)

    def _place(self, fits: Mask, lost: Sequence[int]) -> None:
        """Suppress these columns in some classes; they are then with all others so suppressed."""
        if not fits.any():
            return
        self._lost |= fits[:, None] & np.isin(np.arange(self._lost.shape[1]), lost)
        self._open &= ~fits
        here = self._at(lost) & (fits | (self._home >= 0))
        rows, place = self._looks.places(lost, here)
        used, number = np.unique(place[here], return_inverse=True)
        self._home[here] = len(self._size) + number
        self._size = np.append(self._size, rows[used])

    def _fits(self, lost: Sequence[int]) -> Mask:
        """The open classes that find k rows if these columns are lost."""
        self._count()
        rows = self._looks.rows_alike(lost, self._open | self._at(lost))
        return self._open & (rows >= self._k)

    def _at(self, lost: Sequence[int]) -> Mask:
        """The classes that are without just these columns."""
        there = self._own.copy()
        there[:, list(lost)] = True
        found: Mask = (self._lost == there).all(axis=1)
        return found

    def _count(self) -> None:
        self._tried += 1
        if self._progress is not None:
            self._progress(self._tried, 0.0, None)


def _depths(columns: int) -> Iterator[int]:
    """How many columns to lose, as long as there are not too many ways to choose them."""
    ways = 0
    for number in range(1, columns + 1):
        ways += comb(columns, number)
        if ways > MOST_SETS:
            return
        yield number


def _take_in(looks: Looks, small: int, k: int, divide: bool) -> None:
    """Make a class that is too small alike with another one, or with some rows of it."""
    differ = looks.codes != looks.codes[small]
    theirs = (differ & ~looks.blank).sum(axis=1)
    own = (differ & ~looks.blank[small]).sum(axis=1)
    need = k - looks.size[small]
    taken: Ints = np.where(divide & (looks.size - need >= k), need, looks.size)
    taken = np.where(theirs == 0, 0, taken)
    cells = taken * theirs + looks.size[small] * own
    able = looks.size >= k
    if not able.any():
        able = (looks.size > 0) & (np.arange(len(able)) != small)
    cells[~able] = np.iinfo(np.int64).max
    other = int(cells.argmin())
    if taken[other] == 0:
        looks.move(small, int(looks.size[small]), other)
        return
    new = looks.add(other, differ[other])
    looks.move(other, int(taken[other]), new)
    looks.move(small, int(looks.size[small]), new)
