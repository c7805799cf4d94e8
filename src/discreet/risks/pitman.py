"""Population uniques by Pitman's sampling formula."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import scipy

from discreet.display import dataclass
from discreet.frequency.classes import Floats
from discreet.models.parameters import require_whole
from discreet.risks.class_sizes import LOOKED_AT, ClassSizes, measure_misfit, write_objection
from discreet.risks.population_estimate import (
    PopulationEstimate,
    Possible,
    PossiblePopulations,
    answer_at_once,
    check_model_estimate,
)

METHOD = "pitman"

Point = npt.NDArray[np.float64]

SUMMED = 50_000
"""Up to as many classes the likelihood is added up term by term."""

STEP = 1e-3
"""Of the differences that stand for derivatives."""

WIDTH = 1.96

LEAST = 0.01
"""The share of the population that a table must be."""

EDGE = 1e-4
"""A fitted alpha this near to 0 or 1 is no maximum inside the range."""


@dataclass(frozen=True)
class Pitman:
    """The population as a larger draw of the process that the sample is a draw of.

    Parameters
    ----------
    population
        People in the population, N.

    Notes
    -----
    [Hoshino2001]_; [Dankar2012]_, appendix A. alpha and theta of Pitman's sampling formula are
    fitted by maximum likelihood. *Departures*: the expected uniques are N Gamma(theta+1)
    Gamma(theta+alpha+N-1) / (Gamma(theta+alpha) Gamma(theta+N)) exactly, where the paper and ARX
    have the limit Gamma(theta+1)/Gamma(theta+alpha) N^alpha for large N. It is refused where the
    likelihood has no maximum with alpha inside (0, 1), where the small classes of the table do not
    fit, where over ten times as many unique people fit the sample as well, and for less than a
    hundredth of the population. *Range*: simple random samples whose class
    sizes have a long tail. On its own process the estimate was within 20 % for 3,000 rows, but from
    0.3 to 1.7 times the truth for 600: see ``interval``. A table cannot always show that the model
    is wrong for it: where class sizes are lognormal the estimate is up to three times too high for
    a fiftieth and more of the population, and tens of times for a thousandth (see tests); the
    interval does not know.
    *Cost*: some hundreds of evaluations of the likelihood.
    """

    population: int

    def __post_init__(self) -> None:
        require_whole("pitman", "population", self.population, 1)

    def __call__(self, sizes: ClassSizes, possible: Possible | None = None) -> PopulationEstimate:
        """The estimate, or why there is none; ``possible`` is found if it is not given."""
        known = answer_at_once(METHOD, sizes, self.population)
        if known is not None:
            return known
        if sizes.uniques == sizes.rows:
            reason = "every row of the table is unique, and the likelihood has no maximum"
            return PopulationEstimate.refused(METHOD, reason)
        share = sizes.find_sampled_share(self.population)
        if share < LEAST:
            reason = (
                f"the table is {100 * share:.2g} % of the population; "
                f"below {100 * LEAST:g} % this method can be off by tens of times and not show it"
            )
            return PopulationEstimate.refused(METHOD, reason)
        cost = _make_cost(sizes)
        best = _fit_point(cost, sizes.classes)
        theta, alpha = _read_parameters(best)
        named = {"theta": theta, "alpha": alpha}
        if not EDGE < alpha < 1 - EDGE:
            reason = f"the likelihood has no maximum with alpha inside (0, 1): it is {alpha:.2g}"
            return PopulationEstimate.refused(METHOD, reason, named)
        squares, share = measure_misfit(sizes, count_expected_classes(theta, alpha, sizes.rows))
        named["misfit"] = share
        wrong = write_objection(squares, share)
        if wrong is not None:
            return PopulationEstimate.refused(METHOD, wrong, named)
        uniques = count_expected_uniques(theta, alpha, self.population)
        interval = _estimate_interval(cost, best, self.population)
        found = PopulationEstimate.found(METHOD, uniques, self.population, named, "", interval)
        return check_model_estimate(
            found, possible or PossiblePopulations(self.population).uniques(sizes)
        )


def count_expected_uniques(theta: float, alpha: float, people: int) -> float:
    """The expected number of people of a population who are alone in their class."""
    return float(count_expected_classes(theta, alpha, people, 1)[0])


def count_expected_classes(
    theta: float, alpha: float, people: int, most: int = LOOKED_AT
) -> Floats:
    """Expected classes of 1, 2, 3 ... people in a population.

    Classes of size j: C(n, j) (1-alpha)(2-alpha)...(j-1-alpha) times Gamma(theta+alpha+n-j)
    Gamma(theta+1) / (Gamma(theta+alpha) Gamma(theta+n)).
    """
    found = np.zeros(most)
    start = _log_gamma_ratio(theta + alpha, 1 - alpha)
    for j in range(1, min(most, people) + 1):
        log_ways = math.log(people) + sum(math.log((people - i) / (i + 1)) for i in range(1, j))
        inside = math.lgamma(j - alpha) - math.lgamma(1 - alpha)
        tail = _log_gamma_ratio(theta + people, alpha - j)
        found[j - 1] = math.exp(log_ways + inside + start + tail)
    return found


def _log_gamma_ratio(large: float, step: float) -> float:
    """log Gamma(large + step) - log Gamma(large), for a small step, also where both are huge."""
    if large < 1e5:
        return math.lgamma(large + step) - math.lgamma(large)
    moved = large + step
    series = (1 / moved - 1 / large) / 12
    return (moved - 0.5) * math.log1p(step / large) + step * math.log(large) - step + series


def fit(sizes: ClassSizes) -> tuple[float, float]:
    """Theta and alpha of greatest likelihood."""
    return _read_parameters(_fit_point(_make_cost(sizes), sizes.classes))


def _make_cost(sizes: ClassSizes) -> Callable[[Point], float]:
    """Minus the logarithm of the likelihood, up to a constant."""
    gammaln = scipy.special.gammaln
    n, u = sizes.rows, sizes.classes
    larger = sizes.sizes > 1
    big, number = sizes.sizes[larger].astype(np.float64), sizes.number[larger]
    steps = np.arange(1, u, dtype=np.float64) if u <= SUMMED else None

    def cost(point: Point) -> float:
        theta, alpha = _read_parameters(point)
        if steps is not None:
            new = float(np.log(theta + alpha * steps).sum())
        else:
            ratio = theta / alpha
            new = (u - 1) * math.log(alpha) + float(gammaln(ratio + u) - gammaln(ratio + 1))
        people = float(gammaln(theta + n) - gammaln(theta + 1))
        inside = float((number * (gammaln(big - alpha) - gammaln(1 - alpha))).sum())
        return people - new - inside

    return cost


def _fit_point(cost: Callable[[Point], float], classes: int) -> Point:
    starts = [
        (math.log(max(1.0, classes / 10)), 0.0),
        (math.log(max(1.0, classes)), -2.0),
        (0.0, 1.0),
    ]
    exact = {"xatol": 1e-7, "fatol": 1e-7, "maxiter": 2000}
    tries = [
        scipy.optimize.minimize(cost, np.array(s), method="Nelder-Mead", options=exact)
        for s in starts
    ]
    return np.asarray(min(tries, key=lambda found: float(found.fun)).x)


def _estimate_interval(
    cost: Callable[[Point], float], best: Point, people: int
) -> tuple[float, float] | None:
    """Where the expected uniques lie: curvature of the likelihood, carried to their logarithm."""

    def log_uniques(point: Point) -> float:
        return math.log(count_expected_uniques(*_read_parameters(point), people))

    one, two = np.eye(2) * STEP
    bend = np.empty((2, 2))
    for i, x in enumerate((one, two)):
        for j, y in enumerate((one, two)):
            corners = cost(best + x + y) - cost(best + x - y) - cost(best - x + y)
            bend[i, j] = (corners + cost(best - x - y)) / (4 * STEP * STEP)
    rise = [(log_uniques(best + x) - log_uniques(best - x)) / (2 * STEP) for x in (one, two)]
    if not np.isfinite(bend).all() or np.linalg.eigvalsh(bend).min() <= 0:
        return None
    spread = WIDTH * math.sqrt(float(np.array(rise) @ np.linalg.solve(bend, np.array(rise))))
    middle = log_uniques(best)
    return math.exp(middle - spread), min(float(people), math.exp(middle + spread))


def _read_parameters(point: Point) -> tuple[float, float]:
    """Alpha between 0 and 1, and theta above minus alpha."""
    log_sum, odds = np.clip(point, [-25, -18], [40, 18])
    alpha = 1 / (1 + math.exp(-odds))
    return math.exp(log_sum) - alpha, alpha
