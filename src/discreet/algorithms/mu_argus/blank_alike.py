"""Suppresses cells until every row looks like k - 1 others."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations as choose
from math import comb

import numpy as np
import numpy.typing as npt
import scipy

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.errors import InternalError
from discreet.frequency.class_counter import ClassCounter
from discreet.frequency.classes import Ints, Mask
from discreet.frequency.frequency_list import KeyIndex

# The released rows, class by class, while cells are being suppressed.


@dataclass(eq=False)
class Looks:
    """Classes that can lose cells and rows; every part of a release is in one of them.

    ``codes[l, c]`` is what class l has in column c, ``star[c]`` the code of a suppressed cell.
    ``home`` is the class of each part, -1 for those left out, ``part`` where it was cut from.
    """

    counter: ClassCounter
    codes: Ints
    star: Ints
    size: Ints
    home: Ints
    rows: Ints
    part: Ints

    @property
    def blank(self) -> Mask:
        """Which cells of each class are suppressed."""
        found: Mask = self.codes == self.star
        return found

    def places(self, lost: Sequence[int], among: Mask) -> tuple[Ints, npt.NDArray[np.int32]]:
        """Groups of classes that are equal except in the lost columns.

        Returns the rows of the marked classes in each group, and the group of each class.
        """
        left = [c for c in range(self.codes.shape[1]) if c not in lost]
        classes, place = self.counter.project(self.counter.base, left, among)
        return classes.rows, place

    def count_rows_alike(self, lost: Sequence[int], among: Mask) -> Ints:
        """Rows of the marked classes that equal each class except in the lost columns."""
        rows, place = self.places(lost, among)
        return rows[place]

    def blank_cells(self, cells: Mask) -> Looks:
        """The same with these cells of each class suppressed, and equal classes merged."""
        codes = np.where(cells, self.star, self.codes)
        different, place = np.unique(codes, axis=0, return_inverse=True)
        place = place.reshape(-1)
        size = np.bincount(place, weights=self.size, minlength=len(different)).astype(np.int64)
        home = np.where(self.home < 0, -1, place[self.home])
        return replace(self, codes=different, size=size, home=home)

    def add(self, like: int, lost: Mask) -> int:
        """Add an empty class: like another one, with further cells suppressed."""
        new = np.where(lost, self.star, self.codes[like])
        self.codes = np.vstack([self.codes, new])
        self.size = np.append(self.size, 0)
        return len(self.size) - 1

    def move(self, source: int, number: int, target: int) -> None:
        """Move ``number`` rows of a class to another one; the last part is divided if necessary."""
        parts = np.nonzero(self.home == source)[0]
        before = np.cumsum(self.rows[parts]) - self.rows[parts]
        moving = parts[before < number]
        if not len(moving):
            raise InternalError("rows were moved from a class that has none")
        spare = int(self.rows[moving].sum()) - number
        self.home[moving] = target
        if spare:
            last = moving[-1]
            self.rows[last] -= spare
            self.home = np.append(self.home, source)
            self.rows = np.append(self.rows, spare)
            self.part = np.append(self.part, self.part[last])
        self.size[source] -= number
        self.size[target] += number

    def recoding(self, before: CellRecoding) -> CellRecoding:
        """The release ``before`` with the cells of these classes suppressed."""
        order = np.argsort(self.part, kind="stable")
        part, home = self.part[order], self.home[order]
        gone = self.blank[home] & (home >= 0)[:, None]
        codes = tuple(
            np.where(gone[:, c] & (values.alike[column[part]] != star), values.blank, column[part])
            for c, (values, column, star) in enumerate(
                zip(before.values, before.codes, self.star, strict=True)
            )
        )
        owner, kept = before.owner[part], before.kept[part]
        return replace(before, owner=owner, rows=self.rows[order], kept=kept, codes=codes)


def build_looks(problem: Problem, recoding: CellRecoding) -> Looks:
    """The classes of a release whose values have one for suppressed cells."""
    if not all(values.suppressed[values.blank] for values in recoding.values):
        raise InternalError("a column has no value for suppressed cells")
    counter = recoding.counter(problem)
    kept = np.nonzero(recoding.kept)[0]
    alike = [v.alike[c[kept]] for v, c in zip(recoding.values, recoding.codes, strict=True)]
    home = np.full(len(recoding.rows), -1, dtype=np.int64)
    home[kept] = KeyIndex(counter.base.keys).find(counter.packing.pack(alike, len(kept)))
    columns = [counter.packing.unpack(counter.base.keys, c) for c in range(len(alike))]
    codes: npt.NDArray[np.int64] = np.stack(columns, axis=1).astype(np.int64)
    return Looks(
        counter,
        codes,
        np.array([v.alike[v.blank] for v in recoding.values], dtype=np.int64),
        counter.base.rows.copy(),
        home,
        recoding.rows.copy(),
        np.arange(len(recoding.rows), dtype=np.int64),
    )


MOST_SETS = 5_000
"""Most sets of columns that are tried; with more columns, only the smaller sets are."""


def blank_alike(
    problem: Problem, recoding: CellRecoding, k: int, progress: Progress | None = None
) -> CellRecoding:
    """Suppress further cells until every released row equals k - 1 others; none is restored.

    A suppressed cell counts as a value. Rows in classes of fewer than k are made equal among
    themselves on as many columns as possible: first those that need to lose one cell, then two and
    so on; for the same number of cells, first the columns that help most rows. New classes with
    more than k rows give some to others that lack a few. If fewer than k rows are left at the end,
    they take in rows of the class that loses the fewest cells.

    Notes
    -----
    The release must have k rows. *Cost*: three roll-ups of the classes for each set of columns, of
    which there are 2 to the number of columns, but no more than ``MOST_SETS``.
    """
    looks = build_looks(problem, recoding)
    if (looks.size >= k).all():
        return recoding
    if looks.size.sum() < k:
        raise InternalError("fewer rows than k are to be made alike")
    lost = _Walk(looks, k, progress).run()
    looks, divide = looks.blank_cells(lost), not problem.frequency.sensitive
    while (small := np.nonzero((looks.size > 0) & (looks.size < k))[0]).size:
        _take_in(looks, int(small[0]), k, divide)
    return looks.recoding(recoding)


class _Walk:
    """Visits sets of columns, and suppresses each in rows below k that agree on all others."""

    def __init__(self, looks: Looks, k: int, progress: Progress | None) -> None:
        self._looks, self._k, self._progress = looks, k, progress
        self._own = looks.blank
        self._lost = self._own.copy()
        self._open = looks.size < k
        self._home = np.full(len(looks.size), -1, dtype=np.int64)
        self._size = np.zeros(0, dtype=np.int64)
        self._tried = 0

    def run(self) -> Mask:
        """The cells that each class lacks, including those it had lost before."""
        columns = range(self._own.shape[1])
        for number in _list_depths(len(columns)):
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
                self._move_spare_rows(lost)
        self._place_one_by_one()
        return self._lost

    def _move_spare_rows(self, lost: list[int]) -> None:
        """Fill classes of slightly fewer than k from larger ones that lost as many cells."""
        if not self._open.any():
            return
        self._count()
        size = self._looks.size
        settled = np.nonzero(self._home >= 0)[0]
        free = np.zeros(len(size), dtype=np.bool_)
        free[settled] = self._size[self._home[settled]] - size[settled] >= self._k
        free &= (self._lost & ~self._own).sum(axis=1) >= len(lost)
        free &= ~self._mark_lacking(lost)
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
                taken = self._take_spared(some.tolist(), need)
                if taken:
                    done[place[some[0]]] = True
                    moved[taken] = True
        self._lost[moved] = self._own[moved]
        self._place(moved | (self._open & done[place]), lost)

    def _take_spared(self, some: list[int], need: int) -> list[int]:
        """Rows that can be spared by their classes, as many as are needed, or none."""
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

    def _place_one_by_one(self) -> None:
        """For the rest, suppress one column after the other, the one with most values first."""
        codes, lost = self._looks.codes, list[int]()
        while self._open.any() and len(lost) < codes.shape[1]:
            left = [c for c in range(codes.shape[1]) if c not in lost]
            lost.append(max(left, key=lambda c: len(np.unique(codes[self._open, c]))))
            self._place(self._fits(lost), lost)

    def _place(self, fits: Mask, lost: Sequence[int]) -> None:
        """Suppress these columns in some classes, which join others with the same suppression."""
        if not fits.any():
            return
        self._lost |= fits[:, None] & np.isin(np.arange(self._lost.shape[1]), lost)
        self._open &= ~fits
        here = self._mark_lacking(lost) & (fits | (self._home >= 0))
        rows, place = self._looks.places(lost, here)
        used, number = np.unique(place[here], return_inverse=True)
        self._home[here] = len(self._size) + number
        self._size = np.append(self._size, rows[used])

    def _fits(self, lost: Sequence[int]) -> Mask:
        """The open classes that find k rows if these columns are lost."""
        self._count()
        rows = self._looks.count_rows_alike(lost, self._open | self._mark_lacking(lost))
        return self._open & (rows >= self._k)

    def _mark_lacking(self, lost: Sequence[int]) -> Mask:
        """The classes that lack exactly these columns."""
        there = self._own.copy()
        there[:, list(lost)] = True
        found: Mask = (self._lost == there).all(axis=1)
        return found

    def _count(self) -> None:
        self._tried += 1
        if self._progress is not None:
            self._progress(self._tried)


def _list_depths(columns: int) -> Iterator[int]:
    """How many columns to lose, as long as there are not too many ways to choose them."""
    ways = 0
    for number in range(1, columns + 1):
        ways += comb(columns, number)
        if ways > MOST_SETS:
            return
        yield number


def _take_in(looks: Looks, small: int, k: int, divide: bool) -> None:
    """Make a class that is too small equal to another one, or to some rows of it."""
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


# The fewest suppressed cells with which every row looks like k - 1 others.


MOST_PAIRS = 6_000
"""The integer program is not tried with more (class, place for it) pairs than these."""

SECONDS = 5.0

Place = tuple[tuple[int, ...], tuple[int, ...]]
"""Classes that are equal once some columns are lost, and those columns."""


def find_least_cells(looks: Looks, k: int, seconds: float = SECONDS) -> int:
    """A lower bound on the suppressed cells of any release of this kind.

    Each row in a class below k must lose enough cells for the rest to equal that of k rows. Sets of
    columns are tried by size; when time is up, rows without an answer count with the size reached.
    """
    end = time.monotonic() + seconds
    least = np.where(looks.size < k, -1, 0)
    everything = np.ones(len(least), dtype=np.bool_)
    columns = looks.codes.shape[1]
    for number in range(1, columns + 1):
        for lost in choose(range(columns), number):
            open_ = np.nonzero(least < 0)[0]
            if not len(open_) or time.monotonic() > end:
                break
            fits = looks.count_rows_alike(lost, everything)[open_] >= k
            least[open_[fits]] = number
        if time.monotonic() > end:
            least[least < 0] = number
    return int((np.maximum(least, 0) * looks.size).sum())


def find_fewest_alike(
    problem: Problem, recoding: CellRecoding, k: int, seconds: float = SECONDS
) -> CellRecoding | None:
    """The release with the fewest further suppressed cells of all in which every class has k rows.

    None if the table is too large for the integer program, or if time ran out.

    Notes
    -----
    [Sweeney2001]_, sec. 7.6, future work 2 and 5. Rows go to places (classes of rows alike but for
    some lost columns); a place in use has k rows. *Departures*: none. *Cost*: an integer program
    that can grow without limit, so it is tried on small tables only.
    """
    looks = build_looks(problem, recoding)
    if seconds <= 0 or 2 ** min(60, looks.codes.shape[1]) * len(looks.size) > 20 * MOST_PAIRS:
        return None
    places = _list_places(looks, k)
    if sum(len(members) for members, _ in places) > MOST_PAIRS:
        return None
    dealt = _solve_program(looks, places, k, seconds)
    if dealt is None:
        return None
    for (members, lost), rows in zip(places, dealt, strict=True):
        gone = np.isin(np.arange(looks.codes.shape[1]), lost)
        for source, number in zip(members, rows, strict=True):
            if number and not looks.blank[source][gone].all():
                looks.move(source, number, looks.add(source, gone))
    return looks.recoding(recoding)


def _list_places(looks: Looks, k: int) -> list[Place]:
    """All different places of k rows, each with the fewest lost columns."""
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    columns = range(looks.codes.shape[1])
    for number in range(len(columns) + 1):
        for lost in choose(columns, number):
            for members in _list_alike(looks, lost, k):
                found.setdefault(members, lost)
    return list(found.items())


def _list_alike(looks: Looks, lost: tuple[int, ...], k: int) -> Iterator[tuple[int, ...]]:
    left = [c for c in range(looks.codes.shape[1]) if c not in lost]
    classes, inverse = looks.counter.project(looks.counter.base, left)
    for number in np.nonzero(classes.rows >= k)[0]:
        yield tuple(np.nonzero(inverse == number)[0].tolist())


def _solve_program(
    looks: Looks, places: list[Place], k: int, seconds: float
) -> list[list[int]] | None:
    """How many rows of each member go to each place."""
    source = np.array([m for members, _ in places for m in members])
    place = np.repeat(np.arange(len(places)), [len(members) for members, _ in places])
    cost = np.array(
        [
            (~looks.blank[m, list(lost)]).sum() if lost else 0
            for members, lost in places
            for m in members
        ]
    )
    pairs, number = len(source), np.arange(len(source))
    ones = np.ones(pairs)
    shape = (len(looks.size), pairs + len(places))
    every = scipy.sparse.csr_array((ones, (source, number)), shape=shape)
    shape = (len(places), pairs + len(places))
    used = scipy.sparse.csr_array((ones, (place, number)), shape=shape) - scipy.sparse.csr_array(
        (np.full(len(places), float(k)), (np.arange(len(places)), pairs + np.arange(len(places)))),
        shape=shape,
    )
    shape = (pairs, pairs + len(places))
    opened = scipy.sparse.csr_array((ones, (number, number)), shape=shape) - scipy.sparse.csr_array(
        (looks.size[source].astype(np.float64), (number, pairs + place)), shape=shape
    )
    most = np.concatenate([looks.size[source], np.ones(len(places))])
    found = scipy.optimize.milp(
        np.concatenate([cost, np.zeros(len(places))]),
        integrality=np.ones(pairs + len(places)),
        bounds=scipy.optimize.Bounds(0, most),
        constraints=[
            scipy.optimize.LinearConstraint(every, looks.size, looks.size),
            scipy.optimize.LinearConstraint(used, lb=0),
            scipy.optimize.LinearConstraint(opened, ub=0),
        ],
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    if found.status != 0 or found.x is None:
        return None
    rows = np.round(found.x[:pairs]).astype(np.int64)
    return [part.tolist() for part in np.split(rows, np.cumsum(np.bincount(place))[:-1])]
