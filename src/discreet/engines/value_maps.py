"""Columns of a database whose values are mapped, one by one, before anything is counted.

What depends on a value alone need not see rows: the different values of a column come here once,
and each gets its new one. The engine goes on to count the values as found, and what it counted is
translated; when the release is written, the map is put into the engine and every row is joined
with it. A value without a map row is left out, and never released as found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.engines.statements import write_native_values
from discreet.engines.table import find_engine_source, translate_texts
from discreet.errors import InternalError
from discreet.table.row_counts import count_translated
from discreet.table.table import Table, make_changed_error

NUMBERS = {"integer": pa.int64(), "real": pa.float64()}
"""Types of single values that are numbers."""
NOTHING = pa.scalar(None, pa.string())


@dataclass(frozen=True, eq=False)
class ColumnValues:
    """The different values of a column: their texts, each with its rows, and as the engine has
    them.

    Missing is a value too; its text is null.
    """

    texts: pa.Array = field(repr=False)
    native: pa.Array = field(repr=False)
    rows: npt.NDArray[np.int64] = field(repr=False)


def read_values(table: Table, column: str) -> ColumnValues:
    """The different values of a column of a table in an engine, as the table has them.

    Notes
    -----
    *Cost*: one statement; the different values are held here.
    """
    source = find_engine_source(table)
    if source is None:
        raise InternalError("values of a table in no database were asked for")
    place = table.columns.index(column)
    query = write_native_values(source.engine.dialect, source.pin(), source.choose_column(place))
    found = source.engine.query(query).read_all()
    given = _clear_blanks(found.column(0).cast(pa.string()).combine_chunks())
    texts = _clear_blanks(translate_texts(table, place, given).cast(pa.string()))
    native = found.column(1).combine_chunks()
    if source.engine.dialect.value_kind:
        native = _read_kinds(given, native)
    if pc.any(pc.not_equal(texts, given)).as_py():  # zeros came back, which a number cannot have
        native = texts
    native = pc.if_else(pc.is_null(texts), pa.scalar(None, native.type), native)
    coded = texts.dictionary_encode(null_encoding="encode")
    codes = coded.indices.to_numpy(zero_copy_only=False)
    first = np.unique(codes, return_index=True)[1]
    rows = np.bincount(codes, found.column(2).to_numpy(), len(first)).astype(np.int64)
    at = pa.array(first)
    return ColumnValues(texts.take(at), native.take(at), rows)


def _read_kinds(texts: pa.Array, kinds: pa.Array) -> pa.Array:
    """Texts as numbers, if all of them are of values of one type of numbers."""
    found = set(kinds.filter(pc.is_valid(texts)).unique().to_pylist())
    kind = NUMBERS.get(found.pop()) if len(found) == 1 else None
    return texts if kind is None else texts.cast(kind)


@dataclass(frozen=True, eq=False)
class ValueMap:
    """What each text of a column becomes; ``whole`` if all new values are whole numbers."""

    old: pa.Array = field(repr=False)
    new: pa.Array = field(repr=False)
    whole: bool = False

    def translate(self, texts: pa.Array, table: str) -> pa.Array:
        """New texts; one that is not in the map means that the table has changed."""
        texts = _clear_blanks(texts)
        places = pc.index_in(texts, value_set=self.old)
        if places.null_count:
            raise make_changed_error(table)
        return self.new.take(places)


@dataclass(frozen=True, eq=False)
class MappedSource:
    """The rows of a table in an engine, with the values of some columns mapped."""

    table: Table = field(repr=False)
    maps: Mapping[int, ValueMap]

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """A fresh pass over the rows; a mapped column is read as text in any case."""
        mapped = [place for place in native if place in self.maps]
        plain = [place for place in native if place not in self.maps]
        asked = [*text, *mapped]
        reader = self.table.source.scan(asked, plain, rows_per_batch)
        texts, rest = (
            iter(range(len(text), len(asked))),
            iter(range(len(asked), len(reader.schema))),
        )
        order = [*range(len(text)), *(next(texts if p in self.maps else rest) for p in native)]
        places = [*text, *native]
        kinds = [
            self._choose_kind(place, n >= len(text), reader.schema.field(at).type)
            for n, (at, place) in enumerate(zip(order, places, strict=True))
        ]
        schema = pa.schema([(f"c{n}", kind) for n, kind in enumerate(kinds)])

        def each() -> Iterator[pa.RecordBatch]:
            for batch in reader:
                arrays = [
                    self.translate(place, batch.column(at).cast(pa.string())).cast(kind)
                    if place in self.maps
                    else batch.column(at)
                    for at, place, kind in zip(order, places, kinds, strict=True)
                ]
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)

        return pa.RecordBatchReader.from_batches(schema, each())

    def _choose_kind(self, place: int, native: bool, found: pa.DataType) -> pa.DataType:
        if place not in self.maps:
            return found
        return pa.int64() if native and self.maps[place].whole else pa.string()

    def count_rows(self, places: Sequence[int]) -> pa.RecordBatchReader | None:
        """The rows counted where they are, by the new values."""
        return count_translated(self.table.source, self.translate, places)

    def translate(self, place: int, texts: pa.Array) -> pa.Array:
        """The new texts of a column."""
        if place not in self.maps:
            return texts
        return self.maps[place].translate(texts, self.table.name)


def find_map(table: Table, place: int) -> ValueMap | None:
    """How the values of a column are mapped before they are counted, or None."""
    source = table.source
    while not isinstance(source, MappedSource):
        inner = getattr(source, "table", None)
        if not isinstance(inner, Table):
            return None
        source = inner.source
    return source.maps.get(place)


def _clear_blanks(texts: pa.Array) -> pa.Array:
    """An empty text as a missing one."""
    return pc.if_else(pc.equal(texts, ""), NOTHING, texts)
