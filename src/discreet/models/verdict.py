"""Whether a release keeps a promise, and by how much."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

TOLERANCE = 1e-9
"""Real numbers are compared with this much slack, in the search and in ``verify`` alike."""


@dataclass(frozen=True)
class Verdict:
    """One requirement, whether it holds, and the worst value that was measured.

    >>> Verdict("k_anonymity", True, 5, 5, 0, ("age", "zip")).holds
    True
    """

    model: str
    holds: bool
    measured: float
    limit: float
    rows_at_risk: int
    columns: tuple[str, ...] = ()
    note: str = ""

    def facts(self) -> dict[str, Any]:
        """The verdict as plain data; JSON has no infinity, so an infinite measure is None."""
        return {
            "model": self.model,
            "holds": self.holds,
            "measured": self.measured if math.isfinite(self.measured) else None,
            "limit": self.limit,
            "rows_at_risk": self.rows_at_risk,
            "columns": list(self.columns),
            "note": self.note,
        }
