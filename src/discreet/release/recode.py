"""The second pass over the rows: each batch recoded, suppressed rows left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.errors import ChangedTableError
from discreet.frequency.count import Counted
from discreet.table.table import Table

Codes = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]


class Recoding(Protocol):
    """What rows are released as, given the codes of their quasi columns."""

    @property
    def untouched(self) -> frozenset[str]:
        """The quasi columns that are released as they are."""

    def recode(self, ground: Sequence[Codes]) -> tuple[dict[str, pa.Array], Mask | None] | None:
        """The released texts of each quasi column but untouched ones, and which rows are left out.

        None if a row is none of those that were counted. ``ground`` has the codes of a batch of
        rows, a quasi column each.
        """


class Recoder:
    """Turns rows of the private table into rows of the release, a batch at a time."""

    def __init__(
        self, table: Table, released: Sequence[str], counted: Counted, recoding: Recoding
    ) -> None:
        self._table, self._counted, self._recoding = table, counted, recoding
        self._quasi = counted.frequency.columns
        self._released = [name for name in table.columns if name in released]
        self._known = {name: len(counted.frequency.values[name]) for name in self._quasi}
        self._native = [
            name for name in self._released if name not in self._quasi or name in recoding.untouched
        ]

    @contextmanager
    def reader(self) -> Iterator[pa.RecordBatchReader]:
        """The release as a stream of batches, in the order of the private table."""
        scan = self._table.scan(text=self._quasi, native=self._native)
        types = {name: pa.string() for name in self._released}
        native = self._places(scan.schema)
        types |= {name: scan.schema.field(place).type for name, place in native.items()}
        schema = pa.schema([(name, types[name]) for name in self._released])
        try:
            yield pa.RecordBatchReader.from_batches(schema, self._batches(scan, schema, native))
        finally:
            scan.close()

    def _places(self, scanned: pa.Schema) -> dict[str, int]:
        """Where the columns are that keep their own type.

        A quasi column of texts is not among them even if it is untouched: an empty text and a
        missing value count as the same, so they must look the same.
        """
        places = {name: len(self._quasi) + i for i, name in enumerate(self._native)}
        return {
            name: place
            for name, place in places.items()
            if name not in self._quasi or not is_text(scanned.field(place).type)
        }

    def _batches(
        self, scan: pa.RecordBatchReader, schema: pa.Schema, native: dict[str, int]
    ) -> Iterator[pa.RecordBatch]:
        rows = 0
        for batch in scan:
            rows += batch.num_rows
            ground = [self._codes(i, name, batch) for i, name in enumerate(self._quasi)]
            recoded = self._recoding.recode(ground)
            if recoded is None:
                raise ChangedTableError(self._table.name)
            texts, dropped = recoded
            arrays = [
                batch.column(native[name]) if name in native else texts[name]
                for name in self._released
            ]
            made = pa.RecordBatch.from_arrays(arrays, schema=schema)
            yield made if dropped is None else made.filter(pa.array(~dropped))
        if rows != self._counted.frequency.total:
            raise ChangedTableError(self._table.name)

    def _codes(self, place: int, name: str, batch: pa.RecordBatch) -> Codes:
        """Codes of a column as it was counted."""
        ground = self._counted.dictionaries[name].encode(batch.column(place))
        if len(self._counted.dictionaries[name]) != self._known[name]:
            raise ChangedTableError(self._table.name)
        return ground


def is_text(kind: pa.DataType) -> bool:
    """Whether a column holds texts, coded or not."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(test(kind) for test in tests)
