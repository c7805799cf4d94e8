"""How often each value, or combination of values, occurs: all that uniqueness depends on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency import kernels
from discreet.frequency.frequency_list import Packing
from discreet.models.parameters import require_whole

if TYPE_CHECKING:
    from discreet.frequency.classes import Floats, Ints
    from discreet.frequency.frequency_list import FrequencyList


LARGEST_JOINT = 20_000_000


@dataclass(frozen=True, eq=False)
class ValueFrequencies:
    """How a quasi-identifier is distributed, and how far that is from all values alike.

    Parameters
    ----------
    counts
        How often each value occurs: people, or shares of a published table. Their order matters
        only for :meth:`grouped`.
    values
        How many values there could be, N; those that never occur are not in ``counts``.

    Notes
    -----
    [Koot2011]_, sec. 3.2 and 4.1: a value with share p has alpha = p N. *Departures*: the printed
    discrepancy has a misplaced bracket; it is (sum of alpha_i^2 f_i - 1) / 2. *Cost*: a sort.

    >>> even = ValueFrequencies.of([5, 5, 5, 5])
    >>> even.kappa, even.discrepancy
    (0.0, 0.0)
    >>> round(ValueFrequencies.of([3, 1]).kappa, 4)
    0.1308
    """

    counts: Floats
    values: int

    @classmethod
    def of(
        cls, counts: Sequence[float] | npt.NDArray[Any], values: int | None = None
    ) -> ValueFrequencies:
        """From a table of frequencies, counted here or published elsewhere."""
        found = np.asarray(counts, dtype=np.float64)
        wrong = found.ndim != 1 or not np.isfinite(found).all() or (found < 0).any()
        if wrong or not found.any():
            wanted = "a list of numbers of at least 0, not all of them 0"
            raise ParameterError("value frequencies", "counts", wanted)
        if values is not None:
            require_whole("value frequencies", "values", values, len(found))
        return cls(found, len(found) if values is None else values)

    @classmethod
    def of_columns(
        cls,
        frequency: FrequencyList,
        columns: Sequence[str] | None = None,
        values: int | None = None,
    ) -> ValueFrequencies:
        """Of any set of columns of a counted table; N is what occurs unless it is given."""
        if columns is None or set(columns) == set(frequency.columns):
            return cls.of(frequency.rows, values)

        unknown = [name for name in columns if name not in frequency.columns]
        if unknown or not columns:
            wanted = f"columns of the counted table: {', '.join(frequency.columns)}"
            raise ParameterError("value frequencies", "columns", wanted)
        places = [frequency.columns.index(name) for name in columns]
        packing = Packing.of([max(1, len(frequency.values[name])) for name in columns])
        keys = packing.pack((frequency.codes[place] for place in places), len(frequency))
        nothing, none = np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.uint64)
        most = max(1, len(frequency))
        _, rows, _ = kernels.roll_up(
            keys, frequency.rows, nothing, nothing, nothing, none, nothing, most, False
        )
        return cls.of(rows, values)

    @cached_property
    def total(self) -> float:
        """What the counts add up to: the people, if people were counted."""
        return float(self.counts.sum())

    @cached_property
    def alike(self) -> tuple[Floats, Ints]:
        """The different shares above 0, and how many values have each."""
        found, repeats = np.unique(self.counts[self.counts > 0], return_counts=True)
        return found / self.total, repeats.astype(np.int64)

    @property
    def occurring(self) -> int:
        """How many values occur at all."""
        return int(self.alike[1].sum())

    @cached_property
    def entropy(self) -> float:
        """Shannon's entropy, in natural units."""
        shares, repeats = self.alike
        return float(-(repeats * shares * np.log(shares)).sum())

    @property
    def kappa(self) -> float:
        """The Kullback-Leibler distance from N equally likely values."""
        return max(0.0, math.log(self.values) - self.entropy)

    @cached_property
    def match(self) -> float:
        """The chance that two people drawn at random have the same value."""
        shares, repeats = self.alike
        return float((repeats * shares * shares).sum())

    @property
    def discrepancy(self) -> float:
        """What kappa stands for: (sum of alpha_i^2 f_i - 1) / 2; equal to it for small skew."""
        return max(0.0, (self.values * self.match - 1) / 2)

    def group_values(self, width: int) -> ValueFrequencies:
        """The same after ``width`` neighbouring values are published as one.

        Notes
        -----
        [Koot2011]_, sec. 4.2, fig. 4. *Departures*: where the width does not divide N the last
        group is smaller, and counts as a value like the others.
        """
        require_whole("value frequencies", "width", width, 1)
        padded = np.zeros(-(-self.values // width) * width)
        padded[: len(self.counts)] = self.counts
        return ValueFrequencies.of(padded.reshape(-1, width).sum(axis=1))

    def spread(self, width: int) -> ValueFrequencies:
        """What is known of the values if only groups of ``width`` are published: all alike within.

        Its kappa and discrepancy are never above the true ones, so the uniqueness that follows
        from it is never below.
        """
        require_whole("value frequencies", "width", width, 1)
        starts = np.arange(0, self.values, width)
        sizes = np.minimum(width, self.values - starts)
        return ValueFrequencies.of(np.repeat(self.group_values(width).counts / sizes, sizes))


@dataclass(frozen=True)
class Aggregated:
    """Columns of which only the separate frequencies are known, not how they go together.

    Parameters
    ----------
    margins
        The frequencies of each column alone.

    Notes
    -----
    [Koot2011]_, sec. 4.2, which leaves the case open. *Departures*: the entropy of the whole lies
    between the largest of the columns' entropies and their sum, so kappa lies between the sum of
    the columns' kappas (independent columns) and log N less the largest entropy. Both bounds are
    exact; ``joint`` assumes independence. *Cost*: ``joint`` makes one cell a combination.
    """

    margins: tuple[ValueFrequencies, ...]

    def __post_init__(self) -> None:
        if not self.margins:
            raise ParameterError("aggregated", "margins", "the frequencies of at least one column")

    @property
    def values(self) -> int:
        """How many combinations there could be."""
        return math.prod(margin.values for margin in self.margins)

    @property
    def kappa(self) -> float:
        """Kappa if the columns are independent: the least it can be."""
        return sum(margin.kappa for margin in self.margins)

    @property
    def kappa_most(self) -> float:
        """The most that kappa can be: one column says all about the others."""
        return math.log(self.values) - max(margin.entropy for margin in self.margins)

    @property
    def discrepancy(self) -> float:
        """The discrepancy if the columns are independent."""
        return (math.prod(1 + 2 * margin.discrepancy for margin in self.margins) - 1) / 2

    def joint(self) -> ValueFrequencies:
        """The frequencies of the combinations if the columns are independent."""
        if math.prod(margin.occurring for margin in self.margins) > LARGEST_JOINT:
            wanted = f"columns with at most {LARGEST_JOINT:,} combinations"
            raise ParameterError("aggregated", "margins", wanted)
        shares = np.ones(1)
        for margin in self.margins:
            occurring = margin.counts[margin.counts > 0] / margin.total
            shares = np.multiply.outer(shares, occurring).ravel()
        return ValueFrequencies.of(shares, self.values)
