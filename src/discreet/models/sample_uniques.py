"""Share of sample uniques: rows that nobody else in the release looks like."""

from __future__ import annotations

import math
from typing import ClassVar

from discreet.display import dataclass
from discreet.frequency.classes import Classes, Ints
from discreet.models.parameters import require_share
from discreet.models.verdict import TOLERANCE, Verdict


@dataclass(frozen=True)
class SampleUniques:
    """At most this share of the released rows is alone in its class.

    Parameters
    ----------
    max
        The largest share allowed, from 0 up to 1.
    columns
        The quasi-identifier this holds for; all quasi columns if not given.

    Notes
    -----
    [Dankar2012]_, sec. 2. A promise about the table: where it does not hold, all unique rows are
    suppressed. *Departures*: none. *Cost*: one comparison a class.

    >>> import numpy as np
    >>> SampleUniques(max=0.1).least_class(np.array([1, 2, 2]))
    2
    """

    max: float
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "sample_uniques"

    def __post_init__(self) -> None:
        require_share(self.name, "max", self.max)

    @property
    def sensitive(self) -> None:
        """This model does not look at sensitive values."""
        return None

    def least_class(self, rows: Ints) -> int:
        """The smallest class size that may stay so that the promise holds for what stays."""
        uniques = int((rows == 1).sum())
        return 1 if uniques <= self.max * int(rows.sum()) + TOLERANCE else 2

    def keepable(self, rows: Ints) -> int:
        """Rows of the table that some finer grouping could still release."""
        uniques, total = int((rows == 1).sum()), int(rows.sum())
        if uniques <= self.max * total + TOLERANCE:
            return total
        return total - math.ceil((uniques - self.max * total) / (1 - self.max) - TOLERANCE)

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.max

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return f"at most {self.max:g} of the rows are unique"

    @property
    def least_rows(self) -> int:
        """No class smaller than this can pass."""
        return 1 if self.max > 0 else 2

    def verdict(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure unique rows over rows."""
        uniques, total = int((classes.rows == 1).sum()), int(classes.rows.sum())
        measured = uniques / total if total else 0.0
        holds = measured <= self.max + TOLERANCE
        return Verdict(self.name, holds, measured, self.max, 0 if holds else uniques, columns)
