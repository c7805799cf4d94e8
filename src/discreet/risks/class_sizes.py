"""How many classes of a table have one row, two rows and so on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Floats, Ints
from discreet.models.parameters import require_whole

MOST_PEOPLE = 10_000_000_000
"""The largest population: more than there are people."""


@dataclass(frozen=True, eq=False)
class ClassSizes:
    """All that population estimates know of a table: its class sizes, counted.

    >>> sizes = ClassSizes.of([1, 1, 2, 4])
    >>> sizes.rows, sizes.classes, sizes.count_of_size(1)
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
        return self.count_of_size(1)

    def count_of_size(self, size: int) -> int:
        """How many classes have just this many rows."""
        return int(self.number[self.sizes == size].sum())

    def find_sampled_share(self, population: int) -> float:
        """The share of the population that is in the table; refuses one smaller than the table."""
        require_whole("population", "size", population, 1, MOST_PEOPLE)
        if population < self.rows:
            wanted = f"at least {self.rows:,}, the rows of the table, which is a part of it"
            raise ParameterError("population", "size", wanted)
        return self.rows / population


# Whether a fitted model describes the small classes of a table.


LOOKED_AT = 8
"""Class sizes that a fit is judged by, from 1 on."""

SIGNIFICANT = 22.5
"""The sum of squared misses over expectations that a right model exceeds once in a thousand."""

MATERIAL = 0.03
"""Share of the classes looked at that a model may miss, however surely it does."""


def measure_misfit(sizes: ClassSizes, expected: Floats) -> tuple[float, float]:
    """How far small classes are from what is expected: squared misses, and the share missed."""
    seen = np.array(
        [sizes.count_of_size(size) for size in range(1, len(expected) + 1)], dtype=float
    )
    miss = np.abs(seen - expected)
    squares = miss * miss / np.maximum(expected, 1e-9)
    return float(squares.sum()), float(miss.sum() / max(1.0, seen.sum()))


def write_objection(squares: float, share: float) -> str | None:
    """What to say of a fit that is surely wrong, and by enough to matter."""
    if squares <= SIGNIFICANT or share <= MATERIAL:
        return None
    return (
        f"the fitted model misses the number of classes of 1 to {LOOKED_AT} rows by "
        f"{100 * share:.1f} %, more than chance explains, so it does not describe this table"
    )
