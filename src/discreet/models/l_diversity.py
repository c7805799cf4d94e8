"""l-diversity: no class gives its sensitive value away."""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Classes, Floats, Histogram, Mask, add_up
from discreet.models.parameters import require_choice
from discreet.models.verdict import TOLERANCE, Verdict
from discreet.number_range import check_range, within

if TYPE_CHECKING:
    from discreet.models.evidence import Evidence

BISECTIONS = 16

KINDS = {
    "distinct": "distinct",
    "entropy": "well-represented (entropy)",
    "recursive": "well-represented (recursive)",
}


@dataclass(frozen=True)
class LDiversity:
    """Every class holds at least ``ell`` well-represented values of a sensitive column.

    Parameters
    ----------
    column
        The sensitive column.
    ell
        How many values; a whole number except for entropy.
    kind
        ``distinct`` counts different values, ``entropy`` asks for an entropy of at least ln(ell),
        ``recursive`` limits how much more often the most frequent value occurs than rare ones.

        For ``recursive`` the most frequent value occurs less than ``c`` times as often as the
        ``ell``-th and all rarer ones together.
    c
        The factor of ``recursive``.
    columns
        The quasi-identifier this holds for; all quasi columns if not given.

    Notes
    -----
    [Machanavajjhala2007]_, definitions 4.1 (entropy), 4.2 (recursive), and distinct values as
    the simplest reading of principle 2. *Departures*: none; a missing sensitive value counts as a
    value. Entropy is compared without slack, as ARX does, so that a class which meets the limit
    exactly can be refused by a rounding error, never a class below it admitted. *Cost*: linear in
    the (class, value) pairs; recursive sorts them.

    >>> LDiversity(column="disease", ell=2).kind
    'distinct'
    """

    column: str
    ell: float = field(metadata=within(1))
    kind: Literal["distinct", "entropy", "recursive"] = "distinct"
    c: float | None = field(default=None, metadata=within(above=0))
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "l_diversity"

    def __post_init__(self) -> None:
        require_choice(self.name, "kind", self.kind, ("distinct", "entropy", "recursive"))
        check_range(self, "ell")
        if self.kind != "entropy" and self.ell != int(self.ell):
            raise ParameterError(self.name, "ell", f"a whole number when kind is {self.kind}")
        if self.kind == "recursive":
            check_range(self, "c")
        elif self.c is not None:
            raise ParameterError(self.name, "c", "left out unless kind is recursive")

    @property
    def sensitive(self) -> str:
        """The sensitive column this model is about."""
        return self.column

    @property
    def hereditary(self) -> bool:
        """Whether every part of a failing class fails too."""
        return self.kind == "distinct"

    @property
    def least_rows(self) -> int:
        """No class smaller than this can pass."""
        return math.ceil(self.ell - TOLERANCE)

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes that are not diverse enough."""
        histogram = classes.histograms[self.column]
        return self._fails(classes, histogram, histogram.count.astype(np.float64), slack=0.0)

    def count_keepable(self, classes: Classes) -> Floats:
        """Rows of each class that some finer grouping could still release.

        The best part of a class, for both entropy and recursive, results from cutting its most
        frequent values down to a common height; the height is found by bisection, from above.
        """
        histogram = classes.histograms[self.column]
        failing = self.fails(classes)
        kept = classes.rows.astype(np.float64)
        if self.kind == "distinct":
            return np.where(failing, 0.0, kept)
        count = histogram.count.astype(np.float64)
        low, high = np.zeros(len(classes)), np.zeros(len(classes))
        np.maximum.at(high, histogram.owner, count)
        for _ in range(BISECTIONS if failing.any() else 0):
            middle = (low + high) / 2
            cut = np.minimum(count, middle[histogram.owner])
            over = self._fails(classes, histogram, cut, slack=TOLERANCE)
            high, low = np.where(over, middle, high), np.where(over, low, middle)
        most = classes.sum_by_class(histogram, np.minimum(count, high[histogram.owner]))
        return np.where(failing, np.minimum(most, kept - 1), kept)

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.ell if self.c is None else self.c

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return f"every class has at least {self.ell:g} {KINDS[self.kind]} values of {self.column}"

    def check(self, evidence: Evidence) -> Verdict:
        """Measure the promise again on the released file, from its definition."""
        return check_l_diversity(self, evidence)

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the least diverse class."""
        histogram = classes.histograms[self.column]
        diversity = self._measure_diversity(classes, histogram, histogram.count.astype(np.float64))
        failing = self.fails(classes)
        worst = max if self.kind == "recursive" else min
        measured = float(worst(diversity, default=0.0))
        at_risk = int(classes.rows[failing].sum())
        note = f"{self.kind}, column {self.column}"
        return Verdict(self.name, not failing.any(), measured, self.limit, at_risk, columns, note)

    def _fails(self, classes: Classes, histogram: Histogram, count: Floats, slack: float) -> Mask:
        if self.kind == "entropy":
            return self._measure_entropy(classes, histogram, count) < math.log(self.ell) - slack
        diversity = self._measure_diversity(classes, histogram, count)
        if self.c is not None:
            return diversity >= self.c - TOLERANCE + 2 * slack
        return diversity < self.ell

    def _measure_diversity(self, classes: Classes, histogram: Histogram, count: Floats) -> Floats:
        """Number of values, exponential of the entropy, or most frequent value over the tail."""
        if self.kind == "distinct":
            return np.bincount(histogram.owner, minlength=len(classes)).astype(np.float64)
        if self.kind == "entropy":
            return np.exp(self._measure_entropy(classes, histogram, count))
        return self._measure_head_over_tail(classes, histogram, count)

    def _measure_entropy(self, classes: Classes, histogram: Histogram, count: Floats) -> Floats:
        """Entropy of each class, natural logarithm.

        Near the limit the last digit decides, so there the values are added from the most frequent
        down: the same class then has the same entropy at whatever node and by whatever route.
        """
        owner, total = histogram.owner, classes.sum_by_class(histogram, count)
        share = count / np.maximum(total[owner], 1e-300)
        part = share * np.log(np.maximum(share, 1e-300))
        entropy = -add_up(owner, part, len(classes))
        near = np.abs(entropy - math.log(self.ell)) < TOLERANCE
        if near.any():
            inside = np.nonzero(near[owner])[0]
            inside = inside[np.argsort(-share[inside], kind="stable")]
            entropy[near] = -add_up(owner[inside], part[inside], len(classes))[near]
        return entropy

    def _measure_head_over_tail(
        self, classes: Classes, histogram: Histogram, count: Floats
    ) -> Floats:
        order = np.lexsort((-count, histogram.owner))
        owner = histogram.owner[order]
        first = np.searchsorted(owner, np.arange(len(classes)))
        place = np.arange(len(owner)) - first[owner]
        sorted_count = count[order]
        tail = np.bincount(
            owner,
            weights=np.where(place >= self.ell - 1, sorted_count, 0.0),
            minlength=len(classes),
        )
        head = np.zeros(len(classes))
        head[owner[place == 0]] = sorted_count[place == 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(tail > 0, head / tail, np.inf)


# Second opinion on l-diversity: how varied the sensitive values of each class are.


def check_l_diversity(model: LDiversity, evidence: Evidence) -> Verdict:
    """Find the class whose sensitive values vary least; a missing value is a value.

    The measure is the smallest number of values (distinct), the exponential of the smallest entropy
    (entropy), or the largest ratio of the most frequent value to the tail (recursive).

    Notes
    -----
    [Machanavajjhala2007]_, definitions 4.1 and 4.2 and sec. 4. *Departures*: none. *Cost*: one
    grouping by quasi-identifier and sensitive value; recursive sorts each class.
    """
    values = evidence.values(evidence.quasi_of(model), model.column)
    note = f"{model.kind}, column {model.column}"
    if model.kind == "entropy":
        found = _check_entropy(model, evidence, values)
    elif model.kind == "recursive":
        found = _check_recursive(model, evidence, values)
        return evidence.make_verdict(model, found, float(model.c or 0), note)
    else:
        measures = f"SELECT id, count(*) AS measured FROM {values} GROUP BY id"
        found = evidence.judge(model, measures, f"measured < {model.ell}", worst="min")
    return evidence.make_verdict(model, found, model.ell, note)


def _check_entropy(model: LDiversity, evidence: Evidence, values: str) -> tuple[float, int]:
    measures = (
        f"SELECT id, exp(-sum(p * ln(p))) AS measured FROM "
        f"(SELECT id, n / sum(n) OVER (PARTITION BY id) AS p FROM {values}) GROUP BY id"
    )
    least = float(model.ell) - TOLERANCE
    return evidence.judge(model, measures, f"measured < {least!r}", worst="min")


def _check_recursive(model: LDiversity, evidence: Evidence, values: str) -> tuple[float, int]:
    measures = (
        f"SELECT id, coalesce(max(n) / sum(n) FILTER (WHERE place >= {int(model.ell)}), "
        f"'inf'::DOUBLE) AS measured FROM (SELECT id, n, "
        f"row_number() OVER (PARTITION BY id ORDER BY n DESC) AS place FROM {values}) GROUP BY id"
    )
    return evidence.judge(model, measures, f"measured >= {float(model.c or 0)!r} - {TOLERANCE}")
