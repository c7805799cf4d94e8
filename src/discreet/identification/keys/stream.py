"""One pass over rows that are never all in memory: a random sample of rows or of pairs of rows.

Memory depends on the size of the sample and the width of a row, not on the number of rows.
"""

from __future__ import annotations

import csv
import io
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from discreet.errors import EmptyTableError, ParameterError, SourceError
from discreet.identification.keys.coded_table import CodedTable, select_columns
from discreet.identification.keys.samples import OneRowError, PairSample, RowsSample, check_pairs
from discreet.table.dictionary import Dictionary
from discreet.table.header import MOST_ROWS, looks_like_row
from discreet.table.read import read
from discreet.table.row_sample import make_arrow_numbers
from discreet.table.table import Table, check_names

# A text file that grows while it is being read.


class Following(io.RawIOBase):
    """A text file that others still append to, until it has not grown for ``idle`` seconds.

    A last line without its end is held back, since it may be incomplete.
    """

    def __init__(self, path: str | os.PathLike[str], idle: float = 1.0, poll: float = 0.05) -> None:
        super().__init__()
        self._file = Path(path).open("rb", buffering=0)  # noqa: SIM115 - closed by close()
        self._idle, self._poll = idle, poll
        self._tail = b""
        self._ready = b""

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Complete lines as they arrive; 0 when the file has not grown for long enough."""
        waited = time.monotonic()
        while not self._ready:
            found = self._file.read(1 << 20)
            if found:
                waited = time.monotonic()
                whole, end, self._tail = (self._tail + found).rpartition(b"\n")
                self._ready = whole + end
            elif time.monotonic() - waited > self._idle:
                return 0
            else:
                time.sleep(self._poll)
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


# The rows of a stream, from any kind of source, as batches of text columns.


ROWS = 8192
"""Rows per batch, if batches are made of single rows."""
NAME = "the stream"


def read_batches(source: Any, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    """The rows of a stream as batches of text columns; an empty text is missing.

    A source is a Table, anything `discreet.read` takes, a file object or pipe with CSV, or an
    iterator of record batches, of mappings, or of sequences whose first one holds the names.
    """
    if isinstance(source, Table) or _is_table(source):
        table = source if isinstance(source, Table) else read(source)
        yield from table.scan(text=select_columns(table.name, table.columns, columns))
        return
    found = (
        _check_header(_read_csv(source), columns)
        if hasattr(source, "read")
        else _batch_items(iter(source))
    )
    for batch in found:
        names = select_columns(NAME, batch.schema.names, columns)
        arrays = [_cast_to_text(batch.column(batch.schema.get_field_index(name))) for name in names]
        yield pa.RecordBatch.from_arrays(arrays, names=list(names))


def _check_header(
    found: Iterator[pa.RecordBatch], columns: Sequence[str] | None
) -> Iterator[pa.RecordBatch]:
    """The batches, if the first line holds names; columns requested by name prove it."""
    for number, batch in enumerate(found):
        names = batch.schema.names
        if not number and not (columns and set(columns) <= set(names)):
            head = batch.slice(0, MOST_ROWS)
            rows = list(zip(*(column.to_pylist() for column in head.columns), strict=True))
            if looks_like_row(names, rows):
                what = "its first line looks like a row and not like names of columns"
                fix = "Put a line of names in front; or save it as a file, and say header=True."
                raise SourceError(NAME, what, fix)
        yield batch


def _is_table(source: Any) -> bool:
    if isinstance(source, str | os.PathLike | pa.Table | pa.RecordBatch):
        return True
    return not hasattr(source, "read") and hasattr(source, "__arrow_c_stream__")


def _cast_to_text(array: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    text = array if array.type == pa.string() else array.cast(pa.string())
    return pc.if_else(pc.equal(text, ""), pa.scalar(None, pa.string()), text)


def _batch_items(items: Iterator[Any]) -> Iterator[pa.RecordBatch]:
    first = next(items, None)
    if first is None:
        return
    whole = chain([first], items)
    if isinstance(first, pa.RecordBatch):
        yield from whole
    elif isinstance(first, Mapping):
        names = [str(name) for name in first]
        yield from _batch_rows(names, ([row.get(name) for name in first] for row in whole))
    else:
        yield from _batch_rows([str(name) for name in first], items)


def _batch_rows(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[pa.RecordBatch]:
    """Batches made of single rows; the error for a row of another length quotes nothing."""
    check_names(NAME, names)
    rows, seen = iter(rows), 0
    while part := list(islice(rows, ROWS)):
        for number, row in enumerate(part, seen + 1):
            if len(row) != len(names):
                what = f"row {number:,} has {len(row)} values where there are {len(names)} columns"
                raise SourceError(NAME, what, "Give every row as many values as there are names.")
        seen += len(part)
        arrays = [
            pa.array([None if v is None else str(v) for v in column], pa.string())
            for column in zip(*part, strict=True)
        ]
        yield pa.RecordBatch.from_arrays(arrays, names=list(names))


def _read_csv(file: Any) -> Iterator[pa.RecordBatch]:
    """CSV from a pipe; Arrow's message on a bad line quotes it, so it is not passed on."""
    raw = getattr(file, "buffer", file)
    if isinstance(raw, io.RawIOBase):
        raw = io.BufferedReader(raw, 1 << 16)
    if isinstance(raw, io.TextIOBase):
        lines = (line for line in csv.reader(raw) if line)
        yield from _batch_rows(next(lines, []), lines)
        return
    try:
        head = raw.readline().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SourceError(
            NAME, "its first line is not text in UTF-8", "Save it as UTF-8."
        ) from None
    names = next(csv.reader([head]), [])
    if not names:
        raise EmptyTableError(NAME, "there is no line of column names")
    check_names(NAME, names)
    options: dict[str, Any] = {
        "read_options": arrow_csv.ReadOptions(column_names=names, use_threads=False),
        "parse_options": arrow_csv.ParseOptions(newlines_in_values=True),
        "convert_options": arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            null_values=[""],
            strings_can_be_null=True,
        ),
    }
    try:
        yield from arrow_csv.open_csv(raw, **options)
    except pa.ArrowInvalid as error:
        if "Empty CSV" in str(error):
            return
        what = "a line has another number of fields than the first, or is not text in UTF-8"
        raise SourceError(
            NAME, what, "Save it as a file and let `discreet inspect` look."
        ) from None


# Random rows, or pairs of rows, of a stream of unknown length.


Ints = npt.NDArray[np.int64]


class _Kept:
    """The rows of a sample, and for a while rows that have left it."""

    def __init__(self) -> None:
        self._batches: list[pa.RecordBatch] = []
        self.rows = 0

    def add(self, batch: pa.RecordBatch, rows: Ints) -> Ints:
        """Keep some rows of a batch; returns their positions among the kept rows."""
        self._batches.append(batch.take(make_arrow_numbers(rows)))
        self.rows += len(rows)
        return np.arange(self.rows - len(rows), self.rows)

    def cut(self, places: Ints) -> None:
        """Drop all rows but these."""
        table = (
            pa.Table.from_batches(self._batches).take(make_arrow_numbers(places)).combine_chunks()
        )
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
        for row in range(first, min(2, self._seen)):  # every pair starts with the first two rows
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
        for pairs, sides, rows in entering:  # in row order: the last stays
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


__all__ = ["Following", "read_batches", "sample_pairs", "sample_rows"]


def sample_rows(
    source: Any,
    size: int,
    seed: int | np.random.Generator = 0,
    columns: Sequence[str] | None = None,
) -> RowsSample:
    """A uniform sample of the rows of a stream, each at most once; all rows if there are fewer.

    >>> rows = ({"age": n % 90, "sex": "FM"[n % 2]} for n in range(1000))
    >>> sample = sample_rows(rows, 50)
    >>> len(sample.table), sample.rows
    (50, 1000)

    Notes
    -----
    [Motwani2007]_, sec. 2.4 and 4.2. Every row gets a random number, and the smallest are kept.
    """
    if size < 1:
        raise ParameterError("a sample of rows", "size", "a whole number above 0")
    reservoir = RowReservoir(size, np.random.default_rng(seed))
    return reservoir.sample(_pass_over(source, columns, reservoir))


def sample_pairs(
    source: Any,
    pairs: int,
    seed: int | np.random.Generator = 0,
    columns: Sequence[str] | None = None,
) -> PairSample:
    """Independent random pairs of rows of a stream, with all pairs equally likely.

    >>> rows = ({"age": n % 90, "sex": "FM"[n % 2]} for n in range(1000))
    >>> sample_pairs(rows, 400).pairs
    400

    Notes
    -----
    [Motwani2007]_, sec. 2.3 and 4.1, which do not say how to draw pairs from a stream. Here each
    pair is its own reservoir of two rows; the number of rows to skip until the next one enters is
    drawn directly (Li's algorithm L).
    """
    check_pairs(pairs)
    reservoir = PairReservoir(pairs, np.random.default_rng(seed))
    return reservoir.sample(_pass_over(source, columns, reservoir))


class _Reservoir(Protocol):
    def add(self, batch: pa.RecordBatch) -> None: ...


def _pass_over(
    source: Any, columns: Sequence[str] | None, reservoir: _Reservoir
) -> tuple[str, ...]:
    """Feed all rows to a reservoir; returns the names of the columns."""
    names: tuple[str, ...] = ()
    for batch in read_batches(source, columns):
        names = tuple(batch.schema.names)
        if batch.num_rows:
            reservoir.add(batch)
    return names
