"""The risk of a row against a population that a fitted model describes."""

from __future__ import annotations

import numpy as np

from discreet.frequency.classes import Floats, Ints

NODES = 160
DECAYED = 40.0
"""The integral ends where its integrand is below exp(-40)."""


def snb_risk(sizes: Ints, alpha: float, beta: float, sampled: float) -> Floats:
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


def pitman_risk(sizes: Ints, theta: float, alpha: float, rows: int, population: int) -> Floats:
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
