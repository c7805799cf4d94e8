"""What the risk against the population is at least, without a model of it."""

from __future__ import annotations

import numpy as np

from discreet.frequency.classes import Floats, Ints

BANDS = (1, 2, 3, 5, 10, 20, 50, 100)
"""Class sizes at which a new band begins."""


def risk_floor(rows: Ints, weights: Floats, confidence: float = 0.95) -> float:
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
    >>> round(risk_floor(rows, 10.0 * rows), 3)
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
        people += others * _most(seen, confidence)
        named += own * own / people if own else 0.0
    everybody = float(np.sqrt(rows).sum()) ** 2 / float(weights.sum())
    return max(named, everybody) / float(rows.sum())


def _most(seen: int, confidence: float) -> float:
    """The mean of a Poisson number under which so few as were seen are just likely enough."""
    from scipy.stats import chi2

    return float(chi2.ppf(confidence, 2 * (seen + 1))) / 2
