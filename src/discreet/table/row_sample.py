"""An even sample of the rows of a table that is read once."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

SAMPLE = 10_000
"""Rows looked at where a column has too many values to look at all."""
LONGEST = 300
"""Characters of a sampled value that are looked at."""


class RowSample:
    """An even sample of the rows; the same rows each time the same table is read."""

    def __init__(self) -> None:
        self._draws = np.random.default_rng(0)
        self._keys: NDArray[np.float64] = np.empty(0)
        self._batches: list[pa.RecordBatch] = []
        self._limit = 1.0
        self.rows = 0

    def add(self, batch: pa.RecordBatch) -> None:
        """Let the rows of a batch take part in the draw."""
        self.rows += batch.num_rows
        keys = self._draws.random(batch.num_rows)
        if len(keys) > SAMPLE:
            self._limit = min(self._limit, float(np.partition(keys, SAMPLE)[SAMPLE]))
        chosen = np.flatnonzero(keys < self._limit)
        if not len(chosen):
            return
        self._keys = np.concatenate([self._keys, keys[chosen]])
        self._batches.append(_shorten_texts(batch.take(make_arrow_numbers(chosen))))
        if len(self._keys) > 2 * SAMPLE:
            self._cut()

    def _cut(self) -> None:
        self._limit = float(np.partition(self._keys, SAMPLE)[SAMPLE])
        chosen = np.flatnonzero(self._keys < self._limit)
        table = (
            pa.Table.from_batches(self._batches).take(make_arrow_numbers(chosen)).combine_chunks()
        )
        self._keys, self._batches = self._keys[chosen], table.to_batches()

    def column(self, place: int) -> pa.ChunkedArray:
        """The drawn values of one column, each cut to `LONGEST` characters."""
        if len(self._keys) > SAMPLE:
            self._cut()
        return pa.chunked_array([batch.column(place) for batch in self._batches], pa.string())


def _shorten_texts(batch: pa.RecordBatch) -> pa.RecordBatch:
    columns = [pc.utf8_slice_codeunits(column, 0, LONGEST) for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, names=[str(n) for n in range(len(columns))])


def make_arrow_numbers(numbers: NDArray[np.int64]) -> pa.Array:
    """The numbers for Arrow; `pa.array` would load pandas first, where it is installed."""
    whole = np.ascontiguousarray(numbers, dtype=np.int64)
    return pa.Array.from_buffers(pa.int64(), len(whole), [None, pa.py_buffer(whole)])


def make_arrow_texts(words: tuple[str, ...]) -> pa.Array:
    """Words for Arrow, likewise; ASCII only."""
    ends = np.cumsum([0, *(len(word) for word in words)], dtype=np.int32)
    data = [None, pa.py_buffer(ends), pa.py_buffer("".join(words).encode("ascii"))]
    return pa.Array.from_buffers(pa.string(), len(words), data)


def read_arrow_numbers(array: pa.Array) -> NDArray[np.int64]:
    """64-bit numbers from Arrow; `to_numpy` would load pandas first, where it is installed."""
    if not len(array):
        return np.empty(0, dtype=np.int64)
    buffer = array.buffers()[1]
    return np.frombuffer(buffer, np.int64, count=len(array), offset=8 * array.offset).copy()
