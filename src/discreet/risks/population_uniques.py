"""How many people are unique in the population that a table is a sample of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import scipy

from discreet.display import dataclass
from discreet.models.parameters import require_real, require_whole
from discreet.risks.class_sizes import ClassSizes
from discreet.risks.pitman import Pitman
from discreet.risks.population_estimate import (
    SMALL,
    UNEQUAL,
    PopulationEstimate,
    Possible,
    PossiblePopulations,
    answer_at_once,
)
from discreet.risks.slide_negative_binomial import SlideNegativeBinomial
from discreet.risks.zayatz import Zayatz

METHODS = (Zayatz, SlideNegativeBinomial, Pitman)


@dataclass(frozen=True)
class Dankar:
    """The estimate of population uniques that a decision rule trusts most.

    Parameters
    ----------
    population
        People in the population, N.

    Notes
    -----
    [Dankar2012]_, decision rule: up to a tenth of the population Pitman; else the smaller of
    Zayatz and slide negative binomial. *Departures*: where Pitman does not apply to a small sample
    the rule does not apply either; ARX then takes Zayatz, which is far too high there. The slide
    negative binomial is ours, see there. *Cost*: that of the methods.
    """

    population: int

    def __post_init__(self) -> None:
        require_whole("dankar", "population", self.population, 1)

    def __call__(self, sizes: ClassSizes) -> PopulationEstimate:
        """The estimate, or why there is none."""
        if sizes.find_sampled_share(self.population) <= SMALL:
            return self.choose(sizes, Pitman(self.population)(sizes))
        others = SlideNegativeBinomial(self.population)(sizes), Zayatz(self.population)(sizes)
        return self.choose(sizes, *others)

    def choose(self, sizes: ClassSizes, *others: PopulationEstimate) -> PopulationEstimate:
        """The smallest of the estimates that apply."""
        known = answer_at_once("dankar", sizes, self.population)
        if known is not None:
            return known
        fit = [one for one in others if one.uniques is not None]
        if not fit:
            told = "; ".join(f"{one.method}: {one.reason}" for one in others)
            return PopulationEstimate.refused("dankar", told)
        best = min(fit, key=lambda one: one.uniques or 0.0)
        told = f"taken from {best.method}" + (f", {best.reason}" if best.reason else "")
        return replace(best, method="dankar", reason=told)


def bound_uniques(sizes: ClassSizes, population: int, confidence: float = 0.95) -> int:
    """The most people that can be unique in the population, with this confidence.

    Notes
    -----
    Ours. Of U population uniques a hypergeometric number is in the sample, and each is unique
    there. The largest U is taken under which no more uniques than were found has a chance of at
    least 1 - confidence. No model of class sizes: it holds for every population, for simple random
    samples. *Cost*: some thirty evaluations.
    """
    sizes.find_sampled_share(population)
    require_real("population", "confidence", confidence, above=0, most=1 - 1e-12)
    low, high = sizes.uniques, population - (sizes.rows - sizes.uniques)
    while low < high:
        middle = (low + high + 1) // 2
        at_most = scipy.stats.hypergeom.cdf(sizes.uniques, population, middle, sizes.rows)
        if at_most >= 1 - confidence:
            low = middle
        else:
            high = middle - 1
    return low


def estimate_correct_matches(sizes: ClassSizes, population: int) -> float | None:
    """How often somebody found to match one row only is the person of that row.

    Notes
    -----
    [Skinner2002]_, theta: pi s1 / (pi s1 + 2 (1 - pi) s2), without a model of class sizes.
    *Departures*: none; None where the table has neither uniques nor pairs. *Cost*: none.
    """
    sampled = sizes.find_sampled_share(population)
    right = sampled * sizes.uniques
    wrong = 2 * (1 - sampled) * sizes.count_of_size(2)
    return right / (right + wrong) if right + wrong else None


@dataclass(frozen=True)
class PopulationFindings:
    """What a sample says about uniques in the population, method by method.

    ``possible_uniques`` and ``possible_classes`` are the least and the most of all populations that
    fit the sample, whatever their shape; None where chances differ.
    """

    size: int
    sampled: float
    estimates: tuple[PopulationEstimate, ...]
    at_most: int | None
    correct_if_unique: float | None
    possible_uniques: Possible | None = None
    possible_classes: Possible | None = None
    confidence: float = 0.95

    def facts(self) -> dict[str, Any]:
        """The findings as plain data."""
        return {
            "size": self.size,
            "sampling_fraction": self.sampled,
            "uniques": {one.method: one.facts() for one in self.estimates},
            "uniques_at_most": self.at_most,
            "uniques_between": self._find_interval(),
            "confidence": self.confidence,
            "correct_if_unique": self.correct_if_unique,
        }

    def _find_interval(self) -> list[float] | None:
        found = self.possible_uniques
        return None if found is None else [found.least, found.most]


@dataclass(frozen=True)
class PopulationUniques:
    """Every estimate of how many people are unique in the population.

    Parameters
    ----------
    population
        People in the population, N.
    equal_chances
        Whether every person had the same chance to be in the table. Without that no estimate
        here applies, and each says so.

    >>> found = PopulationUniques(1000)(ClassSizes.of([1] * 5 + [2] * 10))
    >>> [one.applies for one in found.estimates]
    [False, False, False, False]
    >>> found.at_most
    373
    """

    population: int
    equal_chances: bool = True

    def __call__(self, sizes: ClassSizes) -> PopulationFindings:
        """All estimates of one sample."""
        n = self.population
        sampled = sizes.find_sampled_share(n)
        if not self.equal_chances:
            names = ("zayatz", "snb", "pitman", "dankar")
            refused = tuple(PopulationEstimate.refused(name, UNEQUAL) for name in names)
            return PopulationFindings(n, sampled, refused, None, None)
        possible = PossiblePopulations(n)(sizes)
        alone, classes = (None, None) if possible is None else possible
        one = tuple(method(n)(sizes, alone) for method in METHODS)
        rule = Dankar(n).choose(sizes, *((one[2],) if sampled <= SMALL else one[:2]))
        right = estimate_correct_matches(sizes, n)
        found = (*one, rule)
        return PopulationFindings(n, sampled, found, bound_uniques(sizes, n), right, alone, classes)
