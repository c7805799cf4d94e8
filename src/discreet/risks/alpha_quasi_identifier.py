"""How many people can be unique on some columns, from the number of different values alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import partial
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import scipy

from discreet.display import dataclass
from discreet.errors import EmptyTableError, ParameterError, UnknownColumnError
from discreet.frequency.classes import Ints, add_up
from discreet.frequency.count import count
from discreet.frequency.frequency_list import FrequencyList
from discreet.models.probabilistic_anonymity import require_chance
from discreet.table.read import read
from discreet.table.table import Table

OWNER = "alpha"

MOST_PEOPLE = 10**15
"""The largest population that is reckoned with."""


def bound_unique_share(distinct: float, population: int) -> float:
    """The largest share of a population that may be expected to be unique on some columns.

    ``distinct`` is how many combinations of values the columns have. Whatever their frequencies,
    no more than this share is expected to be unique; it may be far less.

    Notes
    -----
    [Lodha2008]_, theorems 1 and 2, fig. 1: D / (e n) up to D = n, exp(-n / D) from there on (the
    minus is missing in print). *Departures*: none, but note that the paper puts exp(-np) for
    (1-p)^(n-1), which is larger: for a population of a few people the true share exceeds this
    bound by a factor of at most exp(1/n) (about). :func:`bound_unique_share_exact` has no such gap.

    >>> round(bound_unique_share(4e9, 300_000_000), 2)
    0.93
    """
    _check(distinct, population)
    if distinct <= population:
        return distinct / (math.e * population)
    return math.exp(-population / distinct)


def bound_unique_share_exact(distinct: float, population: int) -> float:
    """The same bound for people drawn one by one, true for any population however small.

    Notes
    -----
    [Lodha2008]_, sec. 2, with n p (1-p)^(n-1) kept: its largest value is at p = 1/n, and it is
    concave up to p = 2/n, so the proofs of theorems 1 and 2 go through as printed.

    >>> bound_unique_share_exact(1, 1)
    1.0
    """
    _check(distinct, population)
    rarest = 1 / max(distinct, population)
    others = population - 1
    alone = math.exp(others * math.log1p(-rarest)) if others else 1.0
    return min(1.0, distinct / population) * alone


def find_least_distinct(alpha: float, population: int) -> float:
    """Columns with fewer combinations than this are not expected to be an alpha-quasi-identifier.

    Notes
    -----
    [Lodha2008]_, theorem 3: n / ln(1/alpha). *Departures*: below alpha = 1/e, where the paper is
    silent, alpha e n from theorem 1. The paper's "can form if" is a condition that is necessary
    and not sufficient.

    >>> round(find_least_distinct(0.75, 1000))
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
    """Refuse a population that is not a number, or is smaller than the table drawn from it."""
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


# Tighter counts of combinations where columns are correlated: measured instead of multiplied.


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
            sizes = count_class_sizes(self.frequency, columns)
            met = self.random.binomial(sizes, 0.5)
            new = int((sizes - met)[met == 0].sum())
            held = int((sizes - met).sum())
            self._counts[key] = len(sizes), int((sizes == 1).sum()), new, held
        return self._counts[key]

    def multiply_domains(self, columns: Sequence[str]) -> int:
        """The combinations by the multiple domain assumption."""
        return math.prod(self.domains[name] for name in columns)

    def best(self, columns: Sequence[str]) -> Grouping:
        """The grouping with the least bound that merging two groups at a time comes by.

        Twice: by the least bound, and by the fewest combinations for the people not met, which
        leads on where the bound is close to 1 whatever is merged.
        """
        level = self.delta / (2 * math.comb(len(columns) + 1, 3) + 1)
        apart = self._make_grouping(tuple((name,) for name in columns), level)
        if len(columns) == 1:
            return apart
        met = [apart, self._make_grouping((tuple(columns),), level)]
        for rule in (_rank_by_bound, _rank_by_gain):
            found = apart
            while 2 < len(found.groups) <= MOST_MERGED:
                merged = [
                    self._make_grouping(groups, level) for groups in _list_merges(found.groups)
                ]
                found = min(merged, key=partial(rule, found))
                met.append(found)
        return min(met, key=lambda one: (one.share, -len(one.groups)))

    def _make_grouping(self, groups: tuple[tuple[str, ...], ...], level: float) -> Grouping:
        distinct, unseen = 1, 0.0
        for group in groups:
            if len(group) == 1:
                distinct *= self.domains[group[0]]
            else:
                distinct *= self.counts(group)[0]
                unseen += self._bound_unseen(group, level)
        share = min(1.0, bound_unique_share(distinct, self.population) + unseen)
        return Grouping(groups, distinct, min(1.0, unseen), share)

    def _bound_unseen(self, group: Sequence[str], level: float) -> float:
        """At most this share of the population has a combination that the table lacks."""
        if self.frequency.total >= self.population:
            return 0.0
        if any(self.domains[name] > self.counts([name])[0] for name in group):
            return 1.0
        _, _, new, held = self.counts(group)
        return float(scipy.stats.beta.ppf(1 - level, new + 1, held - new)) if new < held else 1.0


def count_class_sizes(frequency: FrequencyList, columns: Sequence[str]) -> Ints:
    """The rows of each combination of some columns."""
    labels = np.zeros(len(frequency), dtype=np.int64)
    for place in sorted(frequency.columns.index(name) for name in columns):
        codes = frequency.codes[place]
        size = int(codes.max(initial=0)) + 1
        _, labels = np.unique(labels * size + codes, return_inverse=True)
    return add_up(labels, frequency.rows, 0).astype(np.int64)


def _rank_by_bound(before: Grouping, after: Grouping) -> float:
    return after.share


def _rank_by_gain(before: Grouping, after: Grouping) -> float:
    """How much fewer the combinations get for the people who come to be unseen; less is better."""
    fewer = math.log(before.distinct / after.distinct)
    return -fewer / (after.unseen - before.unseen + LITTLE)


def _list_merges(groups: tuple[tuple[str, ...], ...]) -> list[tuple[tuple[str, ...], ...]]:
    """Every way to merge two of the groups."""
    return [
        (*(g for at, g in enumerate(groups) if at not in pair), groups[pair[0]] + groups[pair[1]])
        for pair in combinations(range(len(groups)), 2)
    ]


# Which sets of columns may be quasi-identifiers in a population: the paper's figure 3.


MOST_SETS = 300
"""Sets of columns that are looked at where none are named."""


@dataclass(frozen=True)
class AlphaSet:
    """One set of columns: how many rows are unique in the table, how many people may be at all.

    ``uniques`` rows of the table are unique (S), ``share_of_table`` of them (F1). The columns have
    ``multiplied`` combinations of values (D), so at most ``most_uniques`` of the population are
    expected to be unique (F2), and a combination fits ``k`` people on average. ``measured``
    combinations are in the table. ``joined`` counts correlated columns together, which may give a
    lower bound.
    """

    columns: tuple[str, ...]
    uniques: int
    share_of_table: float
    multiplied: int
    measured: int
    most_uniques: float
    k: float
    joined: Grouping

    @property
    def bound(self) -> float:
        """The lower of the two bounds on the share of unique people."""
        return min(self.most_uniques, self.joined.share)

    def facts(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "columns": list(self.columns),
            "size": len(self.columns),
            "uniques": self.uniques,
            "share_of_table": self.share_of_table,
            "multiplied": _cap_count(self.multiplied),
            "measured": self.measured,
            "most_uniques": self.most_uniques,
            "k": self.k,
            "joined": {
                "groups": [list(group) for group in self.joined.groups],
                "distinct": _cap_count(self.joined.distinct),
                "unseen": self.joined.unseen,
                "most_uniques": self.joined.share,
            },
            "bound": self.bound,
        }


@dataclass(frozen=True)
class AlphaTable:
    """Column sets of a table, each tested for being an alpha-quasi-identifier of the population.

    A set whose bound is below ``alpha`` is not expected to be one. One whose bound is above *may*
    be one: the bound is for the worst frequencies there could be. Bounds of joined columns hold
    with probability 1 - ``delta`` each, if the table is a random sample of the population.
    ``domains`` are the values of each column that were reckoned with; ``domains_too_small`` names
    those of which the table itself has more: bounds of sets with them are too low.
    """

    sets: tuple[AlphaSet, ...]
    rows: int
    population: int
    alpha: float
    delta: float
    domains: Mapping[str, int]
    domains_too_small: tuple[str, ...]

    @property
    def suspected(self) -> tuple[AlphaSet, ...]:
        """The sets that may be alpha-quasi-identifiers."""
        return tuple(one for one in self.sets if one.bound > self.alpha)

    def facts(self) -> dict[str, Any]:
        """The table as plain data."""
        return {
            "rows": self.rows,
            "population": self.population,
            "alpha": self.alpha,
            "delta": self.delta,
            "domains": {name: _cap_count(size) for name, size in self.domains.items()},
            "domains_too_small": list(self.domains_too_small),
            "least_distinct": find_least_distinct(self.alpha, self.population),
            "sets": [{**one.facts(), "suspected": one.bound > self.alpha} for one in self.sets],
        }


def check_alpha_sets(
    table: Any,
    columns: Sequence[str] | None = None,
    population: int = 300_000_000,
    alpha: float = 0.5,
    sets: Sequence[Sequence[str]] | None = None,
    domains: Mapping[str, int] | None = None,
    delta: float = 0.05,
    seed: int | np.random.Generator = 0,
) -> AlphaTable:
    """Test sets of columns for being alpha-quasi-identifiers of a population.

    Parameters
    ----------
    table
        A FrequencyList, or anything that :func:`discreet.read` takes.
    columns
        The columns that others may know; all columns if not given.
    population
        How many people the rows may be about.
    alpha
        From which share of unique people on a set of columns is a quasi-identifier.
    sets
        The sets to test. If not given: every column, every two, and all together.
    domains
        How many values a column has in the population, where that is known; otherwise as many as
        the table has, which may be too few. Fewer than the table has are taken, for figure 3
        has them (60 ages, where adult has 73), and told in the result; the command refuses them.

    Notes
    -----
    [Lodha2008]_, sec. 2 and 5.1, fig. 3. *Departures*: ``joined``, see
    :class:`Measured`. *Cost*: one pass over the rows, then one
    grouping of the distinct tuples a set.
    """
    check_alpha(alpha)
    require_chance(OWNER, "delta", delta)
    frequency = _count_table(table, columns, sets)
    if not frequency.total:
        raise EmptyTableError("the table", "there are column names but no rows")
    check_population(population, least=frequency.total)
    sizes = _count_domains(frequency, domains or {})
    random = np.random.default_rng(seed)
    measured = Measured(frequency, sizes, population, delta, random)
    wanted = _list_sets(frequency.columns) if sets is None else [tuple(names) for names in sets]
    tested = []
    for names in wanted:
        _require_known("the table", frequency.columns, names)
        tested.append(_check_set(measured, names))
    there = _count_domains(frequency, {})
    small = tuple(name for name in frequency.columns if sizes[name] < there[name])
    return AlphaTable(tuple(tested), frequency.total, population, alpha, delta, sizes, small)


def _cap_count(number: int) -> int | float:
    """A count as JSON takes it: exact as far as others read it exactly, and never too large."""
    return number if number < 2**53 else float(min(number, 10**300))


def _check_set(measured: Measured, names: tuple[str, ...]) -> AlphaSet:
    distinct, uniques, _, _ = measured.counts(names)
    multiplied = measured.multiply_domains(names)
    return AlphaSet(
        names,
        uniques,
        uniques / measured.frequency.total,
        multiplied,
        distinct,
        bound_unique_share(multiplied, measured.population),
        max(1.0, measured.population / multiplied),
        measured.best(names),
    )


def _count_table(
    table: Any, columns: Sequence[str] | None, sets: Sequence[Sequence[str]] | None
) -> FrequencyList:
    if isinstance(table, FrequencyList):
        return table
    source = table if isinstance(table, Table) else read(table)
    if columns is None and sets is not None:
        columns = list(dict.fromkeys(name for names in sets for name in names))
    names = source.columns if columns is None else tuple(columns)
    _require_known(source.name, source.columns, names)
    return count(source, names).frequency


def _require_known(table: str, there: Sequence[str], names: Sequence[str]) -> None:
    """Refuse a set without columns, with one twice, or with one that the table lacks."""
    for name in names:
        if name not in there:
            raise UnknownColumnError(table, name, there)
    if not names or len(set(names)) < len(names):
        raise ParameterError(OWNER, "sets", "sets of at least one column, each named once")


def _count_domains(frequency: FrequencyList, given: Mapping[str, int]) -> dict[str, int]:
    """How many values each column has; at least those that are in the table's rows."""
    for name, size in given.items():
        if name not in frequency.columns:
            raise ParameterError(OWNER, "domains", f"sizes of columns at hand; '{name}' is none")
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise ParameterError(OWNER, "domains", "whole numbers of at least 1")
    found = zip(frequency.columns, frequency.codes, strict=True)
    return {name: given.get(name) or len(np.unique(codes)) for name, codes in found}


def _list_sets(columns: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Every column, every two if those are not too many, and all together."""
    found: list[tuple[str, ...]] = [(name,) for name in columns]
    if len(columns) > 2 and comb(len(columns), 2) <= MOST_SETS:
        found.extend(combinations(columns, 2))
    return [*found, columns] if len(columns) > 1 else found
