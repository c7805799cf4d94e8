"""The uniqueness probability by drawing groups, as a check of every formula."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from discreet.display import dataclass
from discreet.models.parameters import require_real, require_whole
from discreet.risks.value_frequencies import ValueFrequencies

CELLS = 1 << 19
"""People drawn at a time."""


@dataclass(frozen=True)
class Simulated:
    """How many drawn groups were all different; ``reached`` says whether the rule was met."""

    group: int
    value: float
    interval: tuple[float, float]
    groups: int
    all_different: int
    reached: bool

    def facts(self) -> dict[str, Any]:
        """The simulation as plain data."""
        return {**vars(self), "interval": list(self.interval)}


@dataclass(frozen=True)
class Simulation:
    """Draws groups until the share of groups that are all different is known well enough.

    Parameters
    ----------
    group
        How many people are drawn each time, k.
    relative
        The half-width of the interval over the estimate must fall below this.
    confidence
        Of the interval.
    most
        Groups after which to give up; the result then says that the rule was not met.

    Notes
    -----
    [Koot2011]_, sec. 4.1: t sigma(p) / p < r. With r 10 % at 95 % and a chance of one per cent it
    takes about 384 groups that are all different, and the paper says about 400. *Departures*: the
    rule is asked after each batch of groups; the interval is Wilson's, which does not collapse when
    all groups, or none, are all different. The interval holds with probability ``confidence``,
    not surely. *Cost*: 384 / p groups of k people.
    """

    group: int
    relative: float = 0.1
    confidence: float = 0.95
    most: int = 1_000_000

    def __post_init__(self) -> None:
        require_whole("simulation", "group", self.group, 1)
        require_whole("simulation", "most", self.most, 1)
        require_real("simulation", "relative", self.relative, above=0)
        require_real("simulation", "confidence", self.confidence, above=0, most=1 - 1e-12)

    def __call__(
        self, frequencies: ValueFrequencies, seed: int | np.random.Generator | None = None
    ) -> Simulated:
        """Draw groups from these frequencies."""
        random = np.random.default_rng(seed)
        edges = np.cumsum(frequencies.counts[frequencies.counts > 0])
        batch = max(1, min(4096, CELLS // self.group))
        t = NormalDist().inv_cdf(0.5 + self.confidence / 2)
        groups = different = 0
        reached = False
        while groups < self.most and not reached:
            size = min(batch, self.most - groups)
            drawn = random.random((size, self.group)) * edges[-1]
            people = np.sort(np.searchsorted(edges, drawn, side="right"), axis=1)
            different += int((people[:, 1:] != people[:, :-1]).all(axis=1).sum())
            groups += size
            reached = self._is_enough(different, groups, t)
        low, high = _find_wilson_interval(different, groups, t)
        return Simulated(
            self.group, different / groups, (low, high), groups, different, bool(reached)
        )

    def _is_enough(self, different: int, groups: int, t: float) -> bool:
        share = different / groups
        return different > 0 and t * math.sqrt(share * (1 - share) / groups) < self.relative * share


def _find_wilson_interval(hits: int, tries: int, t: float) -> tuple[float, float]:
    share, grown = hits / tries, 1 + t * t / tries
    middle = (share + t * t / (2 * tries)) / grown
    half = t * math.sqrt(share * (1 - share) / tries + t * t / (4 * tries * tries)) / grown
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    return low, 1.0 if hits == tries else min(1.0, middle + half)
