"""A table whose rows stay in a database or cluster, behind the same handle as a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import pyarrow as pa

from discreet.display import dataclass
from discreet.engines.engine import Column, Engine, Relation
from discreet.engines.statements import (
    write_columns,
    write_counts,
    write_draw,
    write_group_sizes,
    write_row_seals,
)
from discreet.table.engine import make_nested_error
from discreet.table.table import Source, Table, check_names


class RowPart(Protocol):
    """Some rows of a table."""

    def write_rows(self, engine: Engine, rows: str) -> str:
        """What stands after FROM to get these of all ``rows``."""


@dataclass(frozen=True, eq=False)
class EngineSource:
    """The rows of a table in an engine, or the ``part`` of them, which can count them itself."""

    engine: Engine
    relation: Relation
    part: RowPart | None = None

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """A fresh pass over rows that are sent to this computer, for what needs rows."""
        dialect = self.engine.dialect
        own = [self._write_native(self.choose_column(place)) for place in native]
        texts = [self.choose_column(place) for place in text]
        query = write_columns(dialect, self.pin(), texts, own)
        return self.engine.query(query, rows_per_batch)

    def pin(self) -> str:
        """What stands after FROM: the rows as they are now, for all later statements."""
        rows = self.engine.pin(self.relation).sql
        return rows if self.part is None else self.part.write_rows(self.engine, rows)

    def _write_native(self, column: Column) -> str:
        """A column in its own type if Arrow has that, else its text."""
        name = self.engine.dialect.name_column(column.name)
        return name if column.carried else self.engine.dialect.text.format(name)

    def count_rows(self, places: Sequence[int]) -> pa.RecordBatchReader:
        """Each different combination of texts with its rows, counted in the engine."""
        columns = [self.choose_column(place) for place in places]
        return self.engine.query(write_counts(self.engine.dialect, self.pin(), columns))

    def draw_rows(self, places: Sequence[int], rows: int) -> pa.RecordBatchReader:
        """So many rows, drawn by chance in the engine; only these are sent to this computer."""
        columns = [self.choose_column(place) for place in places]
        return self.engine.query(write_draw(self.engine.dialect, self.pin(), columns, rows))

    def count_group_sizes(self, places: Sequence[int]) -> dict[int, int]:
        """How many groups of rows, alike on columns that all have a value, have which size."""
        columns = [self.choose_column(place) for place in places]
        query = write_group_sizes(self.engine.dialect, self.pin(), columns)
        found = self.engine.query(query).read_all()
        return dict(zip(found.column(0).to_pylist(), found.column(1).to_pylist(), strict=True))

    def seal_rows(self, key: bytes) -> pa.RecordBatchReader:
        """A keyed hash of each different row and how often it is there, sorted by the hash.

        The key is put into the engine; no value leaves it.
        """
        columns = [self.choose_column(place) for place in range(len(self.relation.columns))]
        rows, own = self.pin(), self.engine.put(pa.table({"key": [key.hex()]}))
        return self.engine.query(write_row_seals(self.engine.dialect, rows, columns, own))

    def choose_column(self, place: int) -> Column:
        """A column that can be counted and released; one of lists or structs is refused."""
        column = self.relation.columns[place]
        if column.nested:
            raise make_nested_error(self.relation.name, column.name)
        return column


def open_relation(engine: Engine, relation: Relation) -> Table:
    """The handle on a table of an engine."""
    columns = tuple(column.name for column in relation.columns)
    check_names(relation.name, columns)
    return Table(relation.name, columns, EngineSource(engine, relation))


def find_engine_source(table: Table) -> EngineSource | None:
    """The engine that has the rows of a table, under whatever is done to single values; or None."""
    source: Source = table.source
    while not isinstance(source, EngineSource):
        inner = getattr(source, "table", None)
        if not isinstance(inner, Table):
            return None
        source = inner.source
    return source


@runtime_checkable
class TranslatingSource(Protocol):
    """A source that changes values one by one: cleaning, maps, quoting of formulas."""

    @property
    def table(self) -> Table:
        """The table whose values are changed."""

    def translate(self, place: int, texts: pa.Array) -> pa.Array:
        """The texts of a column as they become."""


def translate_texts(table: Table, place: int, texts: pa.Array) -> pa.Array:
    """The texts of a column of the engine as the table has them.

    Only what works on single values may lie between the two.
    """
    source: Source = table.source
    if isinstance(source, EngineSource):
        return texts
    if not isinstance(source, TranslatingSource):
        raise TypeError(f"{type(source).__name__} does not work on single values")
    return source.translate(place, translate_texts(source.table, place, texts))
