"""Parquet files: typed columns, and their text as DuckDB writes it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from discreet.display import dataclass
from discreet.errors import DiscreetError, SourceError
from discreet.table.engine import (
    ENGINE_ERRORS,
    connect,
    exact_path,
    literal,
    numbered,
    refuse_expanding,
    selection,
    stream,
)
from discreet.table.names import check_names
from discreet.table.sources.slices import sliced
from discreet.table.table import Table

MOST_DIGITS = 38


@dataclass(frozen=True)
class ParquetSource:
    """A Parquet file, read a few row groups at a time."""

    path: Path
    columns: tuple[str, ...]

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        reader = sliced(self._scan, text, native, rows_per_batch, self.path.name)
        return refuse_expanding(reader, self.path)

    def _scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        names = numbered(len(self.columns))
        query = (
            f"SELECT {selection(names, text, native)} FROM read_parquet("
            f"{literal(exact_path(self.path))}, hive_partitioning = false) AS t({', '.join(names)})"
        )
        return stream(
            connect(),
            query,
            rows_per_batch,
            self.path.name,
            lambda: unreadable(self.path, "Parquet"),
        )


def open_parquet(path: Path) -> Table:
    """A Parquet file as a Table; only its schema is read now."""
    try:
        schema = pq.read_schema(path)
    except ENGINE_ERRORS:
        schema = None
    if schema is None:
        raise unreadable(path, "Parquet")
    columns = tuple(schema.names)
    check_names(path.name, columns)
    _check_digits(path, schema)
    return Table(path.name, columns, ParquetSource(path, columns), path)


def _check_digits(path: Path, schema: pa.Schema) -> None:
    """Stop at decimals that the engine would round without a word."""
    for field in schema:
        if pa.types.is_decimal(field.type) and field.type.precision > MOST_DIGITS:
            what = f"column '{field.name}' has decimals of more than {MOST_DIGITS} digits"
            raise SourceError(path.name, what, "Save this column as text.")


def unreadable(path: Path, kind: str) -> DiscreetError:
    """The file is not what its ending says, or is damaged."""
    what = "the file is empty" if _is_empty(path) else f"this cannot be read as {kind}"
    return SourceError(path.name, what, "It may be damaged, cut off or of another kind.")


def _is_empty(path: Path) -> bool:
    return path.exists() and path.stat().st_size == 0
