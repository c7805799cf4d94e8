"""An estimate of population uniques, or the reason why there is none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np
import scipy

from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints
from discreet.models.parameters import require_real, require_whole
from discreet.risks.class_sizes import ClassSizes

# What a random sample leaves open about its population, whatever shape that has.


DENSE = 60
"""Class sizes of the population that are all looked at; beyond, steps grow."""

GROWTH = 1.06

SINGLE = 10
"""Class sizes of the sample that are bands of their own; beyond, bands are wider."""

DECIDED = 2.0
"""A sample decides a number if the most that it can be is at most so many times the least."""


@dataclass(frozen=True)
class Possible:
    """The least and the most that a number of the population can be."""

    least: float
    most: float

    @property
    def decided(self) -> bool:
        """Whether all populations that fit the sample agree within a factor of two."""
        return self.most <= DECIDED * self.least

    def holds(self, value: float) -> bool:
        """Whether a population that fits the sample has this number."""
        return self.least <= value <= self.most

    def __str__(self) -> str:
        return f"{self.least:,.0f} to {self.most:,.0f}"


@dataclass(frozen=True)
class PossiblePopulations:
    """The people who can be unique in the population, and the classes it can have.

    Parameters
    ----------
    population
        People in the population, N.
    confidence
        About the least chance that the true numbers are inside.

    Notes
    -----
    Ours, in the manner of the linear programs for unseen classes. Unknown is how many classes of
    each size the population has. They hold N people, and the expected classes of 1, 2, 3 ... rows
    in the sample are as far from those found as a Poisson number may be; each band of class sizes
    has its part of 1 - confidence. The least and the most uniques, and classes, are four linear
    programs. *Departures*: a row is drawn or not as by a coin (binomial for hypergeometric), and
    sizes above 60 are looked at in steps of 6 %. *Cost*: some hundreds of unknowns and some tens
    of conditions, whatever the table.

    >>> even = ClassSizes.of([1] * 5000 + [2] * 2500)  # half of 10,000 classes of two
    >>> found = PossiblePopulations(20_000)(even)
    >>> found[0].least, found[0].most < 1_100
    (0.0, True)
    """

    population: int
    confidence: float = 0.95

    def __post_init__(self) -> None:
        require_whole("possible populations", "population", self.population, 1)
        require_real("possible populations", "confidence", self.confidence, above=0, most=1 - 1e-12)

    def __call__(self, sizes: ClassSizes) -> tuple[Possible, Possible] | None:
        """Uniques and classes of the populations that fit; None if none does."""
        sampled = sizes.find_sampled_share(self.population)
        if sizes.rows == self.population:
            return _make_known(sizes.uniques), _make_known(sizes.classes)
        people = _list_class_sizes(self.population)
        edges = _list_band_edges(int(sizes.sizes[-1]))
        shown = _compute_band_chances(people, edges, sampled)
        low, high = self._bound_counts(sizes, edges)
        alone = (people == 1).astype(np.float64)
        programs = (alone, -alone, np.ones(len(people)), -np.ones(len(people)))
        found = [self._find_least(cost, people, shown, low, high) for cost in programs]
        least, most, few, many = found
        if least is None or most is None or few is None or many is None:
            return None
        return Possible(max(0.0, least), -most), Possible(few, -many)

    def uniques(self, sizes: ClassSizes) -> Possible | None:
        """The people who can be unique."""
        found = self(sizes)
        return None if found is None else found[0]

    def _bound_counts(self, sizes: ClassSizes, edges: Ints) -> tuple[Floats, Floats]:
        """Expected classes of each band that make what was found likely enough."""
        seen = np.zeros(len(edges))
        np.add.at(seen, np.searchsorted(edges, sizes.sizes, side="right") - 1, sizes.number)
        tail = (1 - self.confidence) / (2 * len(edges))
        low = np.where(seen > 0, scipy.stats.chi2.ppf(tail, 2 * np.maximum(seen, 1)) / 2, 0.0)
        return low, scipy.stats.chi2.ppf(1 - tail, 2 * (seen + 1)) / 2

    def _find_least(
        self, cost: Floats, people: Floats, shown: Floats, low: Floats, high: Floats
    ) -> float | None:
        found: Any = scipy.optimize.linprog(
            cost,
            A_ub=np.vstack([shown, -shown]),
            b_ub=np.concatenate([high, -low]),
            A_eq=(people / self.population)[None, :],
            b_eq=[1.0],
            method="highs",
        )
        return float(found.fun) if found.status == 0 else None


def _make_known(number: int) -> Possible:
    return Possible(float(number), float(number))


def _list_class_sizes(population: int) -> Floats:
    """Class sizes of the population that are looked at."""
    steps = math.ceil(math.log(max(1.0, population / DENSE)) / math.log(GROWTH))
    grown = DENSE * GROWTH ** np.arange(1, steps + 1)
    every = np.concatenate([np.arange(1, DENSE + 1), np.round(grown), [population]])
    return np.unique(every[every <= population]).astype(np.float64)


def _list_band_edges(largest: int) -> Ints:
    """Where the bands of class sizes of the sample begin, from 1 to beyond the largest."""
    edges = list(range(1, SINGLE + 1))
    while edges[-1] <= largest:
        edges.append(math.ceil(edges[-1] * 1.5))
    return np.array(edges, dtype=np.int64)


def _compute_band_chances(people: Floats, edges: Ints, sampled: float) -> Floats:
    """The chance that a class of this many people shows as many rows as a band has."""
    beyond = scipy.stats.binom.sf(edges[:, None] - 1, people[None, :], sampled)
    return np.asarray(beyond - np.vstack([beyond[1:], np.zeros(len(people))]))


SMALL = 0.1
"""The share of the population up to which a table is a small sample."""

ALONE = 10.0
"""A model is not believed where so many times its number of unique people fit the sample."""

UNEQUAL = "rows were drawn with unequal chances (the weights differ), and this assumes equal ones"


@dataclass(frozen=True)
class PopulationEstimate:
    """How many people are alone in the population, by one method.

    ``uniques`` and ``share`` (of the population) are None where the method does not apply;
    ``reason`` then says why. ``interval`` holds the uniques with about 95 % probability if the
    model of the method is right; it says nothing of a wrong model, and not all methods have one.
    """

    method: str
    applies: bool
    uniques: float | None
    share: float | None
    reason: str = ""
    parameters: Mapping[str, float] = field(default_factory=dict)
    interval: tuple[float, float] | None = None

    @classmethod
    def found(
        cls,
        method: str,
        uniques: float,
        population: int,
        parameters: Mapping[str, float] | None = None,
        reason: str = "",
        interval: tuple[float, float] | None = None,
    ) -> PopulationEstimate:
        """An estimate that applies."""
        share = uniques / population
        return cls(method, True, uniques, share, reason, parameters or {}, interval)

    @classmethod
    def refused(
        cls, method: str, reason: str, parameters: Mapping[str, float] | None = None
    ) -> PopulationEstimate:
        """No number, and why."""
        return cls(method, False, None, None, reason, parameters or {})

    def facts(self) -> dict[str, Any]:
        """The estimate as plain data."""
        interval = None if self.interval is None else list(self.interval)
        return {**vars(self), "parameters": dict(self.parameters), "interval": interval}


def answer_at_once(method: str, sizes: ClassSizes, population: int) -> PopulationEstimate | None:
    """What every method says of tables that leave nothing to estimate."""
    sizes.find_sampled_share(population)
    if sizes.rows == population:
        known = "the table is the whole population"
        return PopulationEstimate.found(method, float(sizes.uniques), population, reason=known)
    if sizes.uniques == 0:
        return PopulationEstimate.refused(
            method, "no row of the table is unique, so nothing shows how many are elsewhere"
        )
    return None


def refuse_outside(
    found: PopulationEstimate, possible: Possible | None
) -> PopulationEstimate | None:
    """The refusal of a number that no population which fits the sample has."""
    if possible is None:
        reason = "no population gives such classes; is the table a simple random sample?"
        return PopulationEstimate.refused(found.method, reason, found.parameters)
    if found.uniques is None or possible.holds(found.uniques):
        return None
    reason = f"it says {found.uniques:,.0f}, but {possible} unique people fit the sample"
    return PopulationEstimate.refused(found.method, reason, found.parameters)


def check_model_estimate(
    found: PopulationEstimate, possible: Possible | None
) -> PopulationEstimate:
    """A model's number, held against all populations that fit the sample.

    Refused where none of them has it, and where some have over ten times as many unique people:
    then the number comes from the model and not from the table. Else it says how far others go.
    """
    wrong = refuse_outside(found, possible)
    if wrong is not None or possible is None or found.uniques is None:
        return wrong or found
    if possible.most > ALONE * found.uniques:
        reason = (
            f"it says {found.uniques:,.0f}, which is the model's doing: {possible} unique people "
            "fit the sample"
        )
        return PopulationEstimate.refused(found.method, reason, found.parameters)
    if possible.decided:
        return found
    return replace(found, reason=f"if its model is right; {possible} fit the sample")


def refuse_small_sample(
    method: str, sizes: ClassSizes, population: int
) -> PopulationEstimate | None:
    """The refusal of methods that need more than a tenth of the population."""
    sampled = sizes.find_sampled_share(population)
    if sampled > SMALL:
        return None
    return PopulationEstimate.refused(
        method,
        f"the table is {100 * sampled:.2g} % of the population; up to {100 * SMALL:g} % this "
        "method estimates far too many",
    )
