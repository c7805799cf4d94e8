"""Tighter counts of combinations where columns are correlated: measured instead of multiplied."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from functools import partial
from itertools import combinations

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Ints, add_up
from discreet.frequency.frequency_list import FrequencyList
from discreet.risk.alpha_quasi_identifier import most_uniques

MOST_MERGED = 12
"""Sets of more columns are not grouped step by step: they are multiplied, or measured whole."""


LITTLE = 1e-3
"""A share of people that is as good as none when groupings are compared."""


@dataclass(frozen=True)
class Grouping:
    """Columns counted in groups: measured within a group, multiplied between groups.

    ``share`` bounds the share of the population that may be expected to be unique: what
    ``distinct`` combinations allow, and all people whose combination within a group was not met
    (``unseen``).
    """

    groups: tuple[tuple[str, ...], ...]
    distinct: int
    unseen: float
    share: float


@dataclass(eq=False)
class Measured:
    """Counts of column sets of one table, each made once.

    Parameters
    ----------
    frequency
        The counted table, a random sample of the population, or all of it.
    domains
        How many values each column has in the population.
    population
        How many people there are.
    delta
        The chance that a grouping's bound is too low, by bad luck of the sample.

    Notes
    -----
    [Lodha2008]_, sec. 2, remark after example 2, which leaves tighter counts open. A group of
    columns counts as many combinations as the table holds. People whose combination the table
    lacks may all be unique, so their share is added. It is bounded by parting the rows at random
    in two: rows of one half whose combination the other half lacks are a binomial number, and the
    bound of [Clopper1934]_ on it holds for the whole table, which has met no fewer. A column that
    is said to have more values than the table shows is not grouped: the table then lacks part of
    the population, and is no random sample of it. *Cost*:
    one grouping of the distinct tuples a column set tried, at most about (columns^3) / 3.
    """

    frequency: FrequencyList
    domains: dict[str, int]
    population: int
    delta: float
    random: np.random.Generator
    _counts: dict[frozenset[str], tuple[int, int, int, int]] = field(default_factory=dict)

    def counts(self, columns: Sequence[str]) -> tuple[int, int, int, int]:
        """Distinct combinations, rows that are unique, and rows held out: those new, and all."""
        key = frozenset(columns)
        if key not in self._counts:
            sizes = class_sizes(self.frequency, columns)
            met = self.random.binomial(sizes, 0.5)
            new = int((sizes - met)[met == 0].sum())
            held = int((sizes - met).sum())
            self._counts[key] = len(sizes), int((sizes == 1).sum()), new, held
        return self._counts[key]

    def multiplied(self, columns: Sequence[str]) -> int:
        """The combinations by the multiple domain assumption."""
        return math.prod(self.domains[name] for name in columns)

    def best(self, columns: Sequence[str]) -> Grouping:
        """The grouping with the least bound that merging two groups at a time comes by.

        Twice: by the least bound, and by the fewest combinations for the people not met, which
        leads on where the bound is close to 1 whatever is merged.
        """
        level = self.delta / (2 * math.comb(len(columns) + 1, 3) + 1)
        apart = self._grouping(tuple((name,) for name in columns), level)
        if len(columns) == 1:
            return apart
        met = [apart, self._grouping((tuple(columns),), level)]
        for rule in (_by_bound, _by_gain):
            found = apart
            while 2 < len(found.groups) <= MOST_MERGED:
                merged = [self._grouping(groups, level) for groups in _merged(found.groups)]
                found = min(merged, key=partial(rule, found))
                met.append(found)
        return min(met, key=lambda one: (one.share, -len(one.groups)))

    def _grouping(self, groups: tuple[tuple[str, ...], ...], level: float) -> Grouping:
        distinct, unseen = 1, 0.0
        for group in groups:
            if len(group) == 1:
                distinct *= self.domains[group[0]]
            else:
                distinct *= self.counts(group)[0]
                unseen += self._unseen(group, level)
        share = min(1.0, most_uniques(distinct, self.population) + unseen)
        return Grouping(groups, distinct, min(1.0, unseen), share)

    def _unseen(self, group: Sequence[str], level: float) -> float:
        """At most this share of the population has a combination that the table lacks."""
        from scipy.stats import beta

        if self.frequency.total >= self.population:
            return 0.0
        if any(self.domains[name] > self.counts([name])[0] for name in group):
            return 1.0
        _, _, new, held = self.counts(group)
        return float(beta.ppf(1 - level, new + 1, held - new)) if new < held else 1.0


def class_sizes(frequency: FrequencyList, columns: Sequence[str]) -> Ints:
    """The rows of each combination of some columns."""
    labels = np.zeros(len(frequency), dtype=np.int64)
    for place in sorted(frequency.columns.index(name) for name in columns):
        codes = frequency.codes[place]
        size = int(codes.max(initial=0)) + 1
        _, labels = np.unique(labels * size + codes, return_inverse=True)
    return add_up(labels, frequency.rows, 0).astype(np.int64)


def _by_bound(before: Grouping, after: Grouping) -> float:
    return after.share


def _by_gain(before: Grouping, after: Grouping) -> float:
    """How much fewer the combinations get for the people who come to be unseen; less is better."""
    fewer = math.log(before.distinct / after.distinct)
    return -fewer / (after.unseen - before.unseen + LITTLE)


def _merged(groups: tuple[tuple[str, ...], ...]) -> list[tuple[tuple[str, ...], ...]]:
    """Every way to merge two of the groups."""
    return [
        (*(g for at, g in enumerate(groups) if at not in pair), groups[pair[0]] + groups[pair[1]])
        for pair in combinations(range(len(groups)), 2)
    ]
