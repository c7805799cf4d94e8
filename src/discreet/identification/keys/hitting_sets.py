"""Enumerates minimal hitting sets: sets with a column of every difference set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from discreet.frequency.compiled import compile_loop
from discreet.identification.keys.growing import Growing, SeparatedRows

# Difference sets: every key has one of the columns in which two rows differ.
#
# A set of columns is a bit mask of as many 64-bit words as the columns need.


Masks = npt.NDArray[np.uint64]
ONE = np.uint64(1)
ROOM = 64
"""Initial capacity for difference sets."""


class DifferenceSets:
    """The minimal sets known so far of which every answer has a column.

    A set that contains another is redundant.

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
        """Add sets."""
        self.add_masks(make_masks(list(sets), self.words))

    def add_masks(self, masks: Masks) -> None:
        """Add sets, as masks; only the minimal ones are kept."""
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
    """Move the masks that contain no other to the front, smallest first; returns their number."""
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
    """Pairs of rows that stay equal after a column is added to a partition, at most ``most``."""
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
"""Decides whether a set is an answer; if not, it adds a difference set that the set misses."""

DONE, LEAF, PAUSE, DEEPER = -1, 0, 1, 2
DEPTH = 16
"""Initial capacity for the columns of a set."""
WORK = 20_000_000
"""Difference sets processed between two checks of the clock."""


def find_minimal_sets(
    known: DifferenceSets,
    judge: Judge,
    most: int | None = None,
    pause: Callable[[int], None] | None = None,
) -> Iterator[Path]:
    """All minimal sets that are answers, in the order in which they are found.

    ``most`` is the largest size. ``pause`` is called from time to time with the number of further
    nodes visited; it ends the search by raising an error.

    Notes
    -----
    The tree of [Murakami2014]_ (MMCS). A set that hits all known difference sets is judged;
    if it is not an answer, there is a new difference set and the search continues below it, as in
    [Birnick2020]_. *Departures*: none.

    A set is minimal as soon as it is found, because each of its columns is the only one of the set
    in some difference set. No set is lost by cutting off a set when one of its columns, u, is not
    needed *so far*: u was chosen for a difference set d, and d is hit by another column of the set,
    which was tried before u. So the set without u is in a branch that was already walked, where
    each set that is not an answer misses a difference set known by then. If u hits that one, u is
    needed; if not, no set below is a minimal answer, or one not yet ruled out.
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

    For the set at each depth it keeps the difference sets that the set misses, and those with just
    one of its columns. The others do not matter further down.
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
        """Move to the next set that hits all known difference sets."""
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
        """Add new difference sets, which miss the current set and therefore those above it."""
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
        """Skip everything below the set."""
        self.fresh = False
        self.todo[self.depth] = 0


@compile_loop(nogil=True)
def walk_on(
    masks: Any, chosen: Any, free: Any, todo: Any, columns: Any, lists: Any, sizes: Any,
    depth: Any, fresh: Any, limit: Any, work: Any,
) -> Any:  # fmt: skip
    """Walk to the next set that hits all masks; pause after some work to check the clock."""
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


# Judges whether a set of columns separates enough, and if not, what every answer needs in addition.


State = TypeVar("State", bound=Growing)

PAIRS = 256
"""Most pairs of rows that are compared when a set is not a key."""


class Along(Generic[State]):
    """What sets separate, cached for the prefixes of the last set requested."""

    def __init__(self, start: State) -> None:
        self.states = [start]
        self.path: list[int] = []

    def at(self, path: Sequence[int]) -> State:
        """The state of a set of columns."""
        same = 0
        for new, old in zip(path, self.path, strict=False):
            if new != old:
                break
            same += 1
        del self.states[same + 1 :], self.path[same:]
        for place in path[same:]:
            self.states.append(self.states[-1].plus(place))  # type: ignore[arg-type]
            self.path.append(place)
        return self.states[-1]

    def value(self, path: Sequence[int]) -> int:
        """How much the columns of a set separate."""
        if not path or list(path) == self.path[: len(path)]:
            return self.at(path).value
        return self.at(path[:-1]).value_with(path[-1])


class Outsides(Generic[State]):
    """Judges by a goal; a set that misses it is grown to a maximal one that misses it.

    Every answer has a column outside of that maximal set. Columns that separate little are added
    first: the larger the set, the smaller and more useful its complement.
    """

    def __init__(
        self, known: DifferenceSets, start: State, goal: int, pause: Callable[[int], None]
    ) -> None:
        self.known, self.goal, self.pause = known, goal, pause
        self.along = Along(start)
        self.start = start

    @cached_property
    def order(self) -> list[int]:
        """The columns, those that separate least first."""
        return sorted(range(self.known.columns), key=lambda c: (self.start.value_with(c), c))

    def __call__(self, path: tuple[int, ...]) -> bool:
        """Whether the set meets the goal; if not, its complement is now known."""
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
    """Judges keys of a table: if a set leaves two rows equal, a key needs a column they differ in.

    The empty set is left to ``first``: two random rows differ in too many columns to be useful.
    """

    def __init__(
        self, known: DifferenceSets, start: SeparatedRows, first: Callable[[tuple[int, ...]], bool]
    ) -> None:
        self.known, self.table, self.first = known, start.table, first
        self.along = Along(start)

    def __call__(self, path: tuple[int, ...]) -> bool:
        """Whether the set is a key; if not, more difference sets are now known."""
        if not path:
            return self.first(path)
        table, last = self.table, path[-1]
        rest = self.along.at(path[:-1]).partition
        left, right = clashes(rest.order, rest.starts, table.codes[last], table.sizes[last], PAIRS)
        if not len(left):
            return True
        self.known.add_masks(differences(table.codes, left, right))
        return False
