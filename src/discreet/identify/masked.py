"""The columns to publish and those to withhold, and what is known about the choice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from discreet.display import dataclass
from discreet.identify.cover.goal import Measure, at_most, below
from discreet.identify.samples import Promise
from discreet.identify.separation import Separation


@dataclass(frozen=True)
class Masked:
    """The columns to publish and those to withhold.

    ``strict`` says that the ratio is to be below beta, not only at most beta. ``exact`` says that
    no heavier set keeps the limit, proven on all rows; ``bound`` is a weight that no set can be
    above. ``measured`` is counted on all rows, where they were at hand; otherwise the ``promise``
    is all that is known.
    """

    publish: tuple[str, ...]
    withhold: tuple[str, ...]
    measure: Measure
    beta: float
    rows: int
    weight: float
    exact: bool
    bound: float
    measured: Separation | None = None
    promise: Promise | None = None
    notes: tuple[str, ...] = ()
    strict: bool = False

    def counted(self, measured: Separation) -> Masked:
        """The same with its figures, and with a word where these are not below beta."""
        notes = self.notes
        if self.publish and (said := self._beyond(measured)):
            notes = (*notes, said)
        return replace(self, measured=measured, notes=notes)

    def _beyond(self, measured: Separation) -> str:
        """What to say of a ratio of beta or more; compared in whole numbers."""
        told, total = measured.distinct, measured.rows
        if self.measure == "separation":
            told, total = measured.pairs - measured.pairs_alike, measured.pairs
        if told <= below(self.beta, total):
            return ""
        if self.promise is not None and (self.strict or told > at_most(self.beta, total)):
            return "the sample misled: counted on all rows the limit is not kept; draw a larger one"
        return (
            "the ratio is exactly beta, which a search for quasi-identifiers counts as one; strict "
            "(--below) leaves none"
        )

    def facts(self) -> dict[str, Any]:
        """The answer as plain data."""
        measured = self.measured
        return {
            "publish": list(self.publish),
            "withhold": list(self.withhold),
            "distinct_ratio": None if measured is None else measured.distinct_ratio,
            "separation_ratio": None if measured is None else measured.separation_ratio,
            "uniques": None if measured is None else measured.uniques,
            "exact": self.exact,
            "measure": self.measure,
            "beta": self.beta,
            "strict": self.strict,
            "rows": self.rows,
            "weight": self.weight,
            "bound": self.bound,
            "promise": None if self.promise is None else self.promise.facts(),
            "notes": list(self.notes),
        }
