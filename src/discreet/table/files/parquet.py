"""Parquet files: typed columns, and their text as DuckDB writes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from discreet.display import dataclass
from discreet.errors import DiscreetError, SourceError
from discreet.table.engine import (
    ENGINE_ERRORS,
    connect,
    escape_path,
    make_nested_error,
    number_columns,
    quote_literal,
    refuse_expanding,
    rename_columns,
    select_columns,
    stream_answer,
)
from discreet.table.table import Table, check_names

# Parquet files.


@dataclass(frozen=True)
class ParquetSink:
    """A Parquet file with the types of the release, and nothing about where it came from."""

    def select(self, types: Sequence[pa.DataType]) -> list[str]:
        return [f"c{number}" for number in range(len(types))]

    def save(
        self, file: BinaryIO, path: Path, names: Sequence[str], batches: pa.RecordBatchReader
    ) -> None:
        rows = rename_columns(batches, names)
        with pq.ParquetWriter(file, rows.schema, compression="zstd") as out:
            for batch in rows:
                out.write_batch(batch)


# Wide tables, a slice of columns at a time: what the engine needs grows with their square.


SLICE = 400
"""Columns that the engine is asked for at once."""

Scan = Callable[[Sequence[int], Sequence[int], int], pa.RecordBatchReader]


def scan_slices(
    scan: Scan, text: Sequence[int], native: Sequence[int], rows_per_batch: int, name: str
) -> pa.RecordBatchReader:
    """What `scan` gives, asked for a slice of the columns at a time and put together again.

    Notes
    -----
    *Cost*: one pass of the source for every `SLICE` columns, all at the same time; for sources
    that store columns apart these passes read each column once.
    """
    wanted = [(place, True) for place in text] + [(place, False) for place in native]
    if len(wanted) <= SLICE:
        return scan(text, native, rows_per_batch)
    readers = []
    for start in range(0, len(wanted), SLICE):
        part = wanted[start : start + SLICE]
        texts = [place for place, as_text in part if as_text]
        others = [place for place, as_text in part if not as_text]
        readers.append(scan(texts, others, rows_per_batch))
    types = [field.type for reader in readers for field in reader.schema]
    schema = pa.schema((f"c{number}", kind) for number, kind in enumerate(types))
    return pa.RecordBatchReader.from_batches(schema, _join_columns(readers, schema, name))


def _join_columns(
    readers: list[pa.RecordBatchReader], schema: pa.Schema, name: str
) -> Iterator[pa.RecordBatch]:
    """Rows of all readers, each batch as long as the shortest that is there."""
    parts = [_skip_empty(reader) for reader in readers]
    waiting: list[Any] = [next(part, None) for part in parts]
    while all(batch is not None for batch in waiting):
        rows = min(batch.num_rows for batch in waiting)
        columns = [column.slice(0, rows) for batch in waiting for column in batch.columns]
        yield pa.RecordBatch.from_arrays(columns, schema=schema)
        waiting = [
            batch.slice(rows) if batch.num_rows > rows else next(part, None)
            for batch, part in zip(waiting, parts, strict=True)
        ]
    if any(batch is not None for batch in waiting):
        raise SourceError(
            name,
            "its number of rows changed while it was read",
            "Wait until nothing writes to it any more, then start again.",
        )


def _skip_empty(reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    return (batch for batch in reader if batch.num_rows)


MOST_DIGITS = 38


@dataclass(frozen=True)
class ParquetSource:
    """A Parquet file, read a few row groups at a time."""

    path: Path
    columns: tuple[str, ...]
    nested: frozenset[int] = frozenset()

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        for place in (*text, *native):
            if place in self.nested:
                raise make_nested_error(self.path.name, self.columns[place])
        reader = scan_slices(self._scan, text, native, rows_per_batch, self.path.name)
        return refuse_expanding(reader, self.path)

    def _scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        names = number_columns(len(self.columns))
        path = quote_literal(escape_path(self.path))
        query = (
            f"SELECT {select_columns(names, text, native)} "
            f"FROM read_parquet({path}, hive_partitioning = false) AS t({', '.join(names)})"
        )
        return stream_answer(
            connect(),
            query,
            rows_per_batch,
            self.path.name,
            lambda: make_unreadable(self.path, "Parquet"),
        )


def open_parquet(path: Path) -> Table:
    """A Parquet file as a Table; only its schema is read now."""
    try:
        schema = pq.read_schema(path)
    except ENGINE_ERRORS:
        schema = None
    if schema is None:
        raise make_unreadable(path, "Parquet")
    columns = tuple(schema.names)
    check_names(path.name, columns)
    check_digits(path, schema)
    return Table(path.name, columns, ParquetSource(path, columns, find_nested(schema)), path)


def find_nested(schema: pa.Schema) -> frozenset[int]:
    """The places of columns that hold lists, structs or maps."""
    return frozenset(place for place, field in enumerate(schema) if pa.types.is_nested(field.type))


def check_digits(path: Path, schema: pa.Schema) -> None:
    """Stop at decimals that the engine would round without a word."""
    for field in schema:
        if pa.types.is_decimal(field.type) and field.type.precision > MOST_DIGITS:
            what = f"column '{field.name}' has decimals of more than {MOST_DIGITS} digits"
            raise SourceError(path.name, what, "Save this column as text.")


def make_unreadable(path: Path, kind: str) -> DiscreetError:
    """The file is not what its ending says, or is damaged."""
    what = "the file is empty" if _is_empty(path) else f"this cannot be read as {kind}"
    return SourceError(path.name, what, "It may be damaged, cut off or of another kind.")


def _is_empty(path: Path) -> bool:
    return path.exists() and path.stat().st_size == 0
