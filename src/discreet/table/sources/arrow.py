"""Arrow and Feather files: batches mapped from disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from discreet.errors import SourceError
from discreet.table.engine import ENGINE_ERRORS, connect, numbered, selection, stream
from discreet.table.names import check_names
from discreet.table.sources.parquet import unreadable
from discreet.table.sources.slices import sliced
from discreet.table.table import Table


@dataclass(frozen=True)
class ArrowSource:
    """An Arrow file in the file (Feather) or the stream format."""

    path: Path

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        def each(text: Sequence[int], native: Sequence[int], rows: int) -> pa.RecordBatchReader:
            return arrow_scan(_batches(self.path), text, native, rows, self.path.name)

        return sliced(each, text, native, rows_per_batch, self.path.name)


def open_arrow(path: Path) -> Table:
    """An Arrow or Feather file as a Table; only its schema is read now."""
    try:
        columns = tuple(_batches(path).schema.names)
    except ENGINE_ERRORS:
        columns = None
    if columns is None:
        raise unreadable(path, "Arrow or Feather (version 2)")
    check_names(path.name, columns)
    return Table(path.name, columns, ArrowSource(path), path)


def arrow_scan(
    batches: pa.RecordBatchReader,
    text: Sequence[int],
    native: Sequence[int],
    rows_per_batch: int,
    name: str,
) -> pa.RecordBatchReader:
    """Arrow batches through DuckDB, which writes their text."""
    connection = connect()
    wanted = sorted({*text, *native})
    failure = SourceError(
        name,
        "a column has a type that cannot be read, or the data is damaged",
        "Give numbers, texts, dates, times or truth values; change nested or special types first.",
    )
    try:
        connection.register("rows", _selected(batches, wanted))
        registered = True
    except ENGINE_ERRORS:
        registered = False
    if not registered:
        raise failure
    parts = selection(
        numbered(len(wanted)), [wanted.index(i) for i in text], [wanted.index(i) for i in native]
    )
    query = f"SELECT {parts} FROM rows"
    return stream(connection, query, rows_per_batch, name, lambda: failure)


def _selected(batches: pa.RecordBatchReader, wanted: Sequence[int]) -> pa.RecordBatchReader:
    """The wanted columns alone, under names by position."""
    fields = [batches.schema.field(i) for i in wanted]
    schema = pa.schema((f"c{number}", field.type) for number, field in enumerate(fields))
    return pa.RecordBatchReader.from_batches(
        schema,
        (
            pa.RecordBatch.from_arrays([batch.column(i) for i in wanted], schema=schema)
            for batch in batches
        ),
    )


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
