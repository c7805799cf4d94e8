"""Largest re-identification risk: the chance of picking the right row for anyone in the release."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Classes, Floats, Mask
from discreet.models.parameters import require_real
from discreet.models.verdict import TOLERANCE, Verdict


@dataclass(frozen=True)
class LargestRisk:
    """Nobody's row is found with a chance above ``max`` by an intruder who knows they are in it.

    Parameters
    ----------
    max
        The largest chance allowed, above 0 and up to 1; 0.2 is the same as k = 5.
    columns
        The quasi-identifier this holds for; all quasi columns if not given.

    Notes
    -----
    [ElEmam2008]_, prosecutor risk: one over the size of the smallest class. *Departures*: none.
    *Cost*: one comparison a class.

    >>> LargestRisk(max=0.2).least_rows
    5
    """

    max: float
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "largest_risk"
    hereditary: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require_real(self.name, "max", self.max, above=0, most=1)

    @property
    def sensitive(self) -> None:
        """This model does not look at sensitive values."""
        return None

    @property
    def least_rows(self) -> int:
        """No class smaller than this can pass."""
        return math.ceil(1 / (self.max + TOLERANCE))

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes that are too small."""
        return classes.rows < self.least_rows

    def keepable(self, classes: Classes) -> Floats:
        """Rows of each class that some finer grouping could still release."""
        return np.where(classes.rows < self.least_rows, 0.0, classes.rows)

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.max

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return f"nobody is found with a chance above {self.max:g}"

    def verdict(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure one over the smallest class."""
        failing = self.fails(classes)
        measured = 1 / int(classes.rows.min()) if len(classes) else 0.0
        at_risk = int(classes.rows[failing].sum())
        return Verdict(self.name, not failing.any(), measured, self.max, at_risk, columns)
