"""Measures of how large the classes are: discernibility and average class size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from discreet.frequency.classes import Ints


@dataclass(frozen=True)
class Discernibility:
    """How many rows each row cannot be told from, added up; a suppressed row counts all rows.

    Notes
    -----
    [Bayardo2005]_, sec. 3, discernibility metric. *Departures*: none. *Cost*: one pass over the
    classes.
    """

    name: ClassVar[str] = "discernibility"

    def score(self, kept: Ints, suppressed: int) -> float:
        """The measure for the classes that are kept and the number of rows that are not."""
        total = int(kept.sum()) + suppressed
        return float((kept.astype(np.float64) ** 2).sum() + float(suppressed) * total)

    def floor(self, finer: Ints, failing: Ints, least: int, limit: int) -> float:
        """No node between a finer and a coarser one scores less than this.

        Each row costs at least its class at the finer node. A row of a class that fails at the
        coarser node and at every node below (``failing``) costs all rows instead of at most that
        class, and so do ``least`` rows in any case.
        """
        total = int(finer.sum())
        base = float((finer.astype(np.float64) ** 2).sum())
        certain = float((failing.astype(np.float64) * (total - failing)).sum())
        return base + max(certain, float(least) * (total - int(finer.max(initial=0))))

    def shown(self, score: float) -> float:
        """The measure as people know it."""
        return score


@dataclass(frozen=True)
class AverageClassSize:
    """Mean number of rows in a released class.

    Notes
    -----
    [LeFevre2006]_, sec. 2.3, without the division by k. *Departures*: suppressed rows are left out
    of both rows and classes. *Cost*: none beyond counting.
    """

    name: ClassVar[str] = "average_class_size"

    def score(self, kept: Ints, suppressed: int) -> float:
        """The measure for the classes that are kept and the number of rows that are not."""
        return float(kept.sum()) / len(kept) if len(kept) else float(suppressed)

    def floor(self, finer: Ints, failing: Ints, least: int, limit: int) -> float:
        """No node between a finer and a coarser one scores less than this.

        At most ``limit`` rows are suppressed, and there are no more classes than at the finer node.
        """
        return max(0.0, float(finer.sum()) - limit) / max(1, len(finer))

    def shown(self, score: float) -> float:
        """The measure as people know it."""
        return score
