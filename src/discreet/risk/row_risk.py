"""Risk row by row, in the order of the file."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from discreet.errors import ChangedTableError
from discreet.frequency.classes import Floats
from discreet.frequency.count import Counted
from discreet.frequency.key_index import KeyIndex
from discreet.frequency.packing import Packing
from discreet.table.table import Table


def row_classes(table: Table, counted: Counted) -> Iterator[npt.NDArray[np.int32]]:
    """The class of each row of a counted table, batch by batch: a second pass over the rows."""
    frequency = counted.frequency
    names = frequency.columns
    packing = Packing.of([max(1, len(frequency.values[name])) for name in names])
    index = KeyIndex(packing.pack(frequency.codes, len(frequency)))
    for batch in table.scan(text=names):
        codes = [counted.dictionaries[name].encode(batch.column(i)) for i, name in enumerate(names)]
        if any(len(counted.dictionaries[n]) > len(frequency.values[n]) for n in names):
            raise ChangedTableError(table.name)
        found = index.find(packing.pack(codes, batch.num_rows))
        if (found < 0).any():
            raise ChangedTableError(table.name)
        yield found


def row_risk(table: Table, counted: Counted, class_risk: Floats) -> Floats:
    """The risk of each row, from the risk of each class.

    Notes
    -----
    *Cost*: a second pass over the rows, and one number a row.
    """
    parts = [class_risk[classes] for classes in row_classes(table, counted)]
    return np.concatenate(parts) if parts else np.zeros(0)
