"""Average class size: the mean number of equal rows."""

from __future__ import annotations

from typing import ClassVar

from discreet.display import dataclass
from discreet.frequency.classes import Ints


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

    def convert_score(self, score: float) -> float:
        """The measure as people know it."""
        return score
