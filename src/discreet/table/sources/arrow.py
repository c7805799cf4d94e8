"""Arrow and Feather files: batches mapped from disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from discreet.errors import SourceError
from discreet.table.engine import ENGINE_ERRORS, connect, numbered, renamed, selection, stream
from discreet.table.names import check_names
from discreet.table.sources.parquet import unreadable
from discreet.table.table import Table


@dataclass(frozen=True)
class ArrowSource:
    """An Arrow file in the file (Feather) or the stream format."""

    path: Path
    columns: tuple[str, ...]

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        return arrow_scan(
            _batches(self.path), self.columns, text, native, rows_per_batch, self.path.name
        )


def open_arrow(path: Path) -> Table:
    """An Arrow or Feather file as a Table; only its schema is read now."""
    try:
        columns = tuple(_batches(path).schema.names)
    except ENGINE_ERRORS:
        columns = None
    if columns is None:
        raise unreadable(path, "Arrow or Feather (version 2)")
    check_names(path.name, columns)
    return Table(path.name, columns, ArrowSource(path, columns), path)


def arrow_scan(
    batches: pa.RecordBatchReader,
    columns: Sequence[str],
    text: Sequence[int],
    native: Sequence[int],
    rows_per_batch: int,
    name: str,
) -> pa.RecordBatchReader:
    """Arrow batches through DuckDB, which writes their text."""
    connection = connect()
    failure = SourceError(
        name,
        "a column has a type that cannot be read, or the data is damaged",
        "Give numbers, texts, dates, times or truth values; change nested or special types first.",
    )
    try:
        names = numbered(len(columns))
        connection.register("rows", renamed(batches, names))
        registered = True
    except ENGINE_ERRORS:
        registered = False
    if not registered:
        raise failure
    query = f"SELECT {selection(names, text, native)} FROM rows"
    return stream(connection, query, rows_per_batch, lambda: failure)


def _batches(path: Path) -> pa.RecordBatchReader:
    file = pa.memory_map(str(path))
    try:
        reader = pa.ipc.open_file(file)
    except pa.ArrowInvalid:
        file.seek(0)
        return pa.ipc.open_stream(file)

    def each() -> Iterator[pa.RecordBatch]:
        for number in range(reader.num_record_batches):
            yield reader.get_batch(number)

    return pa.RecordBatchReader.from_batches(reader.schema, each())
