"""Rows counted where they are, through whatever is done to single values on the way here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.table.table import CountsRows, Source, Table


def count_all_rows(table: Table) -> int:
    """How many rows a table has, counted where they are if that can be."""
    counted = table.count_rows(table.columns[:1])
    if counted is not None:
        return int(pc.sum(counted.read_all().column(1)).as_py() or 0)
    return sum(int(batch.num_rows) for batch in table.scan(text=table.columns[:1]))


REPEATED = 131_072
"""Rows of a batch that is made from counts."""


def read_in_any_order(table: Table, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """The texts of some columns, row by row in any order.

    Where a table counts its rows itself, only different combinations come here, and each is
    repeated as often as it was counted.
    """
    counted = table.count_rows(columns)
    if counted is None:
        yield from table.scan(text=columns)
        return
    for batch in counted:
        ends = np.cumsum(batch.column(len(columns)).to_numpy(zero_copy_only=False))
        texts = batch.select(range(len(columns)))
        for start in range(0, int(ends[-1]) if len(ends) else 0, REPEATED):
            rows = np.arange(start, min(start + REPEATED, int(ends[-1])))
            yield texts.take(pa.array(np.searchsorted(ends, rows, side="right")))


def count_translated(
    source: Source, translate: Callable[[int, pa.Array], pa.Array], places: Sequence[int]
) -> pa.RecordBatchReader | None:
    """What a source counts itself, with ``translate`` applied to the texts of each column."""
    found = source.count_rows(places) if isinstance(source, CountsRows) else None
    if found is None:
        return None
    kinds = [*[pa.string()] * len(places), pa.int64()]
    schema = pa.schema([(f"c{n}", kind) for n, kind in enumerate(kinds)])

    def each() -> Iterator[pa.RecordBatch]:
        for batch in found:
            texts = [
                translate(place, batch.column(n).cast(pa.string()))
                for n, place in enumerate(places)
            ]
            rows = batch.column(len(places)).cast(pa.int64())
            yield pa.RecordBatch.from_arrays([*texts, rows], schema=schema)

    return pa.RecordBatchReader.from_batches(schema, each())
