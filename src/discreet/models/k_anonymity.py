"""k-anonymity: nobody can be told apart from fewer than k - 1 others in the release."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Classes, Floats, Mask
from discreet.models.verdict import Verdict
from discreet.number_range import check_range, within

if TYPE_CHECKING:
    from discreet.models.evidence import Evidence


@dataclass(frozen=True)
class KAnonymity:
    """Every released row looks like at least ``k - 1`` others on the quasi-identifier.

    Parameters
    ----------
    k
        The smallest class that may be released.
    columns
        The quasi-identifier this holds for; all quasi columns if not given.

    Notes
    -----
    [Sweeney2001]_, sec. 5.1, definition of k-anonymity. *Departures*: none. *Cost*: one
    comparison a class.

    >>> KAnonymity(k=2).fails(Classes(np.array([1, 2, 5]))).tolist()
    [True, False, False]
    """

    k: int = field(metadata=within(1, whole=True))
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "k_anonymity"
    hereditary: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_range(self, "k")

    @property
    def sensitive(self) -> None:
        """None: k-anonymity does not use sensitive values."""
        return None

    @property
    def least_rows(self) -> int:
        """No class smaller than this can pass."""
        return self.k

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes that are too small."""
        return classes.rows < self.k

    def count_keepable(self, classes: Classes) -> Floats:
        """Rows of each class that some finer grouping could still release."""
        return np.where(classes.rows < self.k, 0.0, classes.rows)

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.k

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        if self.k == 1:
            return "nothing (k is 1)"
        others = "1 other row" if self.k == 2 else f"{self.k - 1} other rows"
        return f"every row matches at least {others}"

    def check(self, evidence: Evidence) -> Verdict:
        """Measure the promise again on the released file, from its definition."""
        return check_k_anonymity(self, evidence)

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the smallest class."""
        failing = self.fails(classes)
        smallest = int(classes.rows.min()) if len(classes) else 0
        return Verdict(
            self.name,
            not failing.any(),
            smallest,
            self.k,
            int(classes.rows[failing].sum()),
            columns,
            "" if len(classes) else "no rows are released, so the promise is empty",
        )


# Second opinion on k-anonymity: the smallest class of the released file.


def check_k_anonymity(model: KAnonymity, evidence: Evidence) -> Verdict:
    """Find the smallest class; the rows at risk are those in classes smaller than k.

    Notes
    -----
    [Sweeney2001]_, sec. 5.1: each sequence of values on the quasi-identifier appears at least k
    times. *Departures*: none. *Cost*: one grouping of the released values.
    """
    classes = evidence.classes(evidence.quasi_of(model))
    measures = f"SELECT id, size AS measured FROM {classes}"
    found = evidence.judge(model, measures, f"measured < {model.k}", worst="min")
    return evidence.make_verdict(model, found, model.k)
