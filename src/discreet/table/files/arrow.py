"""Arrow and Feather files: batches mapped from disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import SourceError
from discreet.table.engine import (
    ENGINE_ERRORS,
    borrow_connection,
    make_nested_error,
    number_columns,
    refuse_expanding,
    rename_columns,
    select_columns,
    stream_answer,
)
from discreet.table.files.parquet import make_unreadable, scan_slices
from discreet.table.table import Table, check_names


@dataclass(frozen=True)
class ArrowSource:
    """An Arrow file in the file (Feather) or the stream format."""

    path: Path

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        def each(text: Sequence[int], native: Sequence[int], rows: int) -> pa.RecordBatchReader:
            return scan_arrow(_open_batches(self.path), text, native, rows, self.path.name)

        reader = scan_slices(each, text, native, rows_per_batch, self.path.name)
        return refuse_expanding(reader, self.path)


def open_arrow(path: Path) -> Table:
    """An Arrow or Feather file as a Table; only its schema is read now."""
    try:
        columns = tuple(_open_batches(path).schema.names)
    except ENGINE_ERRORS:
        columns = None
    if columns is None:
        raise make_unreadable(path, "Arrow or Feather (version 2)")
    check_names(path.name, columns)
    return Table(path.name, columns, ArrowSource(path), path)


def scan_arrow(
    batches: pa.RecordBatchReader,
    text: Sequence[int],
    native: Sequence[int],
    rows_per_batch: int,
    name: str,
) -> pa.RecordBatchReader:
    """Arrow batches through DuckDB, which writes their text; texts are taken as they are."""
    wanted = sorted({*text, *native})
    for field in (batches.schema.field(place) for place in wanted):
        if pa.types.is_nested(field.type):
            raise make_nested_error(name, field.name)
    failure = SourceError(
        name,
        "a column has a type that cannot be read, or the data is damaged",
        "Give numbers, texts, dates, times or truth values; change nested or special types first.",
    )
    if all(_is_text(batches.schema.field(place).type) for place in wanted):
        return _scan_texts(batches, [*text, *native], rows_per_batch, failure)
    connection = borrow_connection()
    try:
        connection.register("rows", _select_columns(batches, wanted))
        registered = True
    except ENGINE_ERRORS:
        registered = False
    if not registered:
        raise failure
    parts = select_columns(
        number_columns(len(wanted)),
        [wanted.index(i) for i in text],
        [wanted.index(i) for i in native],
    )
    query = f"SELECT {parts} FROM rows"
    return stream_answer(connection, query, rows_per_batch, name, lambda: failure)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _scan_texts(
    batches: pa.RecordBatchReader, wanted: Sequence[int], rows: int, failure: SourceError
) -> pa.RecordBatchReader:
    """Columns of text, which need no engine: starting one takes longer than a small table."""
    schema = pa.schema((f"c{number}", pa.string()) for number in range(len(wanted)))

    def each() -> Iterator[pa.RecordBatch]:
        while (batch := _read_next_batch(batches, failure)) is not None:
            for first in range(0, batch.num_rows, rows):
                part = batch.slice(first, rows)
                yield _cast_to_text(part, wanted, schema, failure)

    return pa.RecordBatchReader.from_batches(schema, each())


def _read_next_batch(batches: pa.RecordBatchReader, failure: SourceError) -> pa.RecordBatch | None:
    """The next batch, None at the end; Arrow's own messages about damage may quote cells."""
    try:
        return batches.read_next_batch()
    except StopIteration:
        return None
    except ENGINE_ERRORS:
        pass
    raise failure


def _cast_to_text(
    batch: pa.RecordBatch, wanted: Sequence[int], schema: pa.Schema, failure: SourceError
) -> pa.RecordBatch:
    try:
        columns = [batch.column(place).cast(pa.string()) for place in wanted]
        found = pa.RecordBatch.from_arrays(columns, schema=schema)
        found.validate(full=True)
    except pa.ArrowInvalid:
        found = None
    if found is None:
        raise failure
    return found


def _select_columns(batches: pa.RecordBatchReader, wanted: Sequence[int]) -> pa.RecordBatchReader:
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


def _open_batches(path: Path) -> pa.RecordBatchReader:
    # Damaged batches crash the engines that they are passed to, so each is checked when it is read.
    file = pa.memory_map(str(path))
    try:
        reader = pa.ipc.open_file(file)
    except pa.ArrowInvalid:
        file.seek(0)
        streamed = pa.ipc.open_stream(file)
        return pa.RecordBatchReader.from_batches(streamed.schema, _check_batches(streamed))
    batches = (reader.get_batch(number) for number in range(reader.num_record_batches))
    return pa.RecordBatchReader.from_batches(reader.schema, _check_batches(batches))


def _check_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        batch.validate(full=True)
        yield batch


# Arrow and Feather files.


@dataclass(frozen=True)
class ArrowSink:
    """An Arrow file (Feather, version 2) with the types of the release."""

    def select(self, types: Sequence[pa.DataType]) -> list[str]:
        return [f"c{number}" for number in range(len(types))]

    def save(
        self, file: BinaryIO, path: Path, names: Sequence[str], batches: pa.RecordBatchReader
    ) -> None:
        rows = rename_columns(batches, names)
        options = pa.ipc.IpcWriteOptions(compression="lz4")
        with pa.ipc.new_file(pa.PythonFile(file, mode="w"), rows.schema, options=options) as out:
            for batch in rows:
                out.write_batch(batch)
