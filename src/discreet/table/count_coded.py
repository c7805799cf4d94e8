"""A second way to count rows that come as dictionaries, for checks: by numbers, in numpy alone.

It shares nothing with the counting of the search but the file that is read, so that a mistake in
one of them shows in the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Numbers = npt.NDArray[np.int64]

BLOCK = 1 << 22
"""Rows that are sorted at a time."""
MOST = 1 << 25
"""Different rows that are counted here at most."""
BITS = 62
"""Bits of the number of a row."""
RUN_BITS = 18
"""Bits for the length of a run of equal rows, if there are so many besides the number's."""
MORE_BITS = 3
"""Bits that a column gets beyond those it needs, so that it can have more values."""


def count_coded_rows(
    batches: Iterable[pa.RecordBatch], schema: pa.Schema, most: int = MOST
) -> pa.Table | None:
    """Each different row once, and last how often it came; None if that takes too much room.

    Each column must be a dictionary of texts. A row is a number whose digits say which text each of
    its cells has; these are sorted, and runs of the same number counted.

    Notes
    -----
    *Cost*: one pass; memory for some millions of rows and for the different ones, up to ``most``.
    """
    columns = [_Texts() for _ in schema]
    counts = _Counts(len(columns))
    for batch in batches:
        if not batch.num_rows:
            continue
        cells = [column.number(array) for column, array in zip(columns, batch.columns, strict=True)]
        if not counts.fit([len(column.texts) for column in columns]):
            return None
        counts.add(cells)
        if counts.different > most:
            return None
    found, rows = counts.finish()
    arrays = [column.decode(codes) for column, codes in zip(columns, found, strict=True)]
    return pa.Table.from_arrays([*arrays, pa.array(rows)], names=[*schema.names, "n"])


class _Texts:
    """The texts of one column, each with a number."""

    def __init__(self) -> None:
        self.texts: dict[str | None, int] = {}

    def number(self, array: pa.DictionaryArray) -> tuple[Numbers, npt.NDArray[np.int32]]:
        """The number of each text of a dictionary, and the place of each cell in it."""
        texts, places = array.dictionary.to_pylist(), array.indices
        if places.null_count:
            places = places.fill_null(len(texts))
            texts.append(None)
        known = self.texts
        numbers = [known.setdefault(text, len(known)) for text in texts]
        return np.array(numbers, dtype=np.int64), places.to_numpy()

    def decode(self, numbers: Numbers) -> pa.Array:
        """The texts behind some numbers, as a dictionary."""
        texts = pa.array(list(self.texts), pa.string())
        return pa.DictionaryArray.from_arrays(pa.array(numbers.astype(np.int32)), texts)


class _Counts:
    """How often each different row came."""

    def __init__(self, columns: int) -> None:
        self._widths = [1] * columns
        self._waiting = np.empty(0, dtype=np.int64)
        self._run_bits = _choose_run_bits(self._widths)
        self._size = 0
        self._rows = np.empty(0, dtype=np.int64)
        self._times = np.empty(0, dtype=np.int64)

    @property
    def different(self) -> int:
        """How many different rows are known, but for those that wait."""
        return len(self._rows)

    def fit(self, sizes: Sequence[int]) -> bool:
        """Make room for numbers below ``sizes``, a column each; False if there is none."""
        needed = [max(1, (size - 1).bit_length()) for size in sizes]
        if all(bits <= width for bits, width in zip(needed, self._widths, strict=True)):
            return True
        if sum(needed) > BITS:
            return False
        self._sort()
        found = self._split()
        spare = min(MORE_BITS, (BITS - sum(needed)) // len(needed))
        self._widths = [bits + spare for bits in needed]
        self._run_bits = _choose_run_bits(self._widths)
        self._rows = self._join(found)
        return True

    def add(self, cells: Sequence[tuple[Numbers, npt.NDArray[np.int32]]]) -> None:
        """Count the rows of a batch."""
        rows, most = len(cells[0][1]), (1 << RUN_BITS) - 1
        for start in range(0, rows, most):
            self._add([(numbers, places[start : start + most]) for numbers, places in cells])

    def _add(self, cells: Sequence[tuple[Numbers, npt.NDArray[np.int32]]]) -> None:
        """Equal neighbours, which an ordered release has, wait as one number with their count."""
        rows = len(cells[0][1])
        here, found = np.zeros(rows, dtype=np.int64), np.empty(rows, dtype=np.int64)
        shift = 0
        for (numbers, places), width in zip(cells, self._widths, strict=True):
            here += np.take(numbers << shift, places, out=found, mode="clip")
            shift += width
        if self._run_bits:
            first = np.concatenate([[0], np.nonzero(here[1:] != here[:-1])[0] + 1])
            here = (here[first] << self._run_bits) | np.diff(first, append=rows)
        if self._size + len(here) > len(self._waiting):
            self._sort()
        if len(here) > len(self._waiting):
            self._waiting = np.empty(max(BLOCK, len(here)), dtype=np.int64)
        self._waiting[self._size : self._size + len(here)] = here
        self._size += len(here)

    def finish(self) -> tuple[list[Numbers], Numbers]:
        """The numbers of the cells of each different row, a column each, and how often it came."""
        self._sort()
        self._waiting = self._waiting[:0].copy()
        return self._split(), self._times

    def _sort(self) -> None:
        """Add what waits to what is known."""
        if not self._size:
            return
        waiting, self._size = self._waiting[: self._size], 0
        if self._run_bits:
            waiting.sort()
            rows, times = waiting >> self._run_bits, waiting & ((1 << self._run_bits) - 1)
            rows, times = _add_up(rows, times)
        else:
            rows, times = np.unique(waiting, return_counts=True)
        if len(self._rows):
            rows, times = np.append(self._rows, rows), np.append(self._times, times)
            order = np.argsort(rows, kind="stable")
            rows, times = _add_up(rows[order], times[order])
        self._rows, self._times = rows, times

    def _split(self) -> list[Numbers]:
        shifts = np.cumsum([0, *self._widths])
        return [
            (self._rows >> shift) & ((1 << width) - 1)
            for shift, width in zip(shifts[:-1], self._widths, strict=True)
        ]

    def _join(self, columns: Sequence[Numbers]) -> Numbers:
        shifts = np.cumsum([0, *self._widths])[:-1]
        rows = np.zeros(len(self._rows), dtype=np.int64)
        for column, shift in zip(columns, shifts, strict=True):
            rows += column << shift
        return rows


def _choose_run_bits(widths: Sequence[int]) -> int:
    return RUN_BITS if sum(widths) + RUN_BITS <= BITS else 0


def _add_up(rows: Numbers, times: Numbers) -> tuple[Numbers, Numbers]:
    """The different ones of sorted rows, and how often they came together."""
    first = np.nonzero(np.append(True, rows[1:] != rows[:-1]))[0]
    return rows[first], np.add.reduceat(times, first)
