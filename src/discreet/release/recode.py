"""The second pass over the rows: each batch recoded to its levels, suppressed rows left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.algorithms.solution import Solution
from discreet.errors import ChangedTableError
from discreet.frequency.count import Counted
from discreet.frequency.key_index import KeyIndex
from discreet.frequency.packing import Packing
from discreet.hierarchy.hierarchy import SUPPRESSED, Hierarchy
from discreet.table.table import Table

Codes = npt.NDArray[np.int32]


class Recoder:
    """Turns rows of the private table into rows of the release, a batch at a time."""

    def __init__(
        self,
        table: Table,
        released: Sequence[str],
        counted: Counted,
        hierarchies: Sequence[Hierarchy],
        solution: Solution,
        packing: Packing,
        keep_suppressed: bool,
        random: np.random.Generator,
    ) -> None:
        self._table, self._counted = table, counted
        self._quasi = counted.frequency.columns
        self._released = [name for name in table.columns if name in released]
        self._hierarchies = hierarchies
        self._packing = packing
        self._keep = keep_suppressed
        self._known = {name: len(counted.frequency.values[name]) for name in self._quasi}
        levels = dict(zip(self._quasi, solution.node, strict=True))
        self._level = levels
        self._labels = {
            name: pa.array(h.labels[levels[name]], pa.string())
            for name, h in zip(self._quasi, hierarchies, strict=True)
        }
        self._native = [
            name
            for name in self._released
            if name not in levels or (levels[name] == 0 and not keep_suppressed)
        ]
        self._drops = _Drops(solution, random) if solution.suppressed else None

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

        A quasi column of texts is not among them even at level 0: an empty text and a missing
        value count as the same, so they must look the same.
        """
        places = {name: len(self._quasi) + i for i, name in enumerate(self._native)}
        return {
            name: place
            for name, place in places.items()
            if name not in self._level or not _is_text(scanned.field(place).type)
        }

    def _batches(
        self, scan: pa.RecordBatchReader, schema: pa.Schema, native: dict[str, int]
    ) -> Iterator[pa.RecordBatch]:
        rows = 0
        for batch in scan:
            rows += batch.num_rows
            codes = [self._codes(i, name, batch) for i, name in enumerate(self._quasi)]
            dropped = None if self._drops is None else self._dropped(codes)
            arrays = [
                batch.column(native[name]) if name in native else self._column(name, codes, dropped)
                for name in self._released
            ]
            recoded = pa.RecordBatch.from_arrays(arrays, schema=schema)
            if dropped is not None and not self._keep:
                recoded = recoded.filter(pa.array(~dropped))
            yield recoded
        if rows != self._counted.frequency.total:
            raise ChangedTableError(self._table.name)

    def _codes(self, place: int, name: str, batch: pa.RecordBatch) -> Codes:
        """Codes of a column at its released level."""
        ground = self._counted.dictionaries[name].encode(batch.column(place))
        if len(self._counted.dictionaries[name]) != self._known[name]:
            raise ChangedTableError(self._table.name)
        return self._hierarchies[place].maps[self._level[name]][ground]

    def _dropped(self, codes: Sequence[Codes]) -> npt.NDArray[np.bool_]:
        assert self._drops is not None
        dropped = self._drops.of(self._packing.pack(codes, len(codes[0])))
        if dropped is None:
            raise ChangedTableError(self._table.name)
        return dropped

    def _column(
        self, name: str, codes: Sequence[Codes], dropped: npt.NDArray[np.bool_] | None
    ) -> pa.Array:
        texts = self._labels[name].take(pa.array(codes[self._quasi.index(name)]))
        if dropped is None or not self._keep:
            return texts
        stars = pa.array([SUPPRESSED]).take(pa.array(np.zeros(len(dropped), dtype=np.int32)))
        return pa.compute.if_else(pa.array(dropped), stars, texts)


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(test(kind) for test in tests)


class _Drops:
    """Which rows are suppressed: all of some classes, a random part of others."""

    def __init__(self, solution: Solution, random: np.random.Generator) -> None:
        self._index = KeyIndex(solution.groups.keys)
        rows, dropped = solution.groups.rows, solution.dropped
        self._whole = dropped == rows
        self._part = {
            int(group): np.isin(
                np.arange(rows[group]),
                random.choice(int(rows[group]), int(dropped[group]), replace=False),
            )
            for group in np.nonzero((dropped > 0) & ~self._whole)[0]
        }
        self._met = dict.fromkeys(self._part, 0)

    def of(self, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_] | None:
        """Whether each row of a batch is suppressed; None if a row is of no class."""
        group = self._index.find(keys)
        if (group < 0).any():
            return None
        dropped: npt.NDArray[np.bool_] = self._whole[group]
        for partial, chosen in self._part.items():
            here = np.nonzero(group == partial)[0]
            met = self._met[partial]
            dropped[here] = chosen[met : met + len(here)]
            self._met[partial] = met + len(here)
        return dropped
