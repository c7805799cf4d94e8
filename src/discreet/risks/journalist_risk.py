"""The risk of each class against the population, by the best that is known of the population."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints
from discreet.risks.class_sizes import LOOKED_AT, ClassSizes
from discreet.risks.population_uniques import PopulationFindings

# The risk of one row when its class in the population is not known.


SERIES, TERMS = 20, 64
"""Classes of as many rows are done by the series, and by how many terms of it."""

SMALLEST = 1e-300


def individual_risk(rows: npt.NDArray[Any], chance: npt.NDArray[Any] | float) -> Floats:
    """E(1/F | f): the chance to name the right one of F people, of whom f rows were drawn.

    Parameters
    ----------
    rows
        Rows of each class of the sample, f.
    chance
        The chance of each person of the class to be drawn: n/N, or rows over their summed weights.

    Notes
    -----
    [Benedetti1998]_; [Templ2015]_, sec. 3. F given f is negative binomial; then E(1/F | f) is
    (p^f/f) 2F1(f, f; f+1; 1-p). *Departures*: written as (p/f) 2F1(1, 1; f+1; 1-p), the same number
    by Euler's formula, which does not overflow; sdcMicro has series for large f. *Range*: exact
    where classes of the population are as often of size F as 1/F; too high where small classes are
    fewer. *Cost*: one function a class.

    >>> individual_risk(np.array([1, 2]), 1.0)
    array([1. , 0.5])
    """
    f, p = np.broadcast_arrays(
        np.asarray(rows, dtype=np.float64),
        np.clip(np.asarray(chance, dtype=np.float64), SMALLEST, 1.0),
    )
    found = _sum_series(f, p)
    stepped = (f < SERIES) & (p <= 0.5)
    found[stepped] = _solve_recurrence(f[stepped], p[stepped])
    return found


def _sum_series(f: Floats, p: Floats) -> Floats:
    """The series of 2F1, whose terms fall fast for large classes and for large samples."""
    term = p / f
    total = term.copy()
    for n in range(TERMS):
        term = term * (1 - p) * (n + 1) / (f + 1 + n)
        total += term
    return np.asarray(total)


def _solve_recurrence(f: Floats, p: Floats) -> Floats:
    """From class to class: with J(f) the integral of y^(f-1)/(p + (1-p) y) over (0, 1), the risk is
    p J(f), J(1) is -log(p)/(1-p), and (1-p) J(f+1) + p J(f) = 1/f."""
    integral = -np.log(p) / (1 - p)
    risk = p * integral
    for size in range(1, SERIES - 1):
        integral = (1 / size - p * integral) / (1 - p)
        risk = np.where(f == size + 1, p * integral, risk)
    return np.asarray(risk)


# The risk of a row against a population that a fitted model describes.


NODES = 160
DECAYED = 40.0
"""The integral ends where its integrand is below exp(-40)."""


def estimate_snb_risk(sizes: Ints, alpha: float, beta: float, sampled: float) -> Floats:
    """E(1/F | f) where F is one plus a negative binomial number.

    Notes
    -----
    Ours, for the model of [Chen1998]_. With C(F, f)/F = C(F-1, f-1)/f both sums are chances of the
    thinned negative binomial, and what is left is p / (f p + (1-p)(1-q)(alpha + f - 1)), with q =
    beta / (beta + p (1 - beta)). *Cost*: none.
    """
    others = sampled * (1 - beta) / (beta + sampled * (1 - beta))
    f = sizes.astype(np.float64)
    return np.asarray(sampled / (f * sampled + (1 - sampled) * others * (alpha + f - 1)))


def estimate_pitman_risk(
    sizes: Ints, theta: float, alpha: float, rows: int, population: int
) -> Floats:
    """E(1/F | f) where sample and population are draws of Pitman's process.

    Notes
    -----
    Ours, for the process of [Hoshino2001]_. Given the sample, a class of f rows gains a beta
    binomial number of the N - n others with weights f - alpha and theta + n - f + alpha. It is
    taken as negative binomial of the same mean, off by less than 1/n; then E(1/F) is the integral
    over t from 0 to 1 of t^(f-1) (p / (1 - (1-p) t))^(f-alpha), with 1 - t = p (e^v - 1) for
    quadrature.
    *Cost*: 160 terms a class size.
    """
    nodes, share = np.polynomial.legendre.leggauss(NODES)
    p = (theta + rows) / (theta + population)
    found = np.empty(len(sizes))
    for place, size in enumerate(sizes.tolist()):
        end = np.log1p(1 / p)
        if size > 2:
            end = min(end, DECAYED / (size - 2))
        v = (nodes + 1) * end / 2
        step = np.expm1(v)
        left = np.log1p(-np.minimum(p * step, 1 - 1e-16))
        inside = (size - 1) * left - (size - alpha) * np.log1p((1 - p) * step) + v
        found[place] = p * end / 2 * float((share * np.exp(inside)).sum())
    return found


# What the risk against the population is at least, without a model of it.


BANDS = (1, 2, 3, 5, 10, 20, 50, 100)
"""Class sizes at which a new band begins."""


def find_risk_floor(rows: Ints, weights: Floats, confidence: float = 0.95) -> float:
    """About the least that the average of 1/F over the rows can be, whatever the population.

    Parameters
    ----------
    rows
        Rows of each class of the sample, f.
    weights
        People that the rows of each class stand for: f N/n in a simple random sample.
    confidence
        About the chance that what is said of one band of class sizes holds.

    Notes
    -----
    [Skinner2002]_ for unique rows, whose theta is one over the mean of F; ours for the others. In a
    simple random sample the people outside the sample in classes of j rows, F - j summed, are on
    average those of classes of j+1 rows, (j+1)(N/n - 1) each. The mean of 1/F is at least one over
    the mean of F (Jensen), taken over the rows of a band of class sizes. Nor can it be less than
    if the classes had all people of the population, shared out in the best way: (sum of sqrt f)^2 /
    (n N). *Departures*: weights stand for N/n where they differ; for the number of classes of j+1
    rows its upper bound, as if it were Poisson, so that a table of few classes says little.
    *Cost*: one term a class size.

    >>> rows = np.array([1] * 300 + [2] * 100)
    >>> round(find_risk_floor(rows, 10.0 * rows), 3)
    0.217
    """
    sizes, place, number = np.unique(rows, return_inverse=True, return_counts=True)
    outside = np.zeros(len(sizes))
    np.add.at(outside, place, weights - rows)
    each = float(weights.sum() / rows.sum()) - 1
    named = 0.0
    for low, high in zip(BANDS, (*BANDS[1:], int(sizes[-1]) + 2), strict=True):
        here, above = (sizes >= low) & (sizes < high), (sizes > low) & (sizes <= high)
        own = float((number * sizes)[here].sum())
        seen = int(number[above].sum())
        others = float(((sizes - 1) * outside)[above].sum()) / seen if seen else 0.0
        others = others or low * (low + 1) * each
        people = float((number * sizes * sizes)[here].sum())
        people += others * _find_poisson_mean(seen, confidence)
        named += own * own / people if own else 0.0
    everybody = float(np.sqrt(rows).sum()) ** 2 / float(weights.sum())
    return max(named, everybody) / float(rows.sum())


def _find_poisson_mean(seen: int, confidence: float) -> float:
    """The mean of a Poisson number under which so few as were seen are just likely enough."""
    return float(scipy.stats.chi2.ppf(confidence, 2 * (seen + 1))) / 2


MORE = 1.1
"""A share of unique rows, or a floor of the risk, above this multiple contradicts a model."""

HALF = 0.5
"""A model's average is not taken below this part of the most that fits the sample."""

SURE = 0.05
"""The chance of so many unique rows under the model, below which it is contradicted."""

UNKNOWN = "as prosecutor, the most it can be: no model of the population fits this table"
UNDECIDED = "as prosecutor, the most it can be: the sample allows twice what models say, or more"


@dataclass(frozen=True, eq=False)
class Sought:
    """The chance of each class to be named from the population, how it came, and its floor.

    ``floor`` and ``ceiling`` are about the least and the most that the average over the rows can
    be, None where that is unknown.
    """

    risk: Floats
    method: str
    floor: float | None = None
    ceiling: float | None = None


def estimate_risk(rows: Ints, weights: Floats, found: PopulationFindings) -> Sought:
    """E(1/F | f) where F is not known, by the first method that the table does not contradict.

    Parameters
    ----------
    rows
        Rows of each class, f.
    weights
        People that they stand for.
    found
        What is known of the population, with the models that fit.

    Notes
    -----
    First the negative binomial, see :func:`discreet.risks.journalist_risk.individual_risk`. By it
    classes of f rows in the sample are as frequent as 1/f: a table with more unique rows than that
    contradicts it, and then it is far too low. Next the models of the population uniques that fit,
    below in this module. A model can fit and be wrong, so none is taken whose average is
    below half of the most that any population allows which fits the sample: 1/F averages to classes
    over people, see :class:`~discreet.risks.population_estimate.PossiblePopulations`. Else the
    prosecutor's risk is taken, and the average is between ``floor`` and ``ceiling``. With weights
    that differ the ceiling is the prosecutor's, and models are held against the floor only.
    *Departures*: sdcMicro has the negative binomial whatever the table. *Cost*: one term a class.
    """
    sizes = ClassSizes.of(rows)
    floor = find_risk_floor(rows, np.maximum(weights, rows))
    ceiling = sizes.classes / sizes.rows
    least = 0.0
    if found.possible_classes is not None:
        ceiling = max(floor, min(ceiling, found.possible_classes.most / found.size))
        least = HALF * ceiling
    known = UNKNOWN
    for risk, method in _list_candidates(rows, weights, found, sizes):
        average = float((rows * risk).sum()) / sizes.rows
        if floor <= MORE * average and least <= average:
            return Sought(risk, method, floor, ceiling)
        known = UNDECIDED
    return Sought(1.0 / rows, known, floor, ceiling)


def _list_candidates(
    rows: Ints, weights: Floats, found: PopulationFindings, sizes: ClassSizes
) -> Iterator[tuple[Floats, str]]:
    if not has_too_many_uniques(sizes) or sizes.rows == found.size:
        chance = rows / np.maximum(weights, rows)
        yield individual_risk(rows, chance), "negative binomial"
    place = np.searchsorted(sizes.sizes, rows)
    known = {one.method: one.parameters for one in found.estimates if one.applies}
    if "snb" in known:
        model = known["snb"]
        risk = estimate_snb_risk(sizes.sizes, model["alpha"], model["beta"], found.sampled)
        yield risk[place], "slide negative binomial"
    if "pitman" in known:
        model = known["pitman"]
        risk = estimate_pitman_risk(
            sizes.sizes, model["theta"], model["alpha"], sizes.rows, found.size
        )
        yield risk[place], "pitman"


def has_too_many_uniques(sizes: ClassSizes) -> bool:
    """Whether more classes have one row than where classes of f rows are as frequent as 1/f."""
    small = sum(sizes.count_of_size(size) for size in range(1, LOOKED_AT + 1))
    share = 1 / sum(1 / size for size in range(1, LOOKED_AT + 1))
    alone = sizes.uniques
    return alone > MORE * share * small and scipy.stats.binom.sf(alone - 1, small, share) < SURE
