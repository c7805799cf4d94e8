"""The likeliest person of each released row."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ProbableLinks:
    """For each released row, in file order, its likeliest entry of a register.

    ``score`` is the probability that the two are the same person, given all entries that the row is
    like; 0 where there is none. ``entry`` is the number of the entry from 1, or 0. ``right`` says
    whether it is the right one, None if the truth is not known.

    >>> ProbableLinks(np.array([0.95, 0.4]), np.array([7, 2]), 0.9).expected_matches
    0.95
    """

    score: Floats = field(repr=False)
    entry: NDArray[np.int64] = field(repr=False)
    threshold: float
    right: Mask | None = field(default=None, repr=False)

    @property
    def matched(self) -> Mask:
        """Rows whose likeliest entry is as likely as the threshold asks."""
        return np.greater_equal(self.score, self.threshold)

    @property
    def expected_matches(self) -> float:
        """How many of the matched rows are right, if the scores are."""
        return float(self.score[self.matched].sum())

    def facts(self) -> dict[str, Any]:
        """The links as plain data."""
        right = None if self.right is None else int((self.right & self.matched).sum())
        return {
            "rows": len(self.score),
            "threshold": self.threshold,
            "rows_matched": int(self.matched.sum()),
            "expected_matches": self.expected_matches,
            "correct_matches": right,
        }
