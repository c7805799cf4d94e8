"""beta-likeness: no class makes any sensitive value much likelier than it is in the table."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Classes, Floats, Histogram, Mask
from discreet.models.parameters import require_choice
from discreet.models.verdict import TOLERANCE, Verdict
from discreet.number_range import check_range, within

if TYPE_CHECKING:
    from discreet.models.evidence import Evidence

ITERATIONS = 20


@dataclass(frozen=True)
class BetaLikeness:
    """An intruder's belief in any sensitive value grows by a bounded factor at most.

    Parameters
    ----------
    column
        The sensitive column.
    beta
        The largest relative gain (p - q) / q of a value's share p in a class over its share q in
        the whole table.
    kind
        ``basic``, or ``enhanced``, where the gain may also not exceed -ln(q), which protects
        frequent values better.
    columns
        The quasi-identifier this holds for; all quasi columns if not given.

    Notes
    -----
    [Cao2012]_, definitions 2 (basic) and 3 (enhanced). *Departures*: none. *Cost*: linear in the
    (class, value) pairs.

    >>> BetaLikeness(column="disease", beta=2).kind
    'basic'
    """

    column: str
    beta: float = field(metadata=within(above=0))
    kind: Literal["basic", "enhanced"] = "basic"
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "beta_likeness"
    hereditary: ClassVar[bool] = False
    least_rows: ClassVar[int] = 1

    def __post_init__(self) -> None:
        check_range(self, "beta")
        require_choice(self.name, "kind", self.kind, ("basic", "enhanced"))

    @property
    def sensitive(self) -> str:
        """The sensitive column this model is about."""
        return self.column

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes in which some value gains too much."""
        return self._measure_excess(classes) > TOLERANCE

    def count_keepable(self, classes: Classes) -> Floats:
        """Rows of each class that some finer grouping could still release.

        A part of N rows may hold each value at most q (1 + gain) N times; lowering N to the sum
        of what is allowed, again and again, comes down on the largest such N from above.
        """
        histogram = classes.histograms[self.column]
        rows = classes.rows.astype(np.float64)
        failing = self.fails(classes)
        ceiling = (histogram.reference.shares * (1 + self._find_gain_limit(histogram)))[
            histogram.value
        ]
        size = rows.copy()
        for _ in range(ITERATIONS if failing.any() else 0):
            allowed = np.minimum(histogram.count, ceiling * size[histogram.owner])
            size = classes.sum_by_class(histogram, allowed)
        return np.where(failing, np.minimum(size, rows - 1), rows)

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.beta

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return (
            f"no value of {self.column} is more than {1 + self.beta:g} times as frequent in a "
            "class as in the whole table"
        )

    def check(self, evidence: Evidence) -> Verdict:
        """Measure the promise again on the released file, from its definition."""
        return check_beta_likeness(self, evidence)

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the largest relative gain."""
        gains = self._measure_gains(classes)
        failing = self.fails(classes)
        measured = max(0.0, float(gains.max())) if len(gains) else 0.0
        at_risk = int(classes.rows[failing].sum())
        note = f"{self.kind}, column {self.column}, compared with the whole table"
        return Verdict(self.name, not failing.any(), measured, self.beta, at_risk, columns, note)

    def _find_gain_limit(self, histogram: Histogram) -> Floats:
        shares = histogram.reference.shares
        if self.kind == "basic":
            return np.full(len(shares), float(self.beta))
        with np.errstate(divide="ignore"):
            limits: Floats = np.minimum(self.beta, -np.log(shares))
        return limits

    def _measure_gains(self, classes: Classes) -> Floats:
        histogram = classes.histograms[self.column]
        share = histogram.count / classes.rows[histogram.owner]
        table = histogram.reference.shares[histogram.value]
        return (share - table) / table

    def _measure_excess(self, classes: Classes) -> Floats:
        histogram = classes.histograms[self.column]
        gains = self._measure_gains(classes)
        over = np.where(
            gains > 0, gains - self._find_gain_limit(histogram)[histogram.value], -np.inf
        )
        worst = np.full(len(classes), -np.inf)
        np.maximum.at(worst, histogram.owner, over)
        return worst


# Second opinion on beta-likeness: how much likelier a class makes any one value.


def check_beta_likeness(model: BetaLikeness, evidence: Evidence) -> Verdict:
    """Find the largest relative gain ``(p - q) / q`` over all classes and values.

    Notes
    -----
    [Cao2012]_, definitions 2 (basic) and 3 (enhanced: the gain is also at most ``-ln q``). A value
    that the whole table lacks is an infinite gain. *Departures*: none. The measure is the gain for
    both kinds, so the enhanced one can fail with a measure below beta, and the note says so.
    """
    values = evidence.values(evidence.quasi_of(model), model.column)
    whole = evidence.reference(model.column)
    beta = float(model.beta)
    most = f"least({beta!r}, -ln(q))" if model.kind == "enhanced" else repr(beta)
    measures = (
        f"SELECT id, max(gain) AS measured, bool_or(gain > 0 AND (q IS NULL OR "
        f"gain > {most} + {TOLERANCE})) AS fails FROM (SELECT id, q, "
        f"CASE WHEN q IS NULL THEN 'inf'::DOUBLE ELSE (p - q) / q END AS gain "
        f"FROM {evidence.write_comparison_query(values, whole)}) GROUP BY id"
    )
    found = evidence.judge(model, measures, "fails")
    note = f"{model.kind}, column {model.column}, {whole.source}"
    if found[1] and found[0] <= beta + TOLERANCE:
        note += "; the gain is below beta but above -ln q for a frequent value"
    return evidence.make_verdict(model, found, beta, note)
