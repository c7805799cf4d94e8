"""Average re-identification risk: how many rows an intruder names rightly by guessing."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Classes, Ints
from discreet.models.parameters import require_real
from discreet.models.verdict import TOLERANCE, Verdict


@dataclass(frozen=True)
class AverageRisk:
    """An intruder who guesses for every row is right for at most this share of them.

    Parameters
    ----------
    max
        The largest average chance allowed, above 0 and up to 1.
    columns
        The quasi-identifier this holds for; all quasi columns if not given.

    Notes
    -----
    [ElEmam2008]_, marketer risk of a table: classes over rows. A promise about the table, not about
    each class: rows are suppressed by class size, smallest first, all classes of a size together.
    *Departures*: none. *Cost*: a sort of the class sizes.

    >>> AverageRisk(max=0.5).least_class(np.array([1, 1, 2, 4]))
    1
    >>> AverageRisk(max=0.4).least_class(np.array([1, 1, 2, 4]))
    2
    """

    max: float
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "average_risk"

    def __post_init__(self) -> None:
        require_real(self.name, "max", self.max, above=0, most=1)

    @property
    def sensitive(self) -> None:
        """This model does not look at sensitive values."""
        return None

    def least_class(self, rows: Ints) -> int:
        """The smallest class size that may stay so that the promise holds for what stays."""
        sizes, number = np.unique(rows, return_counts=True)
        classes_left = np.cumsum(number[::-1])[::-1]
        rows_left = np.cumsum((number * sizes)[::-1])[::-1]
        holds = classes_left <= self.max * rows_left + TOLERANCE
        return int(sizes[holds.argmax()]) if holds.any() else int(sizes[-1]) + 1

    def keepable(self, rows: Ints) -> int:
        """Rows of the table that some finer grouping could still release."""
        sizes = np.sort(rows)
        classes_left = np.arange(len(sizes), 0, -1)
        rows_left = np.cumsum(sizes[::-1])[::-1]
        holds = classes_left <= self.max * rows_left + TOLERANCE
        return int(rows_left[holds.argmax()]) if holds.any() else 0

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.max

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return f"people are found with a chance of at most {self.max:g} on average"

    @property
    def least_rows(self) -> int:
        """No class smaller than this can pass."""
        return 1

    def verdict(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure classes over rows."""
        total = int(classes.rows.sum())
        measured = len(classes) / total if total else 0.0
        holds = measured <= self.max + TOLERANCE
        at_risk = int(classes.rows[classes.rows * self.max < 1].sum())
        return Verdict(self.name, holds, measured, self.max, 0 if holds else at_risk, columns)
