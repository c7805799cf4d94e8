"""Wide tables, a slice of columns at a time: what the engine needs grows with their square."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from discreet.errors import SourceError

SLICE = 400
"""Columns that the engine is asked for at once."""

Scan = Callable[[Sequence[int], Sequence[int], int], pa.RecordBatchReader]


def sliced(
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
    return pa.RecordBatchReader.from_batches(schema, _side_by_side(readers, schema, name))


def _side_by_side(
    readers: list[pa.RecordBatchReader], schema: pa.Schema, name: str
) -> Iterator[pa.RecordBatch]:
    """Rows of all readers, each batch as long as the shortest that is there."""
    parts = [_filled(reader) for reader in readers]
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


def _filled(reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    return (batch for batch in reader if batch.num_rows)
