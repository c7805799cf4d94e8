"""The exact chance that everybody in a group differs, by generating functions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from discreet.risk.value_frequencies import ValueFrequencies

Floats = npt.NDArray[np.float64]

CHUNK = 1 << 20
"""Terms of the transform that are held at once."""

TAIL = 45.0
"""Exponent of the bound on what the transform leaves out: exp(-45) is 3e-20."""


def log_all_different(frequencies: ValueFrequencies, k: int) -> float:
    """The logarithm of the chance that ``k`` people, drawn one by one, have k different values.

    Notes
    -----
    The chance is k! times the coefficient of x^k in the product of all (1 + p_i x), [Koot2011]_,
    sec. 2, which points to generating functions. With x = lambda e^{it} the product is, up to a
    factor, the characteristic function of a sum S of independent coins; lambda is chosen so that S
    is k on average, and P(S = k) is read off by a discrete Fourier transform that is only as long
    as S varies. *Departures*: none; exact up to rounding, about 12 digits: what the short transform
    leaves out is below 1e-19 by Bernstein's inequality. *Cost*: the different shares times the
    square root of k.
    """
    shares, repeats = frequencies.alike
    occurring = frequencies.occurring
    if k <= 1:
        return 0.0
    if k > occurring:
        return -math.inf
    if k == occurring:
        return math.lgamma(k + 1) + float((repeats * np.log(shares)).sum())
    tilt = _tilt(shares, repeats.astype(np.float64), k)
    odds = shares * math.exp(tilt)
    coins = odds / (1 + odds)
    scale = float((repeats * np.log1p(odds)).sum()) - k * tilt
    return math.lgamma(k + 1) + scale + math.log(_chance_of_sum(coins, repeats, k))


def _tilt(shares: Floats, repeats: Floats, k: int) -> float:
    """The logarithm of the lambda under which k people are expected."""
    from scipy.optimize import brentq

    def excess(tilt: float) -> float:
        odds = shares * math.exp(tilt)
        return float((repeats * (odds / (1 + odds))).sum()) - k

    low = math.log(k)
    high = low + 1
    while excess(high) <= 0:
        high += 2
    return float(brentq(excess, low - 1e-9, high, xtol=1e-12))


def _chance_of_sum(coins: Floats, repeats: npt.NDArray[np.int64], k: int) -> float:
    """P(S = k) for a sum of coins that is k on average."""
    spread = coins * (1 - coins)
    variance = float((repeats * spread).sum())
    length = 2 * math.ceil((TAIL / 3 + math.sqrt(TAIL * TAIL / 9 + 2 * TAIL * variance)) / 2) + 1
    angles = 2 * math.pi * np.arange(1, length // 2 + 1) / length
    size, turn = np.zeros(len(angles)), -k * angles
    step = max(1, CHUNK // len(angles))
    for start in range(0, len(coins), step):
        part = slice(start, start + step)
        coin, many = coins[part, None], repeats[part].astype(np.float64)
        cosine, sine = np.cos(angles)[None, :], np.sin(angles)[None, :]
        size += 0.5 * many @ np.log1p(-2 * spread[part, None] * (1 - cosine))
        turn += many @ np.arctan2(coin * sine, 1 - coin + coin * cosine)
    return float(1 + 2 * (np.exp(size) * np.cos(turn)).sum()) / length


def log_poisson(frequencies: ValueFrequencies, k: int) -> float:
    """The logarithm of formula 3's product: the chance if the group's size were Poisson.

    Notes
    -----
    [Koot2011]_, formula 3, first line. *Departures*: none. *Cost*: one term a different share.
    """
    shares, repeats = frequencies.alike
    return float((repeats * (np.log1p(k * shares) - k * shares)).sum())
