"""Whether a release keeps a promise, and by how much."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from discreet.display import dataclass, render_html_table

TOLERANCE = 1e-9
"""Real numbers are compared with this much slack, both in the search and in ``verify``."""


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


def count_promises(verdicts: Sequence[Verdict]) -> str:
    """How many promises hold, for the repr of a result.

    >>> count_promises([Verdict("k_anonymity", True, 5, 5, 0)])
    '1 of 1 promise holds'
    """
    kept, one = sum(verdict.holds for verdict in verdicts), len(verdicts) == 1
    return f"{kept} of {len(verdicts)} promise{'' if one else 's'} hold{'s' if one else ''}"


def render_verdicts(title: str, verdicts: Sequence[Verdict]) -> str:
    """The promises as a short table for notebooks."""
    rows = [
        (one.model, "holds" if one.holds else "FAILS", one.measured, one.limit, one.rows_at_risk)
        for one in verdicts
    ]
    return render_html_table(title, ("model", "verdict", "measured", "limit", "rows at risk"), rows)


# Why a promise could not be checked at all, which counts as not kept.


class Unchecked(Exception):
    """A check cannot say; ``verify`` turns this into a verdict that does not hold."""
