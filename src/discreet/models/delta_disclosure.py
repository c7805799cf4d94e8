"""delta-disclosure privacy: no class makes a sensitive value much likelier or much rarer."""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Classes, Floats, Mask
from discreet.models.verdict import TOLERANCE, Verdict
from discreet.number_range import check_range, within

if TYPE_CHECKING:
    from discreet.models.evidence import Evidence


@dataclass(frozen=True)
class DeltaDisclosure:
    """In every class, each sensitive value is about as frequent as in the whole table.

    Parameters
    ----------
    column
        The sensitive column.
    delta
        The natural logarithm of (share in the class / share in the table) stays strictly within
        -delta and delta, for every value of the table.
    columns
        The quasi-identifier this holds for; all quasi columns if not given.

    Notes
    -----
    [Brickell2008]_, definition 2. *Departures*: none; a value that a class lacks has an infinite
    logarithm, so such a class fails. *Cost*: linear in the (class, value) pairs.

    >>> DeltaDisclosure(column="disease", delta=1.0).hereditary
    False
    """

    column: str
    delta: float = field(metadata=within(above=0))
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "delta_disclosure"
    hereditary: ClassVar[bool] = False
    least_rows: ClassVar[int] = 1

    def __post_init__(self) -> None:
        check_range(self, "delta")

    @property
    def sensitive(self) -> str:
        """The sensitive column this model is about."""
        return self.column

    @property
    def factor(self) -> float:
        """How many times as frequent, or as rare, a value may become in a class."""
        return math.exp(min(self.delta, 700.0))  # beyond, no float holds it

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes in which some value is too frequent or too rare."""
        return self._find_worst(classes) >= self.delta - TOLERANCE

    def count_keepable(self, classes: Classes) -> Floats:
        """Rows of each class that some finer grouping could still release.

        A part of N rows needs at least q N / e^delta of each value, so N is at most the scarcest
        value's count over its share, times e^delta.
        """
        histogram = classes.histograms[self.column]
        failing = self.fails(classes)
        rows = classes.rows.astype(np.float64)
        supply = np.full(len(classes), np.inf)
        shares = histogram.reference.shares[histogram.value]
        np.minimum.at(supply, histogram.owner, histogram.count / shares * self.factor)
        supply[self._measure_values(classes) < np.count_nonzero(histogram.reference.counts)] = 0.0
        return np.where(failing, np.minimum(supply, rows - 1), rows)

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.delta

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return (
            f"every value of {self.column} is less than {self.factor:.3g} times, and more than "
            f"1/{self.factor:.3g} times, as frequent in each class as in the whole table"
        )

    def check(self, evidence: Evidence) -> Verdict:
        """Measure the promise again on the released file, from its definition."""
        return check_delta_disclosure(self, evidence)

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the largest change of a value's share."""
        worst = self._find_worst(classes)
        failing = worst >= self.delta - TOLERANCE
        measured = float(worst.max()) if len(worst) else 0.0
        at_risk = int(classes.rows[failing].sum())
        note = f"column {self.column}, compared with the whole table"
        return Verdict(self.name, not failing.any(), measured, self.delta, at_risk, columns, note)

    def _measure_values(self, classes: Classes) -> Floats:
        histogram = classes.histograms[self.column]
        return classes.sum_by_class(histogram, np.ones(len(histogram.owner)))

    def _find_worst(self, classes: Classes) -> Floats:
        histogram = classes.histograms[self.column]
        share = histogram.count / classes.rows[histogram.owner]
        change = np.abs(np.log(share / histogram.reference.shares[histogram.value]))
        worst = np.zeros(len(classes))
        np.maximum.at(worst, histogram.owner, change)
        lacking = self._measure_values(classes) < np.count_nonzero(histogram.reference.counts)
        return np.where(lacking, np.inf, worst)


# Second opinion on delta-disclosure privacy: how far a class shifts the odds of any value.


def check_delta_disclosure(model: DeltaDisclosure, evidence: Evidence) -> Verdict:
    """Find the largest ``|ln(p/q)|`` over all classes and all values of the whole table.

    Notes
    -----
    [Brickell2008]_, definition of delta-disclosure privacy. A value of the whole table that a class
    lacks, or one that the whole table lacks, is an infinite shift. *Departures*: none.
    """
    values = evidence.values(evidence.quasi_of(model), model.column)
    whole = evidence.reference(model.column)
    measures = (
        f"SELECT id, CASE WHEN count(q) < count(*) "
        f"OR count(q) < (SELECT count(*) FROM {whole.name}) THEN 'inf'::DOUBLE "
        f"ELSE max(abs(ln(p / q))) END AS measured "
        f"FROM {evidence.write_comparison_query(values, whole)} GROUP BY id"
    )
    found = evidence.judge(model, measures, f"measured >= {float(model.delta)!r} - {TOLERANCE}")
    note = f"column {model.column}, {whole.source}"
    return evidence.make_verdict(model, found, model.delta, note)
