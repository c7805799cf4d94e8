"""Minimal sets of columns that have a column of every difference set, found one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from discreet.frequency.compiled import compile_loop
from discreet.identification.keys.growing import Growing, RowsTold

# What every key must touch: the columns in which two rows differ.
#
# A set of columns is a bit mask of as many 64-bit words as the columns need.


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
        self.add_masks(make_masks(list(sets), self.words))

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
        return [list_columns(mask) for mask in self.masks[: self.count]]


def make_masks(sets: Sequence[Sequence[int]], words: int) -> Masks:
    """Sets of columns as bit masks, a row each."""
    masks = np.zeros((len(sets), words), dtype=np.uint64)
    for row, columns in enumerate(sets):
        for column in columns:
            masks[row, column >> 6] |= ONE << np.uint64(column & 63)
    return masks


def list_columns(mask: Masks) -> tuple[int, ...]:
    """The columns of one bit mask, in rising order."""
    bits = np.unpackbits(mask.view(np.uint8), bitorder="little")
    return tuple(np.flatnonzero(bits).tolist())


@compile_loop(nogil=True)
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


@compile_loop(nogil=True)
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


@compile_loop(nogil=True)
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


Path = tuple[int, ...]
Judge = Callable[[Path], bool]
"""Whether a set is an answer; if not, the judge adds a difference set that the set misses."""

DONE, LEAF, PAUSE, DEEPER = -1, 0, 1, 2
DEPTH = 16
"""Columns of a set that there is room for at first."""
WORK = 20_000_000
"""Difference sets gone through between two looks at the clock."""


def find_minimal_sets(
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
            self._make_room(2 * self.lists.shape[1], self.lists.shape[2])

    def _take_new(self) -> None:
        """Difference sets added since miss the set at hand, so those above it as well."""
        count = self.known.count
        if count == self.seen:
            return
        if count > self.lists.shape[2]:
            self._make_room(self.lists.shape[1], 2 * count)
        new = np.arange(self.seen, count, dtype=np.int32)
        for depth in range(self.depth + 1):
            size = self.sizes[0, depth]
            self.lists[0, depth, size : size + len(new)] = new
            self.sizes[0, depth] += len(new)
        self.seen = count

    def _make_room(self, depths: int, sets: int) -> None:
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


@compile_loop(nogil=True)
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


# Whether a set of columns tells enough apart, and if not, what every answer needs besides.


Told = TypeVar("Told", bound=Growing)

PAIRS = 256
"""Pairs of rows looked at when a set is no key."""


class Along(Generic[Told]):
    """What sets tell apart, kept for the first columns of the last set asked for."""

    def __init__(self, start: Told) -> None:
        self.told = [start]
        self.path: list[int] = []

    def at(self, path: Sequence[int]) -> Told:
        """What the columns of a set tell apart."""
        same = 0
        for new, old in zip(path, self.path, strict=False):
            if new != old:
                break
            same += 1
        del self.told[same + 1 :], self.path[same:]
        for place in path[same:]:
            self.told.append(self.told[-1].plus(place))  # type: ignore[arg-type]
            self.path.append(place)
        return self.told[-1]

    def value(self, path: Sequence[int]) -> int:
        """How much the columns of a set tell apart."""
        if not path or list(path) == self.path[: len(path)]:
            return self.at(path).value
        return self.at(path[:-1]).value_with(path[-1])


class Outsides(Generic[Told]):
    """Judges by a goal; a set that misses it is grown to a largest one that does.

    Every answer has a column outside of that largest set. Columns that tell little apart are
    added first: the larger the set, the fewer columns are outside, and the more that says.
    """

    def __init__(
        self, known: DifferenceSets, start: Told, goal: int, pause: Callable[[int], None]
    ) -> None:
        self.known, self.goal, self.pause = known, goal, pause
        self.along = Along(start)
        self.start = start

    @cached_property
    def order(self) -> list[int]:
        """Columns that tell little apart first."""
        return sorted(range(self.known.columns), key=lambda c: (self.start.value_with(c), c))

    def __call__(self, path: tuple[int, ...]) -> bool:
        """Whether the set meets the goal; if not, its outside is now known."""
        if self.along.value(path) >= self.goal:
            return True
        told: Growing = self.along.at(path)
        outside = []
        for place in self.order:
            if place in path:
                continue
            self.pause(0)
            if told.value_with(place) < self.goal:
                told = told.plus(place)
            else:
                outside.append(place)
        self.known.add([outside])
        return False


class Clashes:
    """Judges keys of a table: where two rows are alike, every key has a column they differ in.

    The empty set is left to ``first``: two rows at random differ in too much to say anything.
    """

    def __init__(
        self, known: DifferenceSets, start: RowsTold, first: Callable[[tuple[int, ...]], bool]
    ) -> None:
        self.known, self.table, self.first = known, start.table, first
        self.along = Along(start)

    def __call__(self, path: tuple[int, ...]) -> bool:
        """Whether the set is a key; if not, more difference sets are known."""
        if not path:
            return self.first(path)
        table, last = self.table, path[-1]
        rest = self.along.at(path[:-1]).partition
        left, right = clashes(rest.order, rest.starts, table.codes[last], table.sizes[last], PAIRS)
        if not len(left):
            return True
        self.known.add_masks(differences(table.codes, left, right))
        return False
