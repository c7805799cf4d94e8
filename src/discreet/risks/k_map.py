"""k-map without a register: how large a class of the sample must be."""

from __future__ import annotations

from typing import Any

import scipy

from discreet.display import dataclass
from discreet.models.parameters import require_choice, require_real, require_whole
from discreet.risks.class_sizes import ClassSizes

METHODS = ("zero_truncated_poisson", "poisson", "binomial")

BLIND = "so small a sample passes whatever it holds, since classes without a row are not seen"


@dataclass(frozen=True)
class KMapFinding:
    """The class size that shows k people in the population, and the rows in smaller classes.

    Both are None where the method does not apply; ``reason`` then says why.
    """

    k: int
    method: str
    least_class: int | None
    rows_at_risk: int | None
    reason: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether every class of the table is large enough; None if that cannot be said."""
        return None if self.rows_at_risk is None else self.rows_at_risk == 0

    def facts(self) -> dict[str, Any]:
        """The finding as plain data."""
        return {**vars(self), "holds": self.holds}


@dataclass(frozen=True)
class KMap:
    """Rows that at least k people of the population look like, judged from the sample alone.

    Parameters
    ----------
    k
        How many people of the population each released combination must fit.
    population
        People in the population, N.
    significance
        The largest chance that a class of too few people passes.
    method
        ``zero_truncated_poisson``, ``poisson`` or ``binomial``.

    Notes
    -----
    [ElEmam2008]_: the rows that k people send into the sample are Poisson with mean k n/N; a class
    passes if it has more rows than such a class shows but for the significance. *Departures*: the
    least class is the smallest c with P(f >= c) <= significance; ARX asks one row more for Poisson
    and not for its truncated form. ``binomial`` takes the k-1 people that a failing class has at
    most, drawn one by one, given that one was: it needs no Poisson. Classes that sent nobody are
    never seen, and plain Poisson overlooks that: with k n/N below -ln(1 - significance) it would
    pass every table, and does not apply. No class has to be larger than k. *Range*: simple random
    samples; the statement is about each class by itself. *Cost*: k terms.

    >>> sizes = ClassSizes.of([1, 2, 6])
    >>> KMap(5, population=90)(sizes).least_class
    3
    >>> KMap(5, population=900, method="poisson")(sizes).reason
    'so small a sample passes whatever it holds, since classes without a row are not seen'
    """

    k: int
    population: int
    significance: float = 0.1
    method: str = METHODS[0]

    def __post_init__(self) -> None:
        require_whole("k-map", "k", self.k, 1)
        require_whole("k-map", "population", self.population, 1)
        require_real("k-map", "significance", self.significance, above=0, most=1)
        require_choice("k-map", "method", self.method, METHODS)

    def __call__(self, sizes: ClassSizes) -> KMapFinding:
        """The least class, and the rows of this table that are in smaller ones."""
        least = self.find_least_class(sizes.find_sampled_share(self.population))
        if self.method == "poisson" and least == 1 < self.k:
            return KMapFinding(self.k, self.method, None, None, BLIND)
        small = sizes.sizes < least
        at_risk = int((sizes.sizes * sizes.number)[small].sum())
        return KMapFinding(self.k, self.method, least, at_risk)

    def find_least_class(self, sampled: float) -> int:
        """The smallest class of the sample that passes."""
        least = 0 if self.method == "poisson" else 1
        chance = self._compute_chances(sampled)
        tail = 1.0 - sum(chance[:least])
        seen = tail
        while least < self.k and tail > self.significance * seen:
            tail -= chance[least]
            least += 1
        return max(1, least)

    def _compute_chances(self, sampled: float) -> list[float]:
        """How likely 0, 1, 2 ... k rows are from a class that is too small."""
        rows = range(self.k + 1)
        if self.method == "binomial":
            return [float(scipy.stats.binom.pmf(row, self.k - 1, sampled)) for row in rows]
        return [float(scipy.stats.poisson.pmf(row, self.k * sampled)) for row in rows]
