"""Random rows, or pairs of rows, of a stream whose end is not known."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.errors import EmptyTableError, OneRowError
from discreet.identify.coded_table import CodedTable
from discreet.identify.row_batches import NAME
from discreet.identify.row_sample import to_arrow
from discreet.identify.samples import PairSample, RowsSample
from discreet.table.dictionary import Dictionary

Ints = npt.NDArray[np.int64]


class _Kept:
    """Rows that are in a sample now, and, for a while, rows that were."""

    def __init__(self) -> None:
        self._batches: list[pa.RecordBatch] = []
        self.rows = 0

    def add(self, batch: pa.RecordBatch, rows: Ints) -> Ints:
        """Keep some rows of a batch; their places among all that are kept."""
        self._batches.append(batch.take(to_arrow(rows)))
        self.rows += len(rows)
        return np.arange(self.rows - len(rows), self.rows)

    def cut(self, places: Ints) -> None:
        """Let go of all rows but these."""
        table = pa.Table.from_batches(self._batches).take(to_arrow(places)).combine_chunks()
        self._batches, self.rows = table.to_batches(), len(places)

    def codes(self, columns: int) -> tuple[npt.NDArray[np.int32], tuple[int, ...]]:
        """The kept rows as codes, column by column."""
        dictionaries = [Dictionary() for _ in range(columns)]
        codes = np.empty((columns, self.rows), dtype=np.int32)
        table = pa.Table.from_batches(self._batches)
        for place, dictionary in enumerate(dictionaries):
            codes[place] = dictionary.encode(table.column(place))
        return codes, tuple(max(1, len(dictionary)) for dictionary in dictionaries)


class RowReservoir:
    """The rows with the smallest random numbers."""

    def __init__(self, size: int, draws: np.random.Generator) -> None:
        self._size, self._draws = size, draws
        self._kept = _Kept()
        self._keys: npt.NDArray[np.float64] = np.empty(0)
        self._limit = 1.0
        self._seen = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Let the rows of a batch take part in the draw."""
        self._seen += batch.num_rows
        keys = self._draws.random(batch.num_rows)
        rows = np.flatnonzero(keys < self._limit)
        if not len(rows):
            return
        self._kept.add(batch, rows)
        self._keys = np.concatenate([self._keys, keys[rows]])
        if len(self._keys) > 2 * self._size:
            self._cut()

    def _cut(self) -> None:
        if len(self._keys) <= self._size:
            return
        places = np.sort(np.argpartition(self._keys, self._size)[: self._size])
        self._keys = self._keys[places]
        self._limit = float(self._keys.max())
        self._kept.cut(places)

    def sample(self, columns: tuple[str, ...]) -> RowsSample:
        """The sample of all rows so far."""
        if not self._seen:
            raise EmptyTableError(NAME, "it has no rows")
        self._cut()
        codes, sizes = self._kept.codes(len(columns))
        return RowsSample(CodedTable(columns, codes, sizes, 0, NAME), self._seen)


class PairReservoir:
    """Many reservoirs of two rows each, all independent."""

    def __init__(self, pairs: int, draws: np.random.Generator) -> None:
        self._pairs, self._draws = pairs, draws
        self._kept = _Kept()
        self._slots = np.zeros((2, pairs), dtype=np.int64)
        self._weight = np.ones(pairs)
        self._next = np.zeros(pairs, dtype=np.int64)
        self._seen = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Let the rows of a batch take part in the draws."""
        first, self._seen = self._seen, self._seen + batch.num_rows
        for row in range(first, min(2, self._seen)):  # the first two rows are every pair's at first
            self._slots[row] = self._kept.add(batch, np.array([row - first]))[0]
            if row == 1:
                self._next[:] = 1
                self._skip(np.arange(self._pairs))
        entering: list[tuple[Ints, Ints, Ints]] = []
        due = np.flatnonzero(self._next < self._seen) if self._seen > 1 else np.empty(0, np.int64)
        while len(due):
            entering.append((due, self._draws.integers(0, 2, len(due)), self._next[due] - first))
            self._skip(due)
            due = due[self._next[due] < self._seen]
        if entering:
            self._enter(batch, entering)

    def _enter(self, batch: pa.RecordBatch, entering: list[tuple[Ints, Ints, Ints]]) -> None:
        new = np.full((2, self._pairs), -1, dtype=np.int64)
        for pairs, sides, rows in entering:  # in the order of rows for each pair: the last stays
            new[sides, pairs] = rows
        rows, place = np.unique(new[new >= 0], return_inverse=True)
        self._slots[new >= 0] = self._kept.add(batch, rows)[place]
        if self._kept.rows > 4 * self._pairs + 1024:
            live, place = np.unique(self._slots, return_inverse=True)
            self._kept.cut(live)
            self._slots = place.reshape(2, self._pairs).astype(np.int64)

    def _skip(self, pairs: Ints) -> None:
        """Draw which row enters next (algorithm L with two places)."""
        self._weight[pairs] *= np.sqrt(1 - self._draws.random(len(pairs)))
        chance = 1 - self._draws.random(len(pairs))
        with np.errstate(divide="ignore"):
            skipped = np.floor(np.log(chance) / np.log1p(-self._weight[pairs]))
        self._next[pairs] += np.minimum(skipped, 2.0**62).astype(np.int64) + 1

    def sample(self, columns: tuple[str, ...]) -> PairSample:
        """The pairs of all rows so far."""
        if not self._seen:
            raise EmptyTableError(NAME, "it has no rows")
        if self._seen == 1:
            raise OneRowError(NAME)
        codes, _ = self._kept.codes(len(columns))
        bits = np.zeros((len(columns), (self._pairs + 63) // 64), dtype=np.uint64)
        for place, column in enumerate(codes):
            apart = column[self._slots[0]] != column[self._slots[1]]
            words = np.zeros(bits.shape[1] * 64, dtype=bool)
            words[: self._pairs] = apart
            bits[place] = np.packbits(words, bitorder="little").view("<u8")
        return PairSample(columns, self._pairs, self._seen, bits)
