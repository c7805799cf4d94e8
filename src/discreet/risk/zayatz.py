"""Population uniques by the equivalence class method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.frequency.classes import Floats
from discreet.models.parameters import require_whole
from discreet.risk.class_sizes import ClassSizes
from discreet.risk.population_estimate import PopulationEstimate, at_once, too_small


def log_one_drawn(sizes: Floats, rows: int, population: int) -> Floats:
    """The logarithm of the chance that just one of a class's people is in the table."""
    from scipy.special import gammaln

    outside = population - sizes
    log_ways = gammaln(outside + 1) - gammaln(rows) - gammaln(outside - rows + 2)
    every = gammaln(population + 1) - gammaln(rows + 1) - gammaln(population - rows + 1)
    return np.asarray(np.log(sizes) + log_ways - every)


@dataclass(frozen=True)
class Zayatz:
    """Unique rows of a sample that are unique in the population, by Bayes' rule on class sizes.

    Parameters
    ----------
    population
        People in the population, N.

    Notes
    -----
    [Zayatz1991]_; [Dankar2012]_, appendix A. P(F = 1 | f = 1) takes the sample's class sizes for
    those of the population, and the population uniques are s1 P(F = 1 | f = 1) N/n. *Departures*:
    none. *Range*: simple random samples of a large part of the population, best half of it or more.
    A smaller one has too many small classes and the estimate is too high, by a factor of two to
    four at a fifth of the population (see tests); it is refused for a tenth or less. *Cost*: one
    term a class size.
    """

    population: int

    def __post_init__(self) -> None:
        require_whole("zayatz", "population", self.population, 1)

    def __call__(self, sizes: ClassSizes) -> PopulationEstimate:
        """The estimate, or why there is none."""
        known = at_once("zayatz", sizes, self.population)
        known = known or too_small("zayatz", sizes, self.population)
        if known is not None:
            return known
        kept = self._kept(sizes)
        uniques = sizes.uniques * kept / sizes.sampled(self.population)
        return PopulationEstimate.found(
            "zayatz", uniques, self.population, {"unique_if_unique": kept}
        )

    def _kept(self, sizes: ClassSizes) -> float:
        """The chance that a unique row of the sample is unique in the population."""
        possible = sizes.sizes <= self.population - sizes.rows + 1
        large = sizes.sizes[possible].astype(np.float64)
        chance = np.exp(log_one_drawn(large, sizes.rows, self.population))
        weighed = sizes.number[possible] * chance
        return float(weighed[large == 1].sum() / weighed.sum())
