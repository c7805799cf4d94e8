"""Population uniques by the slide negative binomial model."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import scipy

from discreet.display import dataclass
from discreet.frequency.classes import Floats
from discreet.models.parameters import require_choice, require_whole
from discreet.risks.class_sizes import LOOKED_AT, ClassSizes, measure_misfit, write_objection
from discreet.risks.population_estimate import (
    PopulationEstimate,
    Possible,
    PossiblePopulations,
    answer_at_once,
    check_model_estimate,
    refuse_small_sample,
)

METHOD = "snb"

SOLVED = 1e-6
"""Share of a class count that a solution may miss."""

Point = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SlideNegativeBinomial:
    """Class sizes of the population as one plus a negative binomial number.

    Parameters
    ----------
    population
        People in the population, N.
    classes
        Where the number of classes of the population, K, comes from: ``population``, so that the
        model's people add up to N, or ``shlosser``, as in the papers.

    Notes
    -----
    [Chen1998]_; [Dankar2012]_, appendix A. alpha and beta solve the equations that make the
    expected classes of one and of two rows in the sample equal to those found; the population
    uniques are K beta^alpha. *Departures*: K follows from the known N; with Shlosser's estimate,
    which ignores N, the method fails on populations made by its own model (see tests). Both
    equations are solved from many starting points; of several solutions the one that explains the
    small classes best is taken. The expected classes of two rows are divided by
    (1 - (1-pi)(1-beta))^(alpha+2); ARX multiplies. *Range*: simple random samples of more than a
    tenth of the population, whose small classes fit the model; refused otherwise, and where over
    ten times as many unique people fit the sample as well: uniques together with classes of
    eight can look like the model and are a hundred times as many. *Cost*: negligible.
    """

    population: int
    classes: str = "population"

    def __post_init__(self) -> None:
        require_whole(METHOD, "population", self.population, 1)
        require_choice(METHOD, "classes", self.classes, ("population", "shlosser"))

    def __call__(self, sizes: ClassSizes, possible: Possible | None = None) -> PopulationEstimate:
        """The estimate, or why there is none; ``possible`` is found if it is not given."""
        known = answer_at_once(METHOD, sizes, self.population) or refuse_small_sample(
            METHOD, sizes, self.population
        )
        if known is not None:
            return known
        if sizes.count_of_size(2) == 0:
            return PopulationEstimate.refused(METHOD, "no class of the table has two rows")
        sampled = sizes.find_sampled_share(self.population)
        best = _solve(sizes, sampled, self._number_of_classes(sizes, sampled))
        if best is None:
            reason = "no parameters give as many classes of one and of two rows as the table has"
            return PopulationEstimate.refused(METHOD, reason)
        squares, share, alpha, beta, classes = best
        named = {"classes": classes, "alpha": alpha, "beta": beta, "misfit": share}
        wrong = write_objection(squares, share)
        if wrong is not None:
            return PopulationEstimate.refused(METHOD, wrong, named)
        uniques = classes * beta**alpha
        found = PopulationEstimate.found(METHOD, uniques, self.population, named)
        return check_model_estimate(
            found, possible or PossiblePopulations(self.population).uniques(sizes)
        )

    def _number_of_classes(
        self, sizes: ClassSizes, sampled: float
    ) -> Callable[[float, float], float]:
        if self.classes == "shlosser":
            fixed = shlosser(sizes, sampled)
            return lambda alpha, beta: fixed
        return lambda alpha, beta: self.population / (1 + alpha * (1 - beta) / beta)


def shlosser(sizes: ClassSizes, sampled: float) -> float:
    """How many classes the population has.

    Notes
    -----
    [Haas1998]_, the modified estimator of Shlosser, D_Sh3. *Departures*: none. ARX has a bracket in
    another place: (1-q)^i (1+q)^i f_i - 1, not (1-q)^i ((1+q)^i - 1) f_i.
    """
    q, i = sampled, sizes.sizes.astype(np.float64)
    number = sizes.number.astype(np.float64)
    unseen = np.exp(i * math.log1p(-q)) * number
    both = np.exp(i * math.log1p(-q * q)) * number
    top = float((i * q * q * np.exp((i - 1) * math.log1p(-q * q)) * number).sum())
    once = float((i * q * np.exp((i - 1) * math.log1p(-q)) * number).sum())
    more = (top / float((both - unseen).sum())) * (float(unseen.sum()) / once) ** 2
    return sizes.classes + sizes.uniques * more


def count_expected_classes(alpha: float, beta: float, sampled: float, classes: float) -> Floats:
    """Expected classes of 1, 2, 3 ... rows in the sample.

    A class has one person, who is drawn or not, and a negative binomial number of others, of whom
    a negative binomial number is drawn.
    """
    kept = beta / (beta + sampled * (1 - beta))
    others = np.arange(LOOKED_AT + 1, dtype=np.float64)
    gammaln = scipy.special.gammaln
    log_drawn = gammaln(alpha + others) - gammaln(alpha) - gammaln(others + 1)
    log_drawn += alpha * math.log(kept) + others * math.log1p(-kept)
    drawn = np.exp(log_drawn)
    return np.asarray(classes * ((1 - sampled) * drawn[1:] + sampled * drawn[:-1]))


def _solve(
    sizes: ClassSizes, sampled: float, classes: Callable[[float, float], float]
) -> tuple[float, float, float, float, float] | None:
    wanted = np.array([sizes.count_of_size(1), sizes.count_of_size(2)], dtype=np.float64)

    def expect_shown(alpha: float, beta: float) -> Floats:
        return count_expected_classes(alpha, beta, sampled, classes(alpha, beta))

    def measure_miss(point: Point) -> Point:
        return np.asarray(
            np.log(np.maximum(expect_shown(*_read_parameters(point))[:2], 1e-300) / wanted)
        )

    best: tuple[float, float, float, float, float] | None = None
    for log_alpha in (-3.0, -1.0, 0.0, 1.5):
        for odds in (-5.0, -3.0, -1.0, 1.0, 3.0):
            found = scipy.optimize.root(measure_miss, np.array([log_alpha, odds]), method="hybr")
            if not np.abs(measure_miss(found.x)).max() <= SOLVED:
                continue
            alpha, beta = _read_parameters(found.x)
            squares, share = measure_misfit(sizes, expect_shown(alpha, beta))
            if best is None or squares < best[0]:
                best = squares, share, alpha, beta, classes(alpha, beta)
    return best


def _read_parameters(point: Point) -> tuple[float, float]:
    """Alpha above 0 and beta between 0 and 1."""
    log_alpha, odds = np.clip(point, [-20, -25], [12, 25])
    return math.exp(log_alpha), 1 / (1 + math.exp(-odds))
