"""The classes that some width of a column leaves, counted from the frequency list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy.widths import Width

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Classes:
    """The sizes of the classes that some width of the columns leaves, rising."""

    sizes: Ints

    @classmethod
    def of(cls, keys: Ints, rows: Ints) -> Classes:
        """Count the rows that have the same key."""
        _, place = np.unique(keys, return_inverse=True)
        return cls(np.sort(np.bincount(place, weights=rows).astype(np.int64)))

    def dropped(self, k: int) -> int:
        """Rows in classes of fewer than k."""
        return int(self.sizes[: np.searchsorted(self.sizes, k)].sum())

    def facts(self) -> dict[str, Any]:
        """How many there are, and how large they are."""
        return {
            "classes": len(self.sizes),
            "smallest_class": int(self.sizes[0]),
            "average_class_size": float(self.sizes.sum() / len(self.sizes)),
        }


def classes_at(frequency: FrequencyList, way: Width, other: Ints) -> Classes:
    """The classes of one column at a width, and the other columns as they are."""
    keys = way.codes[frequency.codes[0]].astype(np.int64) * (int(other.max()) + 1) + other
    return Classes.of(keys, frequency.rows)


def joined(frequency: FrequencyList, places: Sequence[int]) -> Ints:
    """One number for each combination of values of some columns, as found."""
    found = np.zeros(len(frequency), dtype=np.int64)
    for place in places:
        codes = frequency.codes[place].astype(np.int64)
        _, found = np.unique(found * (int(codes.max()) + 1) + codes, return_inverse=True)
    return found
