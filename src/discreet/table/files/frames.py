"""Frames in memory: pandas, polars, and whatever else speaks Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import SourceError
from discreet.table.files.arrow import scan_arrow
from discreet.table.files.parquet import scan_slices
from discreet.table.table import Table, check_names


@dataclass(frozen=True)
class FrameSource:
    """The caller's frame, as an Arrow table that shares its memory where possible."""

    rows: pa.Table
    name: str

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        def each(text: Sequence[int], native: Sequence[int], rows: int) -> pa.RecordBatchReader:
            return scan_arrow(self.rows.to_reader(rows), text, native, rows, self.name)

        return scan_slices(each, text, native, rows_per_batch, self.name)


def open_frame(frame: Any) -> Table:
    """A frame as a Table; an index of pandas is not a column and is left out."""
    library = type(frame).__module__.split(".")[0]
    name = {"pandas": "pandas frame", "polars": "polars frame"}.get(library, "Arrow frame")
    if library == "pyspark":
        fix = "Give what discreet.read makes of it: its rows stay where they are."
        raise SourceError("Spark data frame", "its rows would all be sent here", fix)
    if library == "pandas" and hasattr(frame, "columns"):
        rows = _read_pandas(frame, name)
    elif library == "polars" and hasattr(frame, "collect"):
        rows = frame.collect().to_arrow()
    else:
        rows = _read_arrow(frame, name)
    check_names(name, rows.schema.names)
    return Table(name, tuple(rows.schema.names), FrameSource(rows.replace_schema_metadata(), name))


def _read_arrow(frame: Any, name: str) -> pa.Table:
    if isinstance(frame, pa.Table):
        return frame
    if isinstance(frame, pa.RecordBatch):
        return pa.Table.from_batches([frame])
    if isinstance(frame, pa.RecordBatchReader):
        return frame.read_all()
    if hasattr(frame, "__arrow_c_stream__"):
        return pa.table(frame)
    raise SourceError(
        name,
        f"a {type(frame).__name__} is not a table",
        "Give a path, or a pandas, polars or Arrow frame.",
    )


def _read_pandas(frame: Any, name: str) -> pa.Table:
    """Column by column: a column of mixed Python objects becomes text instead of an error."""
    columns = [str(column) for column in frame.columns]
    check_names(name, columns)
    arrays = [_read_series(frame.iloc[:, place]) for place in range(len(columns))]
    return pa.table(arrays, names=columns)


def _read_series(series: Any) -> pa.Array | pa.ChunkedArray:
    try:
        return pa.array(series, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        missing = series.isna()
    return pa.array(series.astype(object).where(missing, series.map(str)).where(~missing, None))
