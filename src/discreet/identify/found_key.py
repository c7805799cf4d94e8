"""The answer of the search for the fewest columns, and what is known about it."""

from __future__ import annotations

from typing import Any

from discreet.display import dataclass
from discreet.identify.cover.goal import Measure
from discreet.identify.samples import Promise
from discreet.identify.separation import Separation


@dataclass(frozen=True)
class FoundKey:
    """A small set of columns that tells rows apart, and how much is known about it.

    ``exact`` says that no lighter set will do, proven on all rows; ``bound`` is a weight that no
    set can be below. ``measured`` is counted on all rows, where they were at hand. A ``promise``
    says what a sample allows to be said. ``size_factor`` bounds what greedy loses in the worst
    case: the set is at most that many times as heavy as the lightest.
    """

    columns: tuple[str, ...]
    measure: Measure
    beta: float
    rows: int
    weight: float
    exact: bool
    bound: float
    size_factor: float | None
    measured: Separation | None = None
    promise: Promise | None = None
    notes: tuple[str, ...] = ()

    def facts(self) -> dict[str, Any]:
        """The answer as plain data."""
        found = {"distinct_ratio": None, "separation_ratio": None, "uniques": None}
        return {
            **(found if self.measured is None else self.measured.facts()),
            "columns": list(self.columns),
            "measure": self.measure,
            "beta": self.beta,
            "rows": self.rows,
            "weight": self.weight,
            "exact": self.exact,
            "bound": self.bound,
            "size_factor": self.size_factor,
            "promise": None if self.promise is None else self.promise.facts(),
            "notes": list(self.notes),
        }
