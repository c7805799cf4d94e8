"""Parquet files: typed columns, and their text as DuckDB writes it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from discreet.display import dataclass
from discreet.errors import DiscreetError, InternalError, SourceError
from discreet.table.engine import (
    ENGINE_ERRORS,
    borrow_connection,
    check_row_count,
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
        coded = [field.name for field in rows.schema if pa.types.is_dictionary(field.type)]
        plain = pa.schema(
            (field.name, field.type.value_type if field.name in coded else field.type)
            for field in rows.schema
        )
        # Of rows in no order the smallest and largest text say little, and take long to find.
        told = [name for name in rows.schema.names if name not in coded] or False
        with pq.ParquetWriter(
            file, rows.schema, compression="zstd", store_schema=False, write_statistics=told
        ) as out:
            # Readers get texts, not categories: how a column was written is no part of the release.
            out.add_key_value_metadata({"ARROW:schema": b64encode(plain.serialize()).decode()})
            for batch in rows:
                _refuse_unused(batch)
                out.write_batch(batch)


def _refuse_unused(batch: pa.RecordBatch) -> None:
    """Stop at a dictionary with a value that no cell has: it would be in the file all the same."""
    for column in batch.columns:
        if pa.types.is_dictionary(column.type):
            used = np.zeros(len(column.dictionary), dtype=np.bool_)
            used[column.indices.drop_null().to_numpy()] = True
            if not used.all():
                raise InternalError("a dictionary holds values that no released row has")


KEPT = (
    pa.types.is_string, pa.types.is_integer, pa.types.is_boolean, pa.types.is_float32,
    pa.types.is_float64, pa.types.is_date32,
)  # fmt: skip


def is_kept(kind: pa.DataType) -> bool:
    """Whether a column of this type is written as it is: the engine would not change its type."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return any(test(kind) for test in KEPT)


def decode_texts(reader: pa.RecordBatchReader) -> pa.RecordBatchReader:
    """The same rows, with a value for each cell of a column that comes as a dictionary."""
    coded = [at for at, kind in enumerate(reader.schema.types) if pa.types.is_dictionary(kind)]
    if not coded:
        return reader
    schema = pa.schema(
        (field.name, field.type.value_type if at in coded else field.type)
        for at, field in enumerate(reader.schema)
    )
    return pa.RecordBatchReader.from_batches(schema, (batch.cast(schema) for batch in reader))


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


def join_columns(
    readers: list[pa.RecordBatchReader], order: Sequence[int], name: str
) -> pa.RecordBatchReader:
    """The columns of all readers of the same rows side by side, put into an order."""
    kinds = [field.type for reader in readers for field in reader.schema]
    schema = pa.schema((f"c{number}", kinds[place]) for number, place in enumerate(order))
    if len(readers) == 1:
        batches: Iterator[pa.RecordBatch] = iter(readers[0])
    else:
        joined = pa.schema((f"c{number}", kind) for number, kind in enumerate(kinds))
        batches = _join_columns(readers, joined, name)
    ordered = (
        pa.RecordBatch.from_arrays([batch.column(place) for place in order], schema=schema)
        for batch in batches
    )
    return pa.RecordBatchReader.from_batches(schema, ordered)


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


# Columns of text and of whole numbers, read by Arrow as the codes that a file stores.


WHOLE = (pa.int8(), pa.int16(), pa.int32(), pa.int64(),
         pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())  # fmt: skip
BUFFER = 1 << 22
"""Bytes of a column that are read at once where a row group has more of them, as one may that is as
large as its file."""


def find_coded(schema: pq.ParquetSchema) -> frozenset[int]:
    """The places of columns whose values Arrow and the engine read alike and write alike as text.

    Those are texts and whole numbers. Columns of other types are left to the engine, and so is a
    column with a dot in its name, which Arrow would take for a part of a nested one.
    """
    found = set()
    columns = schema.to_arrow_schema()
    if len(columns) != len(schema.names):
        return frozenset()  # with nested columns the places differ
    for place, name in enumerate(columns.names):
        one = schema.column(place)
        kind = "text" if one.logical_type.type == "STRING" else columns.field(place).type
        whole = kind in WHOLE and one.logical_type.type in ("NONE", "INT")
        flat = one.max_repetition_level == 0 and one.max_definition_level <= 1
        text = kind == "text" and one.physical_type == "BYTE_ARRAY"
        if "." not in name and flat and (text or whole):
            found.add(place)
    return frozenset(found)


def _code_column(column: pa.Array, as_text: bool) -> pa.Array:
    """A column as it was read, or its texts as a dictionary."""
    if pa.types.is_integer(column.type):
        if not as_text:
            return column
        column = column.dictionary_encode()
        return pa.DictionaryArray.from_arrays(column.indices, column.dictionary.cast(pa.string()))
    values = column.dictionary
    values.validate(full=True)  # texts may hold any bytes
    return column if values.type == pa.string() else column.cast(CODED)


CODED = pa.dictionary(pa.int32(), pa.string())

MOST_DIGITS = 38


@dataclass(frozen=True)
class ParquetSource:
    """A Parquet file, read a few row groups at a time."""

    path: Path
    columns: tuple[str, ...]
    nested: frozenset[int] = frozenset()
    coded: frozenset[int] = frozenset()
    """Columns that can be read as codes."""
    rows: int = 0

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        self._refuse_nested(text, native)
        reader = scan_slices(self._scan, text, native, rows_per_batch, self.path.name)
        return refuse_expanding(reader, self.path)

    def scan_coded(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """As ``scan``; columns of text come as the dictionaries that the file stores."""
        self._refuse_nested(text, native)
        wanted = [(place, True) for place in text] + [(place, False) for place in native]
        apart = [one for one in wanted if one[0] not in self.coded]
        together = [one for one in wanted if one[0] in self.coded]
        if not together or len(wanted) > SLICE:
            return self.scan(text, native, rows_per_batch)
        readers = [self._scan_codes(together, rows_per_batch)]
        if apart:
            texts = [place for place, as_text in apart if as_text]
            others = [place for place, as_text in apart if not as_text]
            readers.append(self._scan(texts, others, rows_per_batch))
        order = [*together, *apart]
        reader = join_columns(readers, [order.index(one) for one in wanted], self.path.name)
        return refuse_expanding(reader, self.path)

    def _refuse_nested(self, text: Sequence[int], native: Sequence[int]) -> None:
        for place in (*text, *native):
            if place in self.nested:
                raise make_nested_error(self.path.name, self.columns[place])

    def _scan_codes(
        self, wanted: Sequence[tuple[int, bool]], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """Columns of text and whole numbers, by Arrow; each column is read once."""
        file = self._open_codes({place for place, _ in wanted})
        if file is None:
            raise make_unreadable(self.path, "Parquet")
        names = sorted({self.columns[place] for place, _ in wanted})
        kinds = {name: file.schema_arrow.field(name).type for name in names}
        schema = pa.schema(
            (
                f"c{number}",
                CODED if as_text or kinds[self.columns[place]] not in WHOLE
                else kinds[self.columns[place]],
            )
            for number, (place, as_text) in enumerate(wanted)
        )  # fmt: skip
        where = [(self.columns[place], as_text) for place, as_text in wanted]

        def each() -> Iterator[pa.RecordBatch]:
            with file:
                size = _align_batches(file.metadata, rows_per_batch)
                batches = _read_codes(file.iter_batches(size, columns=names), where)
                while (columns := _read_next(batches, self.path)) is not None:
                    yield pa.RecordBatch.from_arrays(columns, schema=schema)

        def fail() -> DiscreetError:
            return make_unreadable(self.path, "Parquet")

        reader = pa.RecordBatchReader.from_batches(schema, each())
        return check_row_count(reader, file.metadata.num_rows, fail)

    def _open_codes(self, places: set[int]) -> pq.ParquetFile | None:
        names = [self.columns[place] for place in places]
        try:
            with pq.ParquetFile(self.path) as file:
                large = _find_largest_column(file.metadata, places) > BUFFER
            return pq.ParquetFile(
                self.path,
                read_dictionary=names,
                buffer_size=BUFFER if large else 0,
                pre_buffer=False,
            )
        except ENGINE_ERRORS:
            return None

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
            borrow_connection(),
            query,
            rows_per_batch,
            self.path.name,
            lambda: make_unreadable(self.path, "Parquet"),
        )


def _align_batches(file: pq.FileMetaData, rows_per_batch: int) -> int:
    """Rows of a batch with which most row groups are a number of batches.

    Each row group has dictionaries of its own, so that a batch across two of them comes in parts.
    """
    rows = file.row_group(0).num_rows if file.num_row_groups else 0
    if 4 * rows < rows_per_batch:
        return rows_per_batch
    return -(-rows // -(-rows // rows_per_batch))


def _find_largest_column(file: pq.FileMetaData, places: Iterable[int]) -> int:
    """The most bytes that one of some columns takes in a row group."""
    groups = (file.row_group(number) for number in range(file.num_row_groups))
    sizes = (group.column(place).total_compressed_size for group in groups for place in places)
    return max(sizes, default=0)


def open_parquet(path: Path) -> Table:
    """A Parquet file as a Table; only its schema is read now."""
    source, schema = open_parquet_source(path)
    check_names(path.name, source.columns)
    check_digits(path, schema)
    return Table(path.name, source.columns, source, path)


def open_parquet_source(path: Path) -> tuple[ParquetSource, pa.Schema]:
    """The columns of a Parquet file, and how they are read; only its schema is read now."""
    try:
        with pq.ParquetFile(path) as file:
            schema, coded = file.schema_arrow, find_coded(file.schema)
            rows = file.metadata.num_rows
    except ENGINE_ERRORS:
        schema = None
    if schema is None:
        raise make_unreadable(path, "Parquet")
    return ParquetSource(path, tuple(schema.names), find_nested(schema), coded, rows), schema


def _read_codes(
    batches: Iterator[pa.RecordBatch], where: Sequence[tuple[str, bool]]
) -> Iterator[list[pa.Array]]:
    for batch in batches:
        yield [_code_column(batch.column(name), as_text) for name, as_text in where]


def _read_next(columns: Iterator[list[pa.Array]], path: Path) -> list[pa.Array] | None:
    """The next columns, None at the end; Arrow's own messages about damage may quote cells."""
    try:
        return next(columns, None)
    except ENGINE_ERRORS:
        pass
    raise make_unreadable(path, "Parquet")


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
