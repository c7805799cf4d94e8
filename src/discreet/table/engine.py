"""DuckDB, set up so that it changes no value, shows no value and leaves no file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from discreet.errors import SourceError
from discreet.input_file import MEGABYTE, RAISED, read_raised_limit

if TYPE_CHECKING:
    from discreet.errors import DiscreetError

SCAN_MEMORY = "400MB"

SHORT = "Out of Memory Error"
"""How the engine begins where Arrow passes its message on."""

EXPANDED, LEAST_EXPANDED, LONG_VALUE = 200, 4_000, 256
"""Text of a file with repeated values: times its size, the megabytes that any file may have, and
the mean number of bytes from which the values of a batch count as long."""
ENGINE_ERRORS = (duckdb.Error, pa.ArrowException, OSError, RuntimeError)


def connect(memory: str = SCAN_MEMORY) -> duckdb.DuckDBPyConnection:
    """A private engine: bounded memory, no network, and no files.

    It has no folder for temporary files, so nothing private is ever written to disk: an operation
    too large for memory fails.
    """
    connection = duckdb.connect(
        ":memory:",
        config={
            "memory_limit": memory,
            "temp_directory": "",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_persistent_secrets": "false",
            "preserve_insertion_order": "true",
            "enable_external_file_cache": "false",
            "python_enable_replacements": "false",
        },
    )
    connection.execute(_OWN_SETTINGS)
    return connection


_OWN_SETTINGS = "SET TimeZone = 'UTC'; SET enable_progress_bar = false"
"""What each connection to an engine sets for itself."""


# Engines that are used again: to start one takes longer than most questions about a small table.


MOST_SPARE = 3
"""Idle engines that are kept: a table is read, stored and checked at the same time."""

MOST_GROWTH = 32 * MEGABYTE
"""By how much the process may have grown while an engine was in use: DuckDB keeps what it took from
the system until the engine is closed, so one that had much to do is closed."""

_spare: list[duckdb.DuckDBPyConnection] = []
_in_use: WeakKeyDictionary[duckdb.DuckDBPyConnection, tuple[duckdb.DuckDBPyConnection, int]] = (
    WeakKeyDictionary()
)
"""The engine of each borrowed connection, and the size of the process when it was lent."""


def borrow_connection(memory: str = SCAN_MEMORY) -> duckdb.DuckDBPyConnection:
    """A connection like those of `connect`, to an engine that nobody else uses meanwhile.

    Temporary tables, registered rows and settings of the connection end with it. Hand it to
    `return_connection` once its work is done; one that is dropped or closed takes its engine along.
    What attaches a database or makes tables that are not temporary takes `connect`.
    """
    engine = _take_spare(memory) or connect(memory)
    connection = engine.cursor()
    connection.execute(_OWN_SETTINGS)
    _in_use[connection] = engine, _measure_process()
    return connection


def return_connection(connection: duckdb.DuckDBPyConnection, *, done: bool) -> None:
    """Close a connection, and keep the engine of a borrowed one for the next that is asked for.

    An engine is closed if it has grown, or if its work is not ``done``: after an error, or with
    rows that nobody has read.
    """
    engine, size = _in_use.pop(connection, (connection, 0))
    connection.close()
    if done and size and _measure_process() - size <= MOST_GROWTH and len(_spare) < MOST_SPARE:
        _spare.append(engine)
    else:
        engine.close()


@contextmanager
def lend_connection(memory: str = SCAN_MEMORY) -> Iterator[duckdb.DuckDBPyConnection]:
    """Borrow a connection for the length of a block."""
    connection, done = borrow_connection(memory), False
    try:
        yield connection
        done = True
    finally:
        return_connection(connection, done=done)


def close_spare_engines() -> None:
    """Close all idle engines; done before a fork, since a child would have them without threads."""
    while _spare:
        _spare.pop().close()


os.register_at_fork(before=close_spare_engines)


def _take_spare(memory: str) -> duckdb.DuckDBPyConnection | None:
    """An idle engine that holds nothing, set to ``memory``."""
    try:
        engine = _spare.pop()
    except IndexError:
        return None
    left = engine.execute("SELECT count(*) FROM duckdb_tables()").fetchall()
    if left != [(0,)]:
        engine.close()
        return None
    engine.execute(
        f"SET GLOBAL memory_limit = '{memory}'; SET GLOBAL preserve_insertion_order = true"
    )
    return engine


def _measure_process() -> int:
    """The memory of this process in bytes; 0 where the system does not tell."""
    try:
        pages = Path("/proc/self/statm").read_bytes().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


# How names, texts and columns are written in SQL.


def quote_literal(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def name(column: str) -> str:
    """A column name as SQL writes it."""
    return '"' + column.replace('"', '""') + '"'


def number_columns(columns: int) -> list[str]:
    """Names by position: DuckDB would take `age` and `Age` for the same column."""
    return [f"c{number}" for number in range(columns)]


def escape_path(path: Path) -> str:
    """A path in which no character is taken for a pattern."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in str(path))


def select_columns(columns: Sequence[str], text: Sequence[int], native: Sequence[int]) -> str:
    """The SQL list that gives columns as text, then others in their own types."""
    parts = [f"CAST({name(columns[i])} AS VARCHAR)" for i in text]
    parts += [name(columns[i]) for i in native]
    return ", ".join(f"{part} AS c{number}" for number, part in enumerate(parts))


def stream_answer(
    connection: duckdb.DuckDBPyConnection,
    query: str,
    rows_per_batch: int,
    name: str,
    failed: Callable[[], DiscreetError],
) -> pa.RecordBatchReader:
    """The answer to a query about a source, batch by batch; any failure becomes `failed()`.

    The connection is returned after the last batch. The engine's own messages quote cells, so they
    are dropped and never chained.
    """
    try:
        reader = connection.sql(query).to_arrow_reader(rows_per_batch)
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.OutOfMemoryException:
        raise _make_too_large_error(name) from None
    except ENGINE_ERRORS:
        reader = None
    if reader is None:
        raise failed()
    batches = _guard_batches(connection, reader, name, failed)
    return pa.RecordBatchReader.from_batches(reader.schema, batches)


def check_row_count(
    reader: pa.RecordBatchReader, rows: int, failed: Callable[[], DiscreetError]
) -> pa.RecordBatchReader:
    """The same rows, counted: a reader that loses some without a word must not pass."""

    def count() -> Iterator[pa.RecordBatch]:
        left = rows
        for batch in reader:
            left -= batch.num_rows
            yield batch
        if left:
            raise failed()

    return pa.RecordBatchReader.from_batches(reader.schema, count())


def make_nested_error(name: str, column: str) -> SourceError:
    """A column holds lists or the like, which no hierarchy or model can work with."""
    what = f"column '{column}' holds nested values (lists, structs or maps)"
    fix = "Write its parts as columns of their own, or leave it out of the policy."
    return SourceError(name, what, fix)


def _make_too_large_error(name: str) -> SourceError:
    what = f"a few thousand rows need more than the {SCAN_MEMORY} that reading may take"
    return SourceError(name, what, "Leave out long texts, or columns that are not needed.")


def _guard_batches(
    connection: duckdb.DuckDBPyConnection,
    reader: pa.RecordBatchReader,
    name: str,
    failed: Callable[[], DiscreetError],
) -> Iterator[pa.RecordBatch]:
    broken, done = False, False
    try:
        while True:
            try:
                batch = reader.read_next_batch()
            except StopIteration:
                done = True
                return
            except duckdb.InterruptException:
                raise KeyboardInterrupt from None
            except ENGINE_ERRORS as error:
                large = isinstance(error, duckdb.OutOfMemoryException) or SHORT in str(error)
                failed = (lambda: _make_too_large_error(name)) if large else failed
                broken = True
                break
            yield batch
    finally:
        return_connection(connection, done=done)
    if broken:
        raise failed()


def blank_to_missing(reader: pa.RecordBatchReader, texts: int) -> pa.RecordBatchReader:
    """The same rows, in the first `texts` columns with null for an empty text.

    Not every kind of file can tell the two apart, so they must not be told apart in any.
    """

    def each() -> Iterator[pa.RecordBatch]:
        for batch in reader:
            columns = [_blank_missing(column) for column in batch.columns[:texts]]
            columns += batch.columns[texts:]
            yield pa.RecordBatch.from_arrays(columns, schema=reader.schema)

    return pa.RecordBatchReader.from_batches(reader.schema, each())


def _blank_missing(column: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(column.type):
        values = _blank_missing(column.dictionary)
        same = values is column.dictionary
        return column if same else pa.DictionaryArray.from_arrays(column.indices, values)
    length = pc.binary_length(column)
    if pc.min(length).as_py() != 0:
        return column
    return pc.if_else(pc.equal(length, 0), pa.scalar(None, column.type), column)


def refuse_expanding(reader: pa.RecordBatchReader, path: Path) -> pa.RecordBatchReader:
    """The same rows, until long values that the file stores once have become too much text.

    A small file can repeat a long value hundreds of millions of times. What counts is what was
    read, not what the file says of itself. Short values do not count, however many rows there are.
    """
    most = max(EXPANDED * path.stat().st_size, max(LEAST_EXPANDED, read_raised_limit()) * MEGABYTE)

    def each() -> Iterator[pa.RecordBatch]:
        size = 0
        for batch in reader:
            sizes = (_find_text_size(column) for column in batch.columns)
            size += sum(one for one in sizes if one > LONG_VALUE * batch.num_rows)
            if size > most:
                what = (
                    f"its long values unpack to more than {most // MEGABYTE:,} MB, over "
                    f"{EXPANDED} times the size of the file"
                )
                fix = (
                    "Leave out columns that repeat long values. If the file is right, allow more "
                    f"megabytes with the environment variable {RAISED}."
                )
                raise SourceError(path.name, what, fix)
            yield batch

    return pa.RecordBatchReader.from_batches(reader.schema, each())


def _find_text_size(column: pa.Array) -> int:
    """The bytes of a column, with a text for each cell where it has them in a dictionary."""
    if not pa.types.is_dictionary(column.type) or not len(column.dictionary):
        return int(column.nbytes)
    if column.dictionary.nbytes <= LONG_VALUE:
        return int(column.indices.nbytes)
    lengths = pc.binary_length(column.dictionary)
    if (pc.max(lengths).as_py() or 0) <= LONG_VALUE:
        return int(column.indices.nbytes)
    return int(pc.sum(lengths.take(column.indices)).as_py() or 0)


def rename_columns(reader: pa.RecordBatchReader, names: Sequence[str]) -> pa.RecordBatchReader:
    """The same rows under the names that were asked for, which may repeat."""
    schema = pa.schema(
        pa.field(column, field.type) for column, field in zip(names, reader.schema, strict=True)
    )
    return pa.RecordBatchReader.from_batches(
        schema, (pa.RecordBatch.from_arrays(batch.columns, schema=schema) for batch in reader)
    )
