"""Discernibility: how many rows each row cannot be told from."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.display import dataclass
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

    def convert_score(self, score: float) -> float:
        """The measure as people know it."""
        return score
