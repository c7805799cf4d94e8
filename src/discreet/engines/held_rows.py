"""The rows of a table in an engine as somebody can hold them who only sees what it counts.

Attacks compare released rows with others one by one, in any order. For that a table need not be
sent here: its different combinations of values are, each with its count, and each is repeated as
often as it was counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.engines.table import find_engine_source
from discreet.engines.value_maps import read_values
from discreet.errors import EmptyTableError, UnknownColumnError
from discreet.frequency.frequency_list import AnyCodes
from discreet.table.table import Table


def hold_counted_rows(table: Table, columns: Sequence[str]) -> Table:
    """A table in an engine with these columns alone, its rows made from their counts.

    Any other table stays as it is. Rows are in the order of their values, which tells nothing of
    the table; columns that the table lacks are left out.

    Notes
    -----
    *Cost*: one statement; each different combination is sent here once. In memory a row takes four
    bytes. Where a column is asked for in its own type, one more statement for its values.
    """
    if find_engine_source(table) is None:
        return table
    names = [name for name in table.columns if name in columns]
    if not names:
        raise UnknownColumnError(table.name, (*columns, "?")[0], table.columns)
    counted = table.count_rows(names)
    if counted is None:
        raise UnknownColumnError(table.name, names[0], table.columns)
    found = counted.read_all()
    if not found.num_rows:
        raise EmptyTableError(table.name, "there are column names but no rows")
    texts, codes = [], []
    for column in found.columns[:-1]:
        values = column.unique()
        ordered = values.take(pc.array_sort_indices(values, null_placement="at_start"))
        texts.append(ordered)
        codes.append(pc.index_in(column, value_set=ordered).to_numpy().astype(np.int32))
    order = np.lexsort(codes[::-1])
    rows = found.column(len(names)).to_numpy().astype(np.int64)[order]
    groups = np.repeat(np.arange(len(rows), dtype=np.int32), rows)
    source = HeldSource(table, tuple(names), tuple(texts), tuple(c[order] for c in codes), groups)
    return replace(table, columns=tuple(names), source=source)


def is_held(table: object) -> bool:
    """Whether the rows of a table were made from counts, so that their numbers mean nothing."""
    return isinstance(table, Table) and isinstance(table.source, HeldSource)


@dataclass(frozen=True, eq=False)
class HeldSource:
    """Rows made from counts: ``groups`` has the combination of each, ``codes`` its values."""

    origin: Table = field(repr=False)
    columns: tuple[str, ...]
    texts: tuple[pa.Array, ...] = field(repr=False)
    codes: tuple[AnyCodes, ...] = field(repr=False)
    groups: AnyCodes = field(repr=False)
    natives: dict[int, pa.Array] = field(default_factory=dict, repr=False)

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """A pass over the rows, always in the same order."""
        return self._read(text, native, rows_per_batch, lambda cells: cells.dictionary_decode())

    def scan_coded(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """The same, every column as a dictionary."""
        return self._read(text, native, rows_per_batch, lambda cells: cells)

    def _read(
        self,
        text: Sequence[int],
        native: Sequence[int],
        rows_per_batch: int,
        write: Callable[[pa.DictionaryArray], pa.Array],
    ) -> pa.RecordBatchReader:
        values = [self.texts[place] for place in text] + [self._find_native(p) for p in native]
        codes = [self.codes[place] for place in (*text, *native)]

        def make(groups: AnyCodes) -> pa.RecordBatch:
            cells = [
                write(pa.DictionaryArray.from_arrays(pa.array(own[groups]), known))
                for own, known in zip(codes, values, strict=True)
            ]
            return pa.RecordBatch.from_arrays(cells, names=[f"c{n}" for n in range(len(cells))])

        def each() -> Iterator[pa.RecordBatch]:
            for start in range(0, len(self.groups), rows_per_batch):
                yield make(self.groups[start : start + rows_per_batch])

        return pa.RecordBatchReader.from_batches(make(self.groups[:0]).schema, each())

    def _find_native(self, place: int) -> pa.Array:
        """The values of a column in its own type, in the place of their texts."""
        if place not in self.natives:
            found = read_values(self.origin, self.columns[place])
            at = pc.index_in(self.texts[place], value_set=found.texts)
            self.natives[place] = found.native.take(at)
        return self.natives[place]
