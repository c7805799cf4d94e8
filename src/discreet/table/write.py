"""From released rows to a file that appears whole and checked, or not at all."""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import duckdb
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
    open_hidden_folder,
)
from discreet.table.engine import lend_connection, number_columns, rename_columns
from discreet.table.files.arrow import ArrowSink
from discreet.table.files.csv import CsvSink
from discreet.table.files.duckdb import DuckdbSink
from discreet.table.files.excel import LONGEST_CELL, TOO_LONG, ExcelSink
from discreet.table.files.json_lines import JsonLinesSink
from discreet.table.files.parquet import ParquetSink, decode_texts, is_kept
from discreet.table.files.parquet_folder import check_partition, save_folder, save_partitions
from discreet.table.files.sink import Sink
from discreet.table.files.sqlite import SqliteSink
from discreet.table.files.statistics import StatisticsSink
from discreet.table.files.text import PACKING, Dialect
from discreet.table.hashed_column import WIDE, find_plain_type, is_like_text
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
from discreet.table.scramble import scramble_rows
from discreet.table.stream import MemoryPath, deliver
from discreet.table.table import check_names

MEMORY, A_COLUMN = 500, 0.5
"""Megabytes that the engine may take at most, and more for each column of a wide release."""
ROWS_PER_BATCH = 131_072
MOST_IN_TEXT = 6_000
"""Columns of a CSV file: each has an expression that quotes it, a quarter of a megabyte."""
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
    partition_by: Sequence[str] = (),
) -> None:
    """Put a release in its place only when it is complete and has passed `check`.

    The kind of file follows from the ending of `path`; without one it is a new folder of Parquet
    files, which never replaces anything, with folders in it for the values of the columns
    `partition_by`. Rows are written to a hidden file next to
    the target that only you can read; `check` gets its path and raises if the release must not
    leave the house. Only then does it take the name of the target, in one step. After any failure,
    Ctrl-C or a request to end before that step, the hidden file is gone and an older target is as
    it was. With `replace` off a target that is there, or appears meanwhile, stays. The `journal` is
    told right before the step, and right after it, or that it failed.

    With an `order_key` the rows are put into an order that depends on what they say and on the key
    alone (see `discreet.table.scramble`); with None they stay as they come. `dialect` is that of
    the source, so that a CSV release looks like it.
    """
    refuse_address(path, written=True)
    check_partition("the release", reader.schema.names, partition_by)
    if partition_by and (isinstance(path, MemoryPath) or find_ending(Path(path))):
        what = "only a folder of Parquet files can have folders for the values of columns"
        raise WriteError(path, what, "Name a new folder, without an ending.")
    if isinstance(path, MemoryPath):
        fill(reader, path, dialect=dialect, order_key=order_key)
        check(path)
        _print_rows(path, journal)
        return
    target = _find_real_target(Path(path), replace)
    if not find_ending(target):
        with open_hidden_folder(target, journal=journal) as hidden:
            fill(reader, hidden, order_key=order_key, partition_by=partition_by)
            check(hidden)
        return
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
    partition_by: Sequence[str] = (),
) -> None:
    """Write rows as `write` does into a file that is hidden, or in a hidden folder."""
    names = reader.schema.names
    check_names(hidden.name, names)
    check_width(hidden, len(names))
    watched = _Watched(reader)
    sink = ParquetSink() if hidden.is_dir() else _choose_sink(hidden, dialect)
    try:
        _fill(hidden, sink, watched, names, order_key, partition_by)
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
    hidden: Path,
    sink: Sink,
    rows: _Watched,
    names: list[str],
    order_key: bytes | None,
    partition_by: Sequence[str],
) -> None:
    """Write and sync the hidden file; every failure becomes one that shows no cell."""
    problem: WriteError | None = None
    try:
        with ExitStack() as stack:
            file = None if hidden.is_dir() else stack.enter_context(hidden.open("w+b"))
            stored = _store_rows(sink, rows, order_key, hidden.parent)
            batches = stack.enter_context(stored)
            if file is None and partition_by:
                save_partitions(hidden, names, batches, partition_by)
            elif file is None:
                save_folder(hidden, names, batches)
            else:
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
    """The rows as the sink stores them, ordered if a key is given."""
    batches, memory = rows.open_reader(), _choose_memory(len(rows.schema.types))
    kinds = [find_plain_type(kind) for kind in batches.schema.types]
    if order_key is not None and isinstance(sink, CsvSink) and all(map(is_like_text, kinds)):
        yield sink.write_lines(scramble_rows(batches, order_key, folder, memory, counted=True))
        return
    if order_key is not None:
        batches = scramble_rows(batches, order_key, folder, memory)
    if isinstance(sink, ParquetSink):
        batches = batches if order_key is not None else decode_texts(batches)
        if all(is_kept(kind) for kind in batches.schema.types):
            yield batches
            return
    with lend_connection(memory) as connection:
        types = [find_plain_type(kind) for kind in batches.schema.types]
        if len(types) > WIDE:
            connection.execute("PRAGMA disable_optimizer")
        connection.register("released", rename_columns(batches, number_columns(len(types))))
        stored = sink.select(types)
        parts = ", ".join(f"{part} AS p{number}" for number, part in enumerate(stored))
        yield connection.sql(f"SELECT {parts} FROM released").to_arrow_reader(ROWS_PER_BATCH)


def _choose_memory(columns: int) -> str:
    return f"{MEMORY + int(A_COLUMN * max(0, columns - WIDE))}MB"


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
