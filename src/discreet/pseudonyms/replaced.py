"""A table whose identifiers are replaced when its rows are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import UnknownColumnError
from discreet.pseudonyms.distinct import Distinct, Gathering, kind_of, type_of
from discreet.table.table import Table


@dataclass(frozen=True, eq=False)
class Made:
    """What makes the pseudonyms of a column, a batch at a time; ``ready`` is called before."""

    column: str
    keeps_type: bool
    make: Callable[[pa.Array], pa.Array]
    ready: Callable[[], object] = tuple


def gathered(table: Table, columns: Sequence[str]) -> dict[str, Distinct]:
    """The different identifiers of some columns, from one pass over the rows."""
    for column in columns:
        if column not in table.columns:
            raise UnknownColumnError(table.name, column, table.columns)
    reader = table.scan(native=columns)
    parts = [
        Gathering(reader.schema.field(place).type, column) for place, column in enumerate(columns)
    ]
    for batch in reader:
        for part, values in zip(parts, batch.columns, strict=True):
            part.add(values)
    return {column: part.done() for column, part in zip(columns, parts, strict=True)}


def with_replaced(table: Table, made: Iterable[Made], notices: Iterable[str] = ()) -> Table:
    """The table with the identifiers of some columns replaced."""
    places = {table.columns.index(one.column): one for one in made}
    source = ReplacedSource(table, places)
    return replace(table, source=source, notices=(*table.notices, *notices))


@dataclass(frozen=True, eq=False)
class ReplacedSource:
    """The rows of a table with some columns replaced; nothing but a batch is held."""

    table: Table
    made: Mapping[int, Made]

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """A fresh pass over the rows; a replaced column is read in its own type in any case."""
        if not any(place in self.made for place in (*text, *native)):
            return self.table.source.scan(text, native, rows_per_batch)
        for place in {*text, *native} & {*self.made}:
            self.made[place].ready()
        plain = [place for place in text if place not in self.made]
        moved = [place for place in text if place in self.made]
        reader = self.table.source.scan(plain, [*moved, *native], rows_per_batch)
        first, then = iter(range(len(plain))), iter(range(len(plain), len(plain) + len(moved)))
        order = [next(then if place in self.made else first) for place in text]
        order += range(len(text), len(text) + len(native))
        asked = [*zip(order, (*text, *native), strict=True)]
        types = [
            pa.string() if n < len(text) else self._type(place, reader.schema.field(at).type)
            for n, (at, place) in enumerate(asked)
        ]
        schema = pa.schema([(f"c{n}", kind) for n, kind in enumerate(types)])
        return pa.RecordBatchReader.from_batches(schema, self._batches(reader, asked, schema))

    def _type(self, place: int, kind: pa.DataType) -> pa.DataType:
        if place not in self.made:
            return kind
        one = self.made[place]
        return type_of(kind_of(kind, one.column), one.keeps_type)

    def _batches(
        self, reader: pa.RecordBatchReader, asked: Sequence[tuple[int, int]], schema: pa.Schema
    ) -> Iterator[pa.RecordBatch]:
        for batch in reader:
            new: dict[int, pa.Array] = {}
            arrays = []
            for (at, place), field in zip(asked, schema, strict=True):
                if place in self.made and place not in new:
                    new[place] = self.made[place].make(batch.column(at))
                values = new[place] if place in self.made else batch.column(at)
                arrays.append(values.cast(field.type) if place in self.made else values)
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)
