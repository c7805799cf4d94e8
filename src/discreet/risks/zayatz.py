"""Population uniques by the equivalence class method."""

from __future__ import annotations

import numpy as np
import scipy

from discreet.display import dataclass
from discreet.frequency.classes import Floats
from discreet.models.parameters import require_whole
from discreet.risks.class_sizes import ClassSizes
from discreet.risks.population_estimate import (
    PopulationEstimate,
    Possible,
    PossiblePopulations,
    answer_at_once,
    refuse_outside,
    refuse_small_sample,
)


def log_one_drawn(sizes: Floats, rows: int, population: int) -> Floats:
    """The logarithm of the chance that just one of a class's people is in the table."""
    gammaln = scipy.special.gammaln
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
    those of the population, and the population uniques are s1 P(F = 1 | f = 1) N/n. The sample's
    sizes are too small for that, and how wrong this makes it depends on the population: at half of
    10,000 classes of two it says 6,700 where nobody is unique. *Departures*: so it is refused
    unless all populations that fit the sample agree within a factor of two and it is among them,
    see :class:`~discreet.risks.population_estimate.PossiblePopulations`, and for a tenth of the
    population or less. *Range*: simple random samples of about half the population or more; a
    number that is given is then within a factor of two, with about 95 % confidence, whatever the
    population. *Cost*: one term a class size, and that of the check.
    """

    population: int

    def __post_init__(self) -> None:
        require_whole("zayatz", "population", self.population, 1)

    def __call__(self, sizes: ClassSizes, possible: Possible | None = None) -> PopulationEstimate:
        """The estimate, or why there is none; ``possible`` is found if it is not given."""
        known = answer_at_once("zayatz", sizes, self.population)
        known = known or refuse_small_sample("zayatz", sizes, self.population)
        if known is not None:
            return known
        possible = possible or PossiblePopulations(self.population).uniques(sizes)
        if possible is not None and not possible.decided:
            reason = f"the sample does not decide: {possible} unique people fit it"
            return PopulationEstimate.refused("zayatz", reason)
        kept = self.estimate_kept_share(sizes)
        uniques = sizes.uniques * kept / sizes.find_sampled_share(self.population)
        found = PopulationEstimate.found(
            "zayatz", uniques, self.population, {"unique_if_unique": kept}
        )
        return refuse_outside(found, possible) or found

    def estimate_kept_share(self, sizes: ClassSizes) -> float:
        """The chance that a unique row of the sample is unique in the population."""
        possible = sizes.sizes <= self.population - sizes.rows + 1
        large = sizes.sizes[possible].astype(np.float64)
        chance = np.exp(log_one_drawn(large, sizes.rows, self.population))
        weighed = sizes.number[possible] * chance
        return float(weighed[large == 1].sum() / weighed.sum())
