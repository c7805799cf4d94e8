"""Minimal sets of columns that have a column of every difference set, found one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from discreet.frequency.kernels import _kernel
from discreet.identify.minimal.difference_sets import DifferenceSets

Path = tuple[int, ...]
Judge = Callable[[Path], bool]
"""Whether a set is an answer; if not, the judge adds a difference set that the set misses."""

DONE, LEAF, PAUSE, DEEPER = -1, 0, 1, 2
DEPTH = 16
"""Columns of a set that there is room for at first."""
WORK = 20_000_000
"""Difference sets gone through between two looks at the clock."""


def minimal_sets(
    known: DifferenceSets,
    judge: Judge,
    most: int | None = None,
    pause: Callable[[int], None] | None = None,
) -> Iterator[Path]:
    """All minimal sets that are answers, in the order in which they are found.

    ``most`` is the largest size looked for. ``pause`` is told from time to time how many more
    nodes were looked at; it ends the search by raising an error.

    Notes
    -----
    The tree of [Murakami2014]_ (MMCS). A set that hits all known difference sets is judged;
    where it is no answer, a new difference set is there and the search goes on below it, as in
    [Birnick2020]_. *Departures*: none.

    Why a set is minimal as soon as it is found: each of its columns is the only one of the set in
    some difference set. Why none is lost although a set is cut off when one of its columns, u, is
    not needed *so far*: u was chosen for a difference set d, and d is hit by another column of
    the set, which was tried before u. So what is left without u lies in a branch already walked,
    where each set that is no answer misses a difference set known by then. If u hits that one, u
    is needed; if not, no set below is an answer that is minimal, nor a set not yet ruled out.
    """
    known.tidy()
    limit = known.columns if most is None else min(most, known.columns)
    walk = _Walk(known, limit)
    while (status := walk.on()) != DONE:
        if pause is not None:
            pause(walk.looked)
        if status == LEAF and judge(path := walk.path):
            walk.leave()
            yield path


class _Walk:
    """One walk through the tree; between two steps difference sets may be added.

    For the set at each depth: the difference sets that it misses, and those that only one of its
    columns is in. The others can play no part further down.
    """

    def __init__(self, known: DifferenceSets, limit: int) -> None:
        self.known = known
        self.limit = limit
        shape = (limit + 1, known.words)
        self.chosen = np.zeros(shape, dtype=np.uint64)
        self.free = np.zeros(shape, dtype=np.uint64)
        self.todo = np.zeros(shape, dtype=np.uint64)
        self.columns = np.zeros(limit + 1, dtype=np.int64)
        for column in range(known.columns):
            self.free[0, column >> 6] |= np.uint64(1) << np.uint64(column & 63)
        self.depth, self.fresh = 0, True
        self.seen = 0
        self.looked = 0
        self.sizes = np.zeros((2, limit + 1), dtype=np.int64)
        self.lists = np.empty((2, min(limit, DEPTH) + 1, len(known.masks)), dtype=np.int32)

    def on(self) -> int:
        """Go on to the next set that hits all that is known."""
        self._take_new()
        while True:
            status, self.depth, self.fresh, self.looked = walk_on(
                self.known.masks, self.chosen, self.free, self.todo, self.columns, self.lists,
                self.sizes, self.depth, self.fresh, self.limit, WORK,
            )  # fmt: skip
            if status != DEEPER:
                return int(status)
            self._room(2 * self.lists.shape[1], self.lists.shape[2])

    def _take_new(self) -> None:
        """Difference sets added since miss the set at hand, so those above it as well."""
        count = self.known.count
        if count == self.seen:
            return
        if count > self.lists.shape[2]:
            self._room(self.lists.shape[1], 2 * count)
        new = np.arange(self.seen, count, dtype=np.int32)
        for depth in range(self.depth + 1):
            size = self.sizes[0, depth]
            self.lists[0, depth, size : size + len(new)] = new
            self.sizes[0, depth] += len(new)
        self.seen = count

    def _room(self, depths: int, sets: int) -> None:
        old = self.lists
        self.lists = np.empty((2, depths, sets), dtype=np.int32)
        self.lists[:, : old.shape[1], : old.shape[2]] = old

    @property
    def path(self) -> Path:
        """The columns of the set, in the order in which they were chosen."""
        return tuple(self.columns[: self.depth].tolist())

    def leave(self) -> None:
        """Do not look below the set."""
        self.fresh = False
        self.todo[self.depth] = 0


@_kernel(nogil=True)
def walk_on(
    masks: Any, chosen: Any, free: Any, todo: Any, columns: Any, lists: Any, sizes: Any,
    depth: Any, fresh: Any, limit: Any, work: Any,
) -> Any:  # fmt: skip
    """Walk to the next set that hits all masks; stop after some work to let others look."""
    words = masks.shape[1]
    needed = np.zeros(words, np.uint64)
    looked, done = 0, 0
    while depth >= 0:
        if fresh:
            if done > work:
                return 1, depth, True, looked
            done += words * (sizes[0, depth] + sizes[1, depth]) + 64
            looked += 1
            fresh = False
            todo[depth] = 0
            needed[:] = 0
            for j in range(sizes[1, depth]):
                for w in range(words):
                    needed[w] |= masks[lists[1, depth, j], w] & chosen[depth, w]
            all_needed = True
            for w in range(words):
                all_needed = all_needed and needed[w] == chosen[depth, w]
            if all_needed and sizes[0, depth] == 0:
                return 0, depth, True, looked
            if all_needed and depth < limit:
                best, fewest = -1, 1 << 30
                for j in range(sizes[0, depth]):
                    i = lists[0, depth, j]
                    size = 0
                    for w in range(words):
                        x = masks[i, w] & free[depth, w]
                        while x:
                            x &= x - np.uint64(1)
                            size += 1
                        if size >= fewest:
                            break
                    if size < fewest:
                        best, fewest = i, size
                for w in range(words):
                    todo[depth, w] = masks[best, w] & free[depth, w]
                    free[depth, w] &= ~todo[depth, w]
        place = -1
        for w in range(words):
            if todo[depth, w]:
                place = w
                break
        if place < 0:
            depth -= 1
            continue
        if depth + 1 >= lists.shape[1]:
            return 2, depth, False, looked
        bit = todo[depth, place] & (~todo[depth, place] + np.uint64(1))
        todo[depth, place] ^= bit
        chosen[depth + 1] = chosen[depth]
        chosen[depth + 1, place] |= bit
        free[depth + 1] = free[depth]
        free[depth, place] |= bit
        missed, once = 0, 0
        for j in range(sizes[1, depth]):
            i = lists[1, depth, j]
            if not masks[i, place] & bit:
                lists[1, depth + 1, once] = i
                once += 1
        for j in range(sizes[0, depth]):
            i = lists[0, depth, j]
            if masks[i, place] & bit:
                lists[1, depth + 1, once] = i
                once += 1
            else:
                lists[0, depth + 1, missed] = i
                missed += 1
        sizes[0, depth + 1], sizes[1, depth + 1] = missed, once
        column = place * 64
        while bit > np.uint64(1):
            bit >>= np.uint64(1)
            column += 1
        columns[depth] = column
        depth += 1
        fresh = True
    return -1, 0, False, looked
