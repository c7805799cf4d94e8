"""From released rows to a file that appears whole and checked, or not at all."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO

import duckdb
import numpy as np
import pyarrow as pa

from discreet.errors import InternalError, WriteError
from discreet.input_file import MOST_COLUMNS, check_column_count, refuse_address
from discreet.table.atomic import (
    PREFIX,
    Journal,
    check_target,
    make_write_error,
    note_written,
    open_hidden_file,
)
from discreet.table.engine import connect, number_columns, rename_columns
from discreet.table.files.arrow import ArrowSink
from discreet.table.files.csv import CsvSink
from discreet.table.files.duckdb import DuckdbSink
from discreet.table.files.excel import LONGEST_CELL, TOO_LONG, ExcelSink
from discreet.table.files.json_lines import JsonLinesSink
from discreet.table.files.parquet import ParquetSink
from discreet.table.files.sink import Sink
from discreet.table.files.sqlite import SqliteSink
from discreet.table.files.statistics import StatisticsSink
from discreet.table.files.text import PACKING, Dialect
from discreet.table.read import (
    ARROW,
    DUCKDB,
    JSON_LINES,
    PARQUET,
    SQLITE,
    STATA,
    TEXT,
    explain_ending,
    find_ending,
)
from discreet.table.stream import MemoryPath, deliver
from discreet.table.table import check_names

# Rows in an order that tells nothing of where they stood before.


BUCKETS = 256
GATHER = 48 << 20
IN_MEMORY = 128 << 20
HASHES = ("h0", "h1")


def scramble_rows(
    batches: Iterator[pa.RecordBatch], schema: pa.Schema, folder: Path
) -> Iterator[pa.RecordBatch]:
    """The same rows, ordered by a keyed hash of what each says (the columns `h0` and `h1`).

    The new order depends on the released content and the key alone: the same rows give the same
    order whatever order they came in, and equal rows cannot be told apart. The hash is MD5 of the
    key and the row, 128 bits, so two different rows do not share a place; without the key nobody
    can say where in the file a given row would be.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.1: the order of the rows in a release must be random, or rows of two
    releases can be matched by their place. *Departures*: the order is keyed and repeatable rather
    than drawn, so that the same input, policy and seed give the same bytes.
    *Cost*: one pass. Rows are dealt into 256 buckets by the first bits of the hash, then each
    bucket is sorted alone. Up to 128 MB stay in memory; more goes to a temporary file in `folder`
    that has no name, so that (on POSIX systems) it is gone even if the program is killed. It holds
    rows of the release only, as the file under way does, and is not encrypted: the engine's own
    sorting would spill to named files, and can encrypt those only in a way it calls unsafe.
    """
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY, dir=str(folder)) as spool:
        places: list[list[tuple[int, int]]] = [[] for _ in range(BUCKETS)]
        for gathered in _gather(batches):
            _deal(gathered, spool, places)
        for bucket in places:
            yield from _read_sorted(bucket, spool, schema)


def _gather(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Small batches joined into larger ones, so that buckets are dealt in few pieces."""
    waiting: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        waiting.append(batch)
        size += batch.nbytes
        if size > GATHER:
            yield pa.concat_batches(waiting)
            waiting, size = [], 0
    if waiting:
        yield pa.concat_batches(waiting)


def _deal(rows: pa.RecordBatch, spool: IO[bytes], places: list[list[tuple[int, int]]]) -> None:
    numbers = (rows.column("h0").to_numpy() >> np.uint64(56)).astype(np.uint8)
    rows = rows.take(pa.array(np.argsort(numbers, kind="stable")))
    ends = np.cumsum(np.bincount(numbers, minlength=BUCKETS))
    start = 0
    for place, end in zip(places, ends.tolist(), strict=True):
        if end > start:
            packed = rows.slice(start, end - start).serialize()
            place.append((spool.tell(), packed.size))
            spool.write(packed)
        start = end


def _read_sorted(
    bucket: list[tuple[int, int]], spool: IO[bytes], schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    pieces = []
    for offset, size in bucket:
        spool.seek(offset)
        pieces.append(pa.ipc.read_record_batch(pa.py_buffer(spool.read(size)), schema))
    if pieces:
        rows = pa.concat_batches(pieces)
        first, second = (rows.column(name).to_numpy() for name in HASHES)
        yield rows.take(pa.array(np.lexsort((second, first)))).drop_columns(list(HASHES))


MEMORY, A_COLUMN = 500, 0.5
"""Megabytes that the engine may take at most, and more for each column of a wide release."""
ROWS_PER_BATCH = 131_072
MOST_IN_TEXT = 6_000
"""Columns of a CSV file: each has an expression that quotes it, a quarter of a megabyte."""
WIDE = 300
"""Of more columns, looking for a better plan takes far longer than the plan at hand."""
FAILURES = (
    duckdb.Error,
    pa.ArrowException,
    sqlite3.Error,
    zipfile.LargeZipFile,
    OSError,
    RuntimeError,
)


def write(
    reader: pa.RecordBatchReader,
    path: str | os.PathLike[str],
    *,
    dialect: Dialect | None = None,
    order_key: bytes | None,
    check: Callable[[Path], None],
    replace: bool = True,
    rights: int | None = None,
    journal: Journal | None = None,
) -> None:
    """Put a release in its place only when it is complete and has passed `check`.

    The kind of file follows from the ending of `path`. Rows are written to a hidden file next to
    the target that only you can read; `check` gets its path and raises if the release must not
    leave the house. Only then does it take the name of the target, in one step. After any failure,
    Ctrl-C or a request to end before that step, the hidden file is gone and an older target is as
    it was. With `replace` off a target that is there, or appears meanwhile, stays. The `journal` is
    told right before the step, and right after it, or that it failed.

    With an `order_key` the rows are put into an order that depends on what they say and on the key
    alone (see `discreet.table.write`); with None they stay as they come. `dialect` is that of
    the source, so that a CSV release looks like it.
    """
    refuse_address(path, written=True)
    if isinstance(path, MemoryPath):
        fill(reader, path, dialect=dialect, order_key=order_key)
        check(path)
        _print_rows(path, journal)
        return
    target = _find_real_target(Path(path), replace)
    _choose_sink(target, dialect)
    check_target(target, replace)
    check_names(target.name, reader.schema.names)
    check_width(target, len(reader.schema.names))
    with open_hidden_file(
        target, _find_endings(target), rights, replace=replace, journal=journal
    ) as hidden:
        fill(reader, hidden, dialect=dialect, order_key=order_key)
        check(hidden)


def _print_rows(path: MemoryPath, journal: Journal | None) -> None:
    """Print what is checked; it is entered before, since rows that are printed are out."""
    if journal is not None:
        journal.enter()
    note_written(Path(path.name))
    deliver(path)
    if journal is not None:
        journal.confirm()


def check_width(path: Path, columns: int) -> None:
    """Stop at a table that has more columns than can be written in reasonable memory."""
    most = MOST_IN_TEXT if find_ending(path) in TEXT else MOST_COLUMNS
    check_column_count(path.name, columns, "written", "Release fewer columns.", most)


def fill(
    reader: pa.RecordBatchReader,
    hidden: Path,
    *,
    dialect: Dialect | None = None,
    order_key: bytes | None,
) -> None:
    """Write rows as `write` does into a file that is hidden, or in a hidden folder."""
    names = reader.schema.names
    check_names(hidden.name, names)
    check_width(hidden, len(names))
    watched = _Watched(reader)
    try:
        _fill(hidden, _choose_sink(hidden, dialect), watched, names, order_key)
    finally:
        watched.close()


def _find_real_target(path: Path, replace: bool) -> Path:
    """Where the file is to be; a link is followed to the file that it stands for.

    One that nothing may replace is not followed: it is a name that is taken.
    """
    if replace or not os.path.lexists(path):
        return Path(os.path.realpath(path))
    return Path(os.path.realpath(path.parent)) / path.name


def gather_rows(reader: pa.RecordBatchReader, order_key: bytes | None) -> pa.Table:
    """The rows as a table in memory, in the order that a file with the same key would have."""
    names, rows = reader.schema.names, _Watched(reader)
    try:
        with _store_rows(ArrowSink(), rows, order_key, Path(tempfile.gettempdir())) as batches:
            found = batches.read_all().rename_columns(names)
    except FAILURES:
        raise rows.error or InternalError("the released rows could not be gathered") from None
    finally:
        rows.close()
    return found


def _fill(
    hidden: Path, sink: Sink, rows: _Watched, names: list[str], order_key: bytes | None
) -> None:
    """Write and sync the hidden file; every failure becomes one that shows no cell."""
    problem: WriteError | None = None
    try:
        with (
            hidden.open("w+b") as file,
            _store_rows(sink, rows, order_key, hidden.parent) as batches,
        ):
            sink.save(file, hidden, names, batches)
            file.flush()
            os.fsync(file.fileno())
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except FAILURES as error:
        problem = _explain(_find_shown_folder(hidden), error)
    if rows.error is not None:
        raise rows.error
    if problem is not None:
        raise problem


@contextmanager
def _store_rows(
    sink: Sink, rows: _Watched, order_key: bytes | None, folder: Path
) -> Iterator[pa.RecordBatchReader]:
    """The rows as the sink stores them, made by the engine and ordered if a key is given."""
    connection = connect(_choose_memory(len(rows.schema.types)))
    try:
        types = rows.schema.types
        if len(types) > WIDE:
            connection.execute("PRAGMA disable_optimizer")
        connection.register(
            "released", rename_columns(rows.open_reader(), number_columns(len(types)))
        )
        stored = sink.select(types)
        columns = ", ".join(f"p{number}" for number in range(len(stored)))
        parts = ", ".join(f"{part} AS p{number}" for number, part in enumerate(stored))
        query = f"SELECT {parts} FROM released"
        if order_key is not None:
            query = (
                f"SELECT {columns}, CAST(h >> 64 AS UBIGINT) AS {HASHES[0]}, "
                f"CAST(h & 18446744073709551615 AS UBIGINT) AS {HASHES[1]} FROM (SELECT *, "
                f"md5_number('{order_key.hex()}' || {_write_row_text(len(stored))}) AS h "
                f"FROM ({query}))"
            )
        batches = connection.sql(query).to_arrow_reader(ROWS_PER_BATCH)
        if order_key is not None:
            schema = pa.schema([f for f in batches.schema if f.name not in HASHES])
            ordered = scramble_rows(batches, batches.schema, folder)
            batches = pa.RecordBatchReader.from_batches(schema, ordered)
        yield batches
    finally:
        connection.close()


def _choose_memory(columns: int) -> str:
    return f"{MEMORY + int(A_COLUMN * max(0, columns - WIDE))}MB"


def _write_row_text(columns: int) -> str:
    """SQL for the whole text of a stored row; different rows never have the same."""
    texts = [f"CAST(p{number} AS VARCHAR)" for number in range(columns)]
    cells = [f"coalesce(length({text}) || ':' || {text}, '-')" for text in texts]
    return f"concat({', '.join(cells)})"  # not a chain of ||, whose depth the engine limits


class _Watched:
    """The reader of the rows, which remembers its own failure: the engine would reword it."""

    def __init__(self, reader: pa.RecordBatchReader) -> None:
        self.schema = reader.schema
        self.error: BaseException | None = None
        self._reader = reader

    def open_reader(self) -> pa.RecordBatchReader:
        return pa.RecordBatchReader.from_batches(self.schema, self._read_batches())

    def close(self) -> None:
        self._reader.close()

    def _read_batches(self) -> Iterator[pa.RecordBatch]:
        try:
            yield from self._reader
        except GeneratorExit:
            raise
        except BaseException as error:
            self.error = error
            raise


def _find_shown_folder(hidden: Path) -> Path:
    """The folder of a file under way as its user knows it, which is not the hidden one."""
    folder = hidden.parent
    return folder.parent if folder.name.startswith(PREFIX) else folder


def _explain(folder: Path, error: BaseException) -> WriteError:
    number = getattr(error, "errno", None)
    text = str(error).lower()
    if number is None and ("is full" in text or "no space left" in text):
        number = errno.ENOSPC
    if number is not None:
        return make_write_error(folder, number)
    if TOO_LONG.lower() in text:
        return WriteError(
            "the Excel release",
            f"a cell has more than the {LONGEST_CELL:,} letters that Excel holds",
            "Write CSV or Parquet.",
        )
    if isinstance(error, duckdb.OutOfMemoryException):
        what = "the rows need more memory than the engine may take"
        return WriteError(folder, what, "Release fewer columns, or shorter texts.")
    return WriteError(
        folder, f"writing failed ({type(error).__name__})", "Try another kind of file, such as CSV."
    )


def _choose_sink(target: Path, dialect: Dialect | None) -> Sink:
    ending = find_ending(target)
    packing = PACKING.get(target.suffix.lower(), "none")
    if ending in TEXT:
        base = dialect or Dialect()
        separator = "\t" if ending in (".tsv", ".tab") else base.separator
        return CsvSink(replace(base, separator=separator, compression=packing))
    if ending in JSON_LINES:
        return JsonLinesSink(packing)
    sinks: tuple[tuple[tuple[str, ...], Sink], ...] = (
        (PARQUET, ParquetSink()),
        (ARROW, ArrowSink()),
        (SQLITE, SqliteSink()),
        (DUCKDB, DuckdbSink()),
        (STATA, StatisticsSink(stata=True)),
        ((".sav",), StatisticsSink(stata=False)),
        ((".xlsx",), ExcelSink()),
    )
    for endings, sink in sinks:
        if ending in endings:
            return sink
    raise WriteError(target.name, *explain_ending(target))


def _find_endings(target: Path) -> str:
    packing = target.suffix if target.suffix.lower() in PACKING else ""
    return Path(target.name.removesuffix(packing)).suffix + packing
