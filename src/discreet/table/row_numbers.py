"""Rows of a few coded columns as numbers: counted, and put into the order of their hashes.

The number of a row is written with a digit for each column, its code. Where there are few possible
numbers each has a counter, so that neither the rows nor their numbers are held; else numbers are
held and sorted. Only different rows are hashed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.table.hashed_column import Codes, HashedColumn, Words

HASH, NUMBER = "h", "n"
"""Columns of rows that are held: the hash, and how many rows are like this one."""

GATHER = 16 << 20
"""Rows that are held as numbers at most."""
BLOCK = 1 << 20
"""Rows from which on each number has a counter, if there are few enough of them."""
MOST_COUNTERS, COUNTERS = 1 << 26, 32
"""Possible numbers that may have a counter each, and how many for each row that is held."""
MOST_NUMBERS = (1 << 64) - 1
MOST_DIFFERENT = 1 << 24
"""Different rows that are put into order at a time."""
MOST_ROWS = (1 << 32) - 1
"""Rows that a counter can count."""
ONE = np.uint32(1)
"""Of the type of the counters: numpy then adds without a cast of each."""
BUCKETS = 256
"""Parts of an order, by the first bits of the hash."""

Numbers = npt.NDArray[Any]
Cells = tuple[Codes, npt.NDArray[Any]]
"""The codes of a column's cells: a table, and the place of each cell in it."""


class _Digits:
    """How the codes of a row make its number: each column is a digit, with a base of its own."""

    def __init__(self, columns: Sequence[HashedColumn], bases: Sequence[int]) -> None:
        self._columns, self.bases = columns, bases
        self.weights = [prod(bases[:place]) for place in range(len(bases))]
        self.space = prod(bases)

    @classmethod
    def make(
        cls,
        columns: Sequence[HashedColumn],
        most: int,
        spares: Sequence[int],
        known: Sequence[int] | None = None,
    ) -> _Digits | None:
        """Digits for all values that were met, for ``most`` numbers; None if these are too few.

        The bases that are ``known`` stay if they suffice; the others get room for so many
        sixteenths of their values more as the first of ``spares`` with which there is enough room.
        """
        for spare in spares:
            bases = [
                base if size <= base else size + size * spare // 16
                for size, base in zip(
                    (max(1, column.size) for column in columns),
                    known or [0] * len(columns),
                    strict=True,
                )
            ]
            if prod(bases) <= most:
                return cls(columns, bases)
        return None

    @property
    def fit(self) -> bool:
        """Whether all values that were met have a digit."""
        return all(
            column.size <= base for column, base in zip(self._columns, self.bases, strict=True)
        )

    def number(self, cells: Sequence[Cells], numbers: Numbers) -> None:
        """Put the number of each row into ``numbers``."""
        numbers[:] = 0
        found = np.empty_like(numbers)
        for (table, places), weight in zip(cells, self.weights, strict=True):
            part = table.astype(numbers.dtype) * numbers.dtype.type(weight)
            numbers += np.take(part, places, out=found, mode="clip")  # which checks nothing twice

    def read(self, numbers: Numbers, place: int) -> npt.NDArray[np.int64]:
        """The codes of a column."""
        kind = numbers.dtype.type
        codes: Numbers = numbers // kind(self.weights[place])
        if place + 1 < len(self.bases):
            codes -= codes // kind(self.bases[place]) * kind(self.bases[place])
        found: npt.NDArray[np.int64] = codes.astype(np.int64, copy=False)
        return found

    def rewrite(self, numbers: Numbers, old: _Digits) -> None:
        """Replace numbers of other digits by the numbers of the same rows."""
        for part in split_rows(len(numbers)):
            found = np.zeros(len(numbers[part]), dtype=np.uint64)
            for place, weight in enumerate(self.weights):
                found += old.read(numbers[part], place).astype(np.uint64) * np.uint64(weight)
            numbers[part] = found


class NumberedRows:
    """Rows that are held as numbers until they are taken."""

    def __init__(self, columns: Sequence[HashedColumn]) -> None:
        self._columns = columns
        self._digits = _Digits(columns, [0] * len(columns))
        self._numbers = np.empty(0, dtype=np.uint64)
        self._counts: npt.NDArray[np.uint32] | None = None
        self.rows = 0

    def can_hold(self, cells: Sequence[Cells | None]) -> bool:
        """Whether all cells have codes, and their rows a number in 64 bits."""
        return None not in cells and prod(column.size for column in self._columns) <= MOST_NUMBERS

    def has_room(self, rows: int) -> bool:
        """Whether so many rows can be added before :meth:`take`."""
        if not self.rows:
            return True
        if self._counts is not None:
            fits = self._digits.fit or self._make_wider() is not None
            return fits and self.rows + rows <= MOST_ROWS
        return self.rows + rows <= GATHER or self._make_counted() is not None

    def add(self, cells: Sequence[Cells | None]) -> None:
        """Hold the rows of a batch."""
        coded = [one for one in cells if one is not None]
        rows = len(coded[0][1])
        if self._counts is None and (counted := self._make_counted()) is not None:
            self._begin_to_count(counted)
        elif not self.rows or not self._digits.fit:
            self._lay_out()
        if self._counts is not None:
            numbers = np.empty(rows, dtype=np.int64)
            self._digits.number(coded, numbers)
            np.add.at(self._counts, numbers, ONE)
        else:
            if self.rows + rows > len(self._numbers):  # nothing is held yet: see has_room
                self._numbers = np.empty(max(rows, GATHER), dtype=np.uint64)
            self._digits.number(coded, self._numbers[self.rows : self.rows + rows])
        self.rows += rows

    def _make_counted(self) -> _Digits | None:
        """Digits for numbers that each have a counter, if there are rows enough for them."""
        if self.rows < BLOCK:
            return None
        return _Digits.make(self._columns, min(MOST_COUNTERS, COUNTERS * self.rows), (1, 0))

    def _make_wider(self) -> _Digits | None:
        """Digits for the values that were met since numbers have counters."""
        return _Digits.make(self._columns, MOST_COUNTERS, (16, 1, 0), self._digits.bases)

    def _lay_out(self) -> None:
        """Make digits for all values that were met, and rewrite what is held."""
        old = self._digits
        if self._counts is not None:
            wider = self._make_wider()
            assert wider is not None  # see has_room
            self._digits = wider
            counted = np.nonzero(self._counts)[0]
            times = self._counts[counted]
            wider.rewrite(counted, old)
            self._counts = np.zeros(wider.space, dtype=np.uint32)
            self._counts[counted] = times
            return
        made = _Digits.make(self._columns, MOST_NUMBERS, (48, 16, 0))
        assert made is not None  # see can_hold
        self._digits = made
        self._digits.rewrite(self._numbers[: self.rows], old)

    def _begin_to_count(self, digits: _Digits) -> None:
        """Count what is held, and from now on each row as it comes."""
        digits.rewrite(self._numbers[: self.rows], self._digits)
        self._digits = digits
        self._counts = np.zeros(digits.space, dtype=np.uint32)
        np.add.at(self._counts, self._numbers[: self.rows].view(np.int64), ONE)
        self._numbers = np.empty(0, dtype=np.uint64)

    def take(self) -> Iterator[OrderedRows]:
        """The different rows with the number of each, as many at a time as can be put in order."""
        columns, digits = self._columns, self._digits
        rows, self.rows = self.rows, 0
        if self._counts is None:
            numbers = self._numbers[:rows]
            numbers.sort()
            first = np.nonzero(np.concatenate([[True], numbers[1:] != numbers[:-1]]))[0]
            times = np.diff(np.append(first, rows)).astype(np.uint32)
            yield OrderedRows(columns, digits, numbers[first], times)
            return
        counts, self._counts = self._counts, None
        for stretch in _stretch_counts(counts):
            size = int(np.count_nonzero(counts[stretch]))
            found, at = np.empty(size, dtype=np.uint32), 0
            for part in split_rows(stretch.stop - stretch.start, stretch.start):
                here = np.nonzero(counts[part])[0]
                found[at : at + len(here)] = here + part.start
                at += len(here)
            times = counts[found]
            if stretch.stop == len(counts):
                del counts
            yield OrderedRows(columns, digits, found, times)


def _stretch_counts(counts: npt.NDArray[np.uint32]) -> list[slice]:
    """Stretches of counters, each for as many different rows as are put into order at a time."""
    parts = -(-int(np.count_nonzero(counts)) // MOST_DIFFERENT)
    size = len(counts) if parts <= 1 else min(MOST_DIFFERENT, -(-len(counts) // parts))
    return [slice(start, min(start + size, len(counts))) for start in range(0, len(counts), size)]


class OrderedRows:
    """Different rows in the order of their hashes, and how often each comes."""

    def __init__(
        self,
        columns: Sequence[HashedColumn],
        digits: _Digits,
        numbers: Numbers,
        times: npt.NDArray[np.uint32],
    ) -> None:
        self._columns, self._digits = columns, digits
        hashes = self._hash(numbers, 0)
        different = np.zeros(BUCKETS, dtype=np.int64)
        self.rows = np.zeros(BUCKETS, dtype=np.int64)
        """The rows of each bucket."""
        for part in split_rows(len(numbers)):
            bucket = (hashes[part] >> np.uint64(56)).astype(np.int64)
            different += np.bincount(bucket, minlength=BUCKETS)
            found = np.bincount(bucket, weights=times[part], minlength=BUCKETS)
            self.rows += found.astype(np.int64)
        self._ends = np.cumsum(different)
        order = find_order(hashes, lambda some: self._hash(numbers[some], 1)).view(np.int64)
        del hashes
        self._numbers, self._times = numbers[order], times[order]

    @property
    def nbytes(self) -> int:
        """The memory that is held."""
        return int(self._numbers.nbytes + self._times.nbytes)

    def read(self, first: int, last: int, *, hashed: bool) -> pa.RecordBatch:
        """The rows of some buckets as codes with their number, and their hash if it is asked for.

        ``last`` is one of them.
        """
        start, end = int(self._ends[first - 1]) if first else 0, int(self._ends[last])
        numbers = self._numbers[start:end]
        arrays = {}
        for place, column in enumerate(self._columns):
            codes = np.empty(len(numbers), dtype=column.narrowest)
            for part in split_rows(len(numbers)):
                codes[part] = self._digits.read(numbers[part], place)
            arrays[name_codes(place)] = pa.array(codes)
        if hashed:
            arrays[HASH] = pa.array(self._hash(numbers, 0))
        arrays[NUMBER] = pa.array(self._times[start:end])
        return pa.RecordBatch.from_pydict(arrays)

    def _hash(self, numbers: Numbers, word: int) -> Words:
        found = np.zeros(len(numbers), dtype=np.uint64)
        for part in split_rows(len(numbers)):
            for place, column in enumerate(self._columns):
                found[part] += column.hash_codes(self._digits.read(numbers[part], place), word)
        return found


def name_codes(place: int) -> str:
    """What the codes of a column are called where rows are held."""
    return f"c{place}"


def split_rows(rows: int, start: int = 0) -> Iterator[slice]:
    """Stretches of rows for which what is found on the way stays in the processor's cache."""
    end = start + rows
    return (slice(at, min(at + (1 << 15), end)) for at in range(start, end, 1 << 15))


def find_order(hashes: Words, find_second: Callable[[npt.NDArray[Any]], Words]) -> Words:
    """The order of different rows by their hash, and where 64 bits are alike by the other 64.

    The number of a row takes the place of the last bits of its hash, since numbers are sorted far
    faster than places are found for them. Rows that then seem to have the same place are put into
    their order among themselves.
    """
    mask = np.uint64((1 << max(1, len(hashes) - 1).bit_length()) - 1)
    order = hashes & ~mask
    for part in split_rows(len(order)):
        order[part] |= np.arange(part.start, part.stop, dtype=np.uint64)
    order.sort()
    same = np.empty(max(0, len(order) - 1), dtype=np.bool_)
    for part in split_rows(len(same)):
        same[part] = (order[part.start + 1 : part.stop + 1] ^ order[part]) <= mask
    order &= mask
    if same.any():
        run = np.cumsum(np.concatenate([[0], ~same]))
        alike = np.nonzero(np.append(same, False) | np.append(False, same))[0]
        rows = order[alike]
        order[alike] = rows[np.lexsort((find_second(rows), hashes[rows], run[alike]))]
    return order
