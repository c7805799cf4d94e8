"""The classical birthday probability: all values equally likely."""

from __future__ import annotations

import math

import numpy as np

from discreet.models.parameters import require_real, require_whole

SUMMED = 1 << 22
"""Groups up to this size are added up term by term; larger ones by the gamma function."""

FAR = 1000
"""So many values beyond the group make Stirling's formula exact to the last digits."""


def birthday(k: int, values: int) -> float:
    """The chance that ``k`` people all differ when each of ``values`` values is equally likely.

    Notes
    -----
    [Koot2011]_, sec. 2. *Departures*: none; computed in logarithms. *Cost*: one term a person.

    >>> round(100 * birthday(29, 95), 2)
    0.84
    """
    require_whole("birthday", "k", k, 0)
    require_whole("birthday", "values", values, 1)
    return math.exp(log_birthday(k, values))


def log_birthday(k: int, values: int) -> float:
    """The logarithm of :func:`birthday`; minus infinity where two people must share a value."""
    if k > values:
        return -math.inf
    if k <= SUMMED:
        return float(np.log1p(-np.arange(k, dtype=np.float64) / values).sum())
    return log_birthday_between(k, values)


def log_birthday_between(k: float, values: int) -> float:
    """The same by the gamma function, also between whole numbers; up to ``values`` people."""
    if values - k < FAR:
        return math.lgamma(values + 1) - math.lgamma(values - k + 1) - k * math.log(values)
    left = values - k
    stirling = 1 / (12 * values) - 1 / (12 * left)
    return (left + 0.5) * -math.log1p(-k / values) - k + stirling


def birthday_approximation(k: int, values: float, kappa: float = 0.0) -> float:
    """The chance that ``k`` people all differ, as exp(-(1/2 + kappa) k^2 / N).

    With ``kappa`` 0 this is the classical approximation for equally likely values. It is good
    where k is of the size of the square root of N; for 29 people and 95 values it is already 42 %
    too high.

    Notes
    -----
    [Koot2011]_, formula 1 and the last formula of sec. 3.2. *Departures*: none. *Cost*: none.
    """
    require_real("birthday", "values", values, above=0)
    return math.exp(-(0.5 + kappa) * k * k / values)
