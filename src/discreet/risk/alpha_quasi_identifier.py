"""How many people can be unique on some columns, from the number of different values alone."""

from __future__ import annotations

import math

from discreet.errors import ParameterError

OWNER = "alpha"

MOST_PEOPLE = 10**15
"""The largest population that is reckoned with."""


def most_uniques(distinct: float, population: int) -> float:
    """The largest share of a population that may be expected to be unique on some columns.

    ``distinct`` is how many combinations of values the columns have. Whatever their frequencies,
    no more than this share is expected to be unique; it may be far less.

    Notes
    -----
    [Lodha2008]_, theorems 1 and 2, fig. 1: D / (e n) up to D = n, exp(-n / D) from there on (the
    minus is missing in print). *Departures*: none, but note that the paper puts exp(-np) for
    (1-p)^(n-1), which is larger: for a population of a few people the true share exceeds this
    bound by a factor of at most exp(1/n) (about). :func:`most_uniques_exact` has no such gap.

    >>> round(most_uniques(4e9, 300_000_000), 2)
    0.93
    """
    _check(distinct, population)
    if distinct <= population:
        return distinct / (math.e * population)
    return math.exp(-population / distinct)


def most_uniques_exact(distinct: float, population: int) -> float:
    """The same bound for people drawn one by one, true for any population however small.

    Notes
    -----
    [Lodha2008]_, sec. 2, with n p (1-p)^(n-1) kept: its largest value is at p = 1/n, and it is
    concave up to p = 2/n, so the proofs of theorems 1 and 2 go through as printed.

    >>> most_uniques_exact(1, 1)
    1.0
    """
    _check(distinct, population)
    rarest = 1 / max(distinct, population)
    others = population - 1
    alone = math.exp(others * math.log1p(-rarest)) if others else 1.0
    return min(1.0, distinct / population) * alone


def least_distinct(alpha: float, population: int) -> float:
    """Columns with fewer combinations than this are not expected to be an alpha-quasi-identifier.

    Notes
    -----
    [Lodha2008]_, theorem 3: n / ln(1/alpha). *Departures*: below alpha = 1/e, where the paper is
    silent, alpha e n from theorem 1. The paper's "can form if" is a condition that is necessary
    and not sufficient.

    >>> round(least_distinct(0.75, 1000))
    3476
    """
    check_alpha(alpha)
    if alpha <= 1 / math.e:
        return alpha * math.e * population
    return population / -math.log(alpha)


def check_alpha(alpha: float) -> None:
    """Refuse a share that is none, or that no columns can reach."""
    if isinstance(alpha, bool) or not isinstance(alpha, int | float) or not 0 < alpha < 1:
        raise ParameterError(OWNER, "alpha", "a number above 0 and below 1")


def check_population(population: object, least: int = 1) -> None:
    """Refuse a population that is no number, or smaller than the table drawn from it."""
    if isinstance(population, bool) or not isinstance(population, int) or population < least:
        what = f"a whole number of at least {least:,}"
        reason = ", the rows of the table" if least > 1 else ""
        raise ParameterError(OWNER, "population", what + reason)
    if population > MOST_PEOPLE:
        raise ParameterError(OWNER, "population", f"at most {MOST_PEOPLE:,}")


def _check(distinct: float, population: int) -> None:
    check_population(population)
    if not distinct >= 1:
        raise ParameterError(OWNER, "distinct", "at least 1")
