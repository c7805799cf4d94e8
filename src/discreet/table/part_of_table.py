"""The rows of a table that meet a condition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import UnknownColumnError
from discreet.table.engine import blanks_missing
from discreet.table.table import Table
from discreet.table.where import Where


def part_of_table(table: Table, where: Where) -> Table:
    """The same table with the rows only that meet a condition, found as they are read.

    >>> from discreet.table.read import read
    >>> table = read(pa.table({"zip": ["02138", "10001"], "age": [31, 45]}))
    >>> part_of_table(table, Where("age > 40")).scan(text=["zip"]).read_all().to_pydict()
    {'zip': ['10001']}

    Notes
    -----
    *Cost*: each pass reads all rows, and the columns of the condition beside those asked for.
    """
    for column in where.columns:
        if column not in table.columns:
            raise UnknownColumnError(table.name, column, table.columns)
    return replace(table, source=PartOfTable(table, where))


@dataclass(frozen=True)
class PartOfTable:
    """A source that passes on the rows of a table that meet a condition."""

    table: Table
    where: Where

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """A fresh pass over the rows that meet the condition."""
        looked_at = [self.table.columns.index(name) for name in self.where.columns]
        asked = [*looked_at, *text]
        reader = self.table.source.scan(asked, native, rows_per_batch)
        reader = blanks_missing(reader, len(looked_at))
        schema = pa.schema(list(reader.schema)[len(looked_at) :])
        return pa.RecordBatchReader.from_batches(schema, self._met(reader, schema))

    def _met(self, reader: pa.RecordBatchReader, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        names = self.where.columns
        for batch in reader:
            cells = {name: batch.column(place) for place, name in enumerate(names)}
            found = pa.array(self.where(cells))
            rest = [column.filter(found) for column in batch.columns[len(names) :]]
            yield pa.RecordBatch.from_arrays(rest, schema=schema)
