"""The second pass over the rows of a table: each person's rows recoded, or none of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.errors import ChangedTableError
from discreet.frequency.classes import Mask
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.people.coded_rows import CodedRows
from discreet.release.recode import is_text


class PeopleRows:
    """Turns rows of a private table into rows of the release, a batch at a time.

    ``pseudonyms`` take the place of the column of people; None leaves it as the table has it.
    """

    def __init__(
        self,
        rows: CodedRows,
        released: Sequence[str],
        hierarchies: Sequence[Hierarchy],
        node: Sequence[int],
        kept: Mask,
        pseudonyms: pa.Array | None,
    ) -> None:
        self._rows, self._kept, self._pseudonyms = rows, kept, pseudonyms
        table = rows.table
        self._released = [name for name in table.columns if name in released]
        self._recoded = {
            name: (place, hierarchy.maps[level], pa.array(hierarchy.labels[level], pa.string()))
            for place, (name, hierarchy, level) in enumerate(
                zip(rows.quasi, hierarchies, node, strict=True)
            )
        }
        untouched = [name for name, level in zip(rows.quasi, node, strict=True) if level == 0]
        made = {*self._recoded, *([rows.entity] if pseudonyms is not None else [])}
        self._native = [name for name in self._released if name not in made or name in untouched]

    @contextmanager
    def reader(self) -> Iterator[pa.RecordBatchReader]:
        """The release as a stream of batches, in the order of the private table."""
        text = [self._rows.entity, *self._rows.quasi]
        scan = self._rows.table.scan(text=text, native=self._native)
        kinds = {name: scan.schema.field(len(text) + i).type for i, name in enumerate(self._native)}
        # An empty text and a missing value count as the same, so they must look the same.
        alike = {name for name, kind in kinds.items() if name in self._recoded and is_text(kind)}
        native = {n: len(text) + i for i, n in enumerate(self._native) if n not in alike}
        types = {name: kinds[name] for name in native}
        schema = pa.schema([(name, types.get(name, pa.string())) for name in self._released])
        try:
            yield pa.RecordBatchReader.from_batches(schema, self._batches(scan, schema, native))
        finally:
            scan.close()

    def _batches(
        self, scan: pa.RecordBatchReader, schema: pa.Schema, native: Mapping[str, int]
    ) -> Iterator[pa.RecordBatch]:
        done = 0
        coders = (self._rows.people, *self._rows.dictionaries)
        for batch in scan:
            again = [coder.encode(batch.column(c)) for c, coder in enumerate(coders)]
            self._rows.refuse_changed(again, done)
            arrays = [
                batch.column(native[name]) if name in native else self._made(name, again)
                for name in self._released
            ]
            made = pa.RecordBatch.from_arrays(arrays, schema=schema)
            yield made.filter(pa.array(self._kept[done : done + batch.num_rows]))
            done += batch.num_rows
        if done != len(self._rows):
            raise ChangedTableError(self._rows.table.name)

    def _made(self, name: str, codes: Sequence[npt.NDArray[np.int32]]) -> pa.Array:
        """The released texts of a quasi column, or the pseudonyms of people."""
        if name not in self._recoded:
            assert self._pseudonyms is not None
            return self._pseudonyms.take(pa.array(codes[0]))
        place, levels, labels = self._recoded[name]
        return labels.take(pa.array(levels[codes[place + 1]]))
