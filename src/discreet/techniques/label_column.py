"""A column of categories as codes, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from discreet.display import dataclass
from discreet.techniques.arrow_rows import column_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """One column: `values` are codes into `labels`, -1 where missing."""

    name: str
    values: NDArray[np.int64]
    labels: pa.Array

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Where there is no label."""
        return self.values < 0

    def modes(self, groups: NDArray[np.int64]) -> tuple[pa.Array, float]:
        """The most frequent label of its group for each row, and the share of labels changed.

        Of labels as frequent as each other, the one that the table has more often (then the
        earlier) is taken. All rows of a group have a label, or none has.
        """
        kinds = max(1, len(self.labels))
        there = ~self.missing
        pairs, counts = np.unique(groups[there] * kinds + self.values[there], return_counts=True)
        owner, label = pairs // kinds, pairs % kinds
        order = np.lexsort((label, -counts, owner))
        first = np.flatnonzero(np.diff(owner[order], prepend=-1))
        mode = np.full(int(groups.max()) + 1, -1)
        mode[owner[order][first]] = label[order][first]
        codes = mode[groups]
        share = float(np.mean(codes[there] != self.values[there])) if there.any() else 0.0
        return self.labels.take(pa.array(codes, mask=codes < 0)), share


def label_column(rows: pa.Table, name: str) -> LabelColumn:
    """A column of any type as codes, the most frequent label first."""
    found = column_of(rows, name).dictionary_encode()
    codes = np.asarray(found.indices.fill_null(-1).to_numpy(zero_copy_only=False), np.int64)
    kinds = len(found.dictionary)
    order = np.argsort(-np.bincount(codes[codes >= 0], minlength=kinds), kind="stable")
    place = np.empty(kinds + 1, np.int64)
    place[order] = np.arange(kinds)
    place[-1] = -1
    return LabelColumn(name, place[codes], found.dictionary.take(pa.array(order)))
