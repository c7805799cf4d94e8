"""Quantiles of a column from a sample that is drawn in one pass over its rows."""

from __future__ import annotations

import math

import numpy as np

from discreet.algorithms.probabilistic import clusters
from discreet.errors import EmptyTableError, ParameterError
from discreet.frequency.classes import Floats, Ints
from discreet.models.parameters import require_whole
from discreet.models.probabilistic_anonymity import require_chance


def sample_size(epsilon: float, delta: float) -> int:
    """The sample size for quantiles within ``epsilon``, except with probability ``delta``.

    Notes
    -----
    [Massart1990]_, corollary 1: ln(2/delta) / (2 epsilon^2) rows bound the error of all ranks at
    once. [Lodha2008]_, sec. 4.1, prints (1/epsilon) ln(1/delta), which is too few: the error of a
    sample's median falls with the square root of its size.

    >>> sample_size(0.01, 0.05)
    18445
    """
    require_chance("quantile_sample", "epsilon", epsilon)
    require_chance("quantile_sample", "delta", delta)
    return math.ceil(math.log(2 / delta) / (2 * epsilon * epsilon))


class QuantileSample:
    """A uniform sample of the numbers of a column, from which its quantiles are estimated.

    Parameters
    ----------
    epsilon, delta
        With probability 1 - ``delta`` no quantile is off by more than ``epsilon`` of the rows.
    seed
        The seed of the draw.

    Notes
    -----
    [Lodha2008]_, sec. 4.1, efficient approximate quantiles. *Departures*: sample size, see
    :func:`sample_size`; instead of Vitter's reservoir every row draws a number and the rows with
    the lowest stay, which gives the same sample and works in batches. *Cost*: one pass, memory for
    three times the sample and a batch, however many rows there are.

    >>> sample = QuantileSample(0.05, 0.05, seed=1)
    >>> sample.add(np.arange(10_000.0))
    >>> len(sample.cuts(4)), sample.rows
    (3, 10000)
    """

    def __init__(self, epsilon: float, delta: float, seed: int | np.random.Generator = 0) -> None:
        self.size = sample_size(epsilon, delta)
        self.rows = 0
        self._random = np.random.default_rng(seed)
        self._lots = np.empty(0)
        self._numbers = np.empty(0)
        self._highest = 1.0

    def add(self, numbers: Floats) -> None:
        """Add a batch of rows to the draw; missing values must be left out."""
        if not np.isfinite(numbers).all():
            raise ParameterError("quantile_sample", "numbers", "finite numbers, none missing")
        self.rows += len(numbers)
        lots = self._random.random(len(numbers))
        lucky = np.nonzero(lots < self._estimate_lot(len(numbers)))[0]
        if len(lucky) < min(self.size, len(numbers)):
            lucky = np.nonzero(lots < self._highest)[0]
        self._lots = np.concatenate([self._lots, lots[lucky]])
        self._numbers = np.concatenate([self._numbers, np.asarray(numbers, np.float64)[lucky]])
        if len(self._lots) > 2 * self.size:
            self._shrink()

    def _estimate_lot(self, batch: int) -> float:
        """A threshold below which this batch alone most likely has more rows than needed."""
        spare = self.size + 6 * math.sqrt(self.size)
        return min(self._highest, spare / max(1, batch))

    def _shrink(self) -> None:
        if len(self._lots) > self.size:
            lowest = np.argpartition(self._lots, self.size - 1)[: self.size]
            self._lots, self._numbers = self._lots[lowest], self._numbers[lowest]
            self._highest = float(self._lots.max())

    def numbers(self) -> Floats:
        """The sample, rising."""
        self._shrink()
        return np.sort(self._numbers)

    def cuts(self, buckets: int) -> Floats:
        """The last number of each bucket but the last one; fewer where numbers repeat."""
        require_whole("quantile_sample", "buckets", buckets, least=1)
        drawn = self.numbers()
        if not len(drawn):
            raise EmptyTableError("the column", "no numbers were drawn from it")
        ranks = -(-np.arange(1, buckets) * len(drawn) // buckets)
        return np.unique(drawn[np.maximum(ranks, 1) - 1])


def find_buckets(numbers: Floats, cuts: Floats) -> Ints:
    """The bucket that each number falls in; a cut belongs to the bucket below it.

    >>> find_buckets(np.array([1.0, 5, 6]), np.array([5.0])).tolist()
    [0, 0, 1]
    """
    found: Ints = clusters.buckets(
        np.ascontiguousarray(numbers, np.float64), np.ascontiguousarray(cuts, np.float64)
    )
    return found
