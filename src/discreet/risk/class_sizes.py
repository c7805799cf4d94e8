"""How many classes of a table have one row, two rows and so on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Ints
from discreet.models.parameters import require_whole

MOST_PEOPLE = 10_000_000_000
"""The largest population: more than there are people."""


@dataclass(frozen=True, eq=False)
class ClassSizes:
    """All that population estimates know of a table: its class sizes, counted.

    >>> sizes = ClassSizes.of([1, 1, 2, 4])
    >>> sizes.rows, sizes.classes, sizes.of_size(1)
    (8, 4, 2)
    """

    sizes: Ints
    number: Ints

    @classmethod
    def of(cls, rows: Sequence[int] | npt.NDArray[Any]) -> ClassSizes:
        """From the rows of each class."""
        found = np.asarray(rows)
        if found.ndim != 1 or not len(found) or (found < 1).any():
            wanted = "a list of the rows of each class, at least one class and one row in each"
            raise ParameterError("class sizes", "rows", wanted)
        sizes, number = np.unique(found.astype(np.int64), return_counts=True)
        return cls(sizes, number.astype(np.int64))

    @property
    def rows(self) -> int:
        """Rows of the table, n."""
        return int((self.sizes * self.number).sum())

    @property
    def classes(self) -> int:
        """Classes of the table, u."""
        return int(self.number.sum())

    @property
    def uniques(self) -> int:
        """Rows that are alone in their class."""
        return self.of_size(1)

    def of_size(self, size: int) -> int:
        """How many classes have just this many rows."""
        return int(self.number[self.sizes == size].sum())

    def sampled(self, population: int) -> float:
        """The share of the population that is in the table; refuses one smaller than the table."""
        require_whole("population", "size", population, 1, MOST_PEOPLE)
        if population < self.rows:
            wanted = f"at least {self.rows:,}, the rows of the table, which is a part of it"
            raise ParameterError("population", "size", wanted)
        return self.rows / population
