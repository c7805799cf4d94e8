"""Average re-identification risk: how many rows an intruder names rightly by guessing."""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Classes, Floats, Ints, Mask
from discreet.models.verdict import TOLERANCE, Verdict
from discreet.number_range import check_range, within

if TYPE_CHECKING:
    from discreet.models.evidence import Evidence


@dataclass(frozen=True)
class AverageRisk:
    """An intruder who guesses for every row is right for at most this share of them.

    Parameters
    ----------
    max
        The largest average chance allowed, above 0 and up to 1.
    columns
        The quasi-identifier this holds for; all quasi columns if not given.

    Notes
    -----
    [ElEmam2008]_, marketer risk of a table: classes over rows. A promise about the table, not about
    each class: rows are suppressed by class size, smallest first, all classes of a size together.
    *Departures*: none. *Cost*: a sort of the class sizes.

    >>> AverageRisk(max=0.5).find_least_class(np.array([1, 1, 2, 4]))
    1
    >>> AverageRisk(max=0.4).find_least_class(np.array([1, 1, 2, 4]))
    2
    """

    max: float = field(metadata=within(above=0, most=1))
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "average_risk"

    def __post_init__(self) -> None:
        check_range(self, "max")

    @property
    def sensitive(self) -> None:
        """None: this model does not use sensitive values."""
        return None

    def find_least_class(self, rows: Ints) -> int:
        """The smallest class size that may stay so that the promise holds for what stays."""
        sizes, number = np.unique(rows, return_counts=True)
        classes_left = np.cumsum(number[::-1])[::-1]
        rows_left = np.cumsum((number * sizes)[::-1])[::-1]
        holds = classes_left <= self.max * rows_left + TOLERANCE
        return int(sizes[holds.argmax()]) if holds.any() else int(sizes[-1]) + 1

    def count_keepable(self, rows: Ints) -> int:
        """Rows of the table that some finer grouping could still release."""
        sizes = np.sort(rows)
        classes_left = np.arange(len(sizes), 0, -1)
        rows_left = np.cumsum(sizes[::-1])[::-1]
        holds = classes_left <= self.max * rows_left + TOLERANCE
        return int(rows_left[holds.argmax()]) if holds.any() else 0

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.max

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return f"people are found with a chance of at most {self.max:g} on average"

    @property
    def least_rows(self) -> int:
        """No class smaller than this can pass."""
        return 1

    def check(self, evidence: Evidence) -> Verdict:
        """Measure the promise again on the released file, from its definition."""
        return check_average(self, evidence)

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure classes over rows."""
        total = int(classes.rows.sum())
        measured = len(classes) / total if total else 0.0
        holds = measured <= self.max + TOLERANCE
        at_risk = int(classes.rows[classes.rows * self.max < 1].sum())
        return Verdict(self.name, holds, measured, self.max, 0 if holds else at_risk, columns)


# Largest re-identification risk: the chance of picking the right row for anyone in the release.


@dataclass(frozen=True)
class LargestRisk:
    """Nobody's row is found with a chance above ``max`` by an intruder who knows they are in it.

    Parameters
    ----------
    max
        The largest chance allowed, above 0 and up to 1; 0.2 is the same as k = 5.
    columns
        The quasi-identifier this holds for; all quasi columns if not given.

    Notes
    -----
    [ElEmam2008]_, prosecutor risk: one over the size of the smallest class. *Departures*: none.
    *Cost*: one comparison a class.

    >>> LargestRisk(max=0.2).least_rows
    5
    """

    max: float = field(metadata=within(above=0, most=1))
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "largest_risk"
    hereditary: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_range(self, "max")

    @property
    def sensitive(self) -> None:
        """None: this model does not use sensitive values."""
        return None

    @property
    def least_rows(self) -> int:
        """No class smaller than this can pass."""
        return math.ceil(1 / (self.max + TOLERANCE))

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes that are too small."""
        return classes.rows < self.least_rows

    def count_keepable(self, classes: Classes) -> Floats:
        """Rows of each class that some finer grouping could still release."""
        return np.where(classes.rows < self.least_rows, 0.0, classes.rows)

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.max

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return f"nobody is found with a chance above {self.max:g}"

    def check(self, evidence: Evidence) -> Verdict:
        """Measure the promise again on the released file, from its definition."""
        return check_largest(self, evidence)

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure one over the smallest class."""
        failing = self.fails(classes)
        measured = 1 / int(classes.rows.min()) if len(classes) else 0.0
        at_risk = int(classes.rows[failing].sum())
        return Verdict(self.name, not failing.any(), measured, self.max, at_risk, columns)


# Share of sample uniques: rows that nobody else in the release looks like.


@dataclass(frozen=True)
class SampleUniques:
    """At most this share of the released rows is alone in its class.

    Parameters
    ----------
    max
        The largest share allowed, from 0 up to 1.
    columns
        The quasi-identifier this holds for; all quasi columns if not given.

    Notes
    -----
    [Dankar2012]_, sec. 2. A promise about the table: where it does not hold, all unique rows are
    suppressed. *Departures*: none. *Cost*: one comparison a class.

    >>> import numpy as np
    >>> SampleUniques(max=0.1).find_least_class(np.array([1, 2, 2]))
    2
    """

    max: float = field(metadata=within(0, most=1))
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "sample_uniques"

    def __post_init__(self) -> None:
        check_range(self, "max")

    @property
    def sensitive(self) -> None:
        """None: this model does not use sensitive values."""
        return None

    def find_least_class(self, rows: Ints) -> int:
        """The smallest class size that may stay so that the promise holds for what stays."""
        uniques = int((rows == 1).sum())
        return 1 if uniques <= self.max * int(rows.sum()) + TOLERANCE else 2

    def count_keepable(self, rows: Ints) -> int:
        """Rows of the table that some finer grouping could still release."""
        uniques, total = int((rows == 1).sum()), int(rows.sum())
        if uniques <= self.max * total + TOLERANCE:
            return total
        return total - math.ceil((uniques - self.max * total) / (1 - self.max) - TOLERANCE)

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.max

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return f"at most {self.max:g} of the rows are unique"

    @property
    def least_rows(self) -> int:
        """No class smaller than this can pass."""
        return 1 if self.max > 0 else 2

    def check(self, evidence: Evidence) -> Verdict:
        """Measure the promise again on the released file, from its definition."""
        return check_uniques(self, evidence)

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure unique rows over rows."""
        uniques, total = int((classes.rows == 1).sum()), int(classes.rows.sum())
        measured = uniques / total if total else 0.0
        holds = measured <= self.max + TOLERANCE
        return Verdict(self.name, holds, measured, self.max, 0 if holds else uniques, columns)


# Second opinions on re-identification risk: average, largest, and the share of unique rows.


def _select_own_risk(model: Any, evidence: Evidence) -> str:
    classes = evidence.classes(evidence.quasi_of(model))
    return f"SELECT id, 1.0::DOUBLE / size AS measured FROM {classes}"


def check_average(model: Any, evidence: Evidence) -> Verdict:
    """Average risk of a row: the classes divided by the rows.

    If it is too high, the rows at risk are those whose own risk, one in the size of their class, is
    above the limit.

    Notes
    -----
    Written as the mean over rows of 1 / class size, which is the same number, and is also defined
    when a missing value matches any.
    """
    own = _select_own_risk(model, evidence)
    _, at_risk = evidence.judge(model, own, f"measured > {model.max!r} + {TOLERANCE}")
    classes = evidence.classes(evidence.quasi_of(model))
    total = evidence.session.row(f"SELECT sum(members::DOUBLE / size) FROM {classes}")[0]
    average = float(total or 0) / max(1, evidence.rows)
    holds = average <= model.max + TOLERANCE
    return evidence.make_verdict(model, (average, 0 if holds else at_risk), model.max, holds=holds)


def check_largest(model: Any, evidence: Evidence) -> Verdict:
    """Largest risk of any row: one in the size of the smallest class."""
    own = _select_own_risk(model, evidence)
    found = evidence.judge(model, own, f"measured > {model.max!r} + {TOLERANCE}")
    return evidence.make_verdict(model, found, model.max)


def check_uniques(model: Any, evidence: Evidence) -> Verdict:
    """Share of rows that nobody else in the release looks like; if too many, those are at risk."""
    _, uniques = evidence.judge(model, _select_own_risk(model, evidence), "size = 1")
    share = uniques / max(1, evidence.rows)
    holds = share <= model.max + TOLERANCE
    return evidence.make_verdict(model, (share, 0 if holds else uniques), model.max, holds=holds)
