"""Which sets of columns may be quasi-identifiers in a population: the paper's figure 3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from discreet.display import dataclass
from discreet.errors import EmptyTableError, ParameterError, UnknownColumnError
from discreet.frequency.frequency_list import FrequencyList
from discreet.models.probabilistic_anonymity import require_chance
from discreet.risk.alpha_quasi_identifier import (
    OWNER,
    check_alpha,
    check_population,
    least_distinct,
    most_uniques,
)
from discreet.risk.joined_values import Grouping, Measured

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
            "multiplied": _plain(self.multiplied),
            "measured": self.measured,
            "most_uniques": self.most_uniques,
            "k": self.k,
            "joined": {
                "groups": [list(group) for group in self.joined.groups],
                "distinct": _plain(self.joined.distinct),
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
            "domains": {name: _plain(size) for name, size in self.domains.items()},
            "domains_too_small": list(self.domains_too_small),
            "least_distinct": least_distinct(self.alpha, self.population),
            "sets": [{**one.facts(), "suspected": one.bound > self.alpha} for one in self.sets],
        }


def alpha_table(
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
    :class:`~discreet.risk.joined_values.Measured`. *Cost*: one pass over the rows, then one
    grouping of the distinct tuples a set.
    """
    check_alpha(alpha)
    require_chance(OWNER, "delta", delta)
    frequency = _counted(table, columns, sets)
    if not frequency.total:
        raise EmptyTableError("the table", "there are column names but no rows")
    check_population(population, least=frequency.total)
    sizes = _domains(frequency, domains or {})
    random = np.random.default_rng(seed)
    measured = Measured(frequency, sizes, population, delta, random)
    wanted = _sets(frequency.columns) if sets is None else [tuple(names) for names in sets]
    tested = []
    for names in wanted:
        _known("the table", frequency.columns, names)
        tested.append(_tested(measured, names))
    there = _domains(frequency, {})
    small = tuple(name for name in frequency.columns if sizes[name] < there[name])
    return AlphaTable(tuple(tested), frequency.total, population, alpha, delta, sizes, small)


def _plain(number: int) -> int | float:
    """A count as JSON takes it: exact as far as others read it exactly, and never too large."""
    return number if number < 2**53 else float(min(number, 10**300))


def _tested(measured: Measured, names: tuple[str, ...]) -> AlphaSet:
    distinct, uniques, _, _ = measured.counts(names)
    multiplied = measured.multiplied(names)
    return AlphaSet(
        names,
        uniques,
        uniques / measured.frequency.total,
        multiplied,
        distinct,
        most_uniques(multiplied, measured.population),
        max(1.0, measured.population / multiplied),
        measured.best(names),
    )


def _counted(
    table: Any, columns: Sequence[str] | None, sets: Sequence[Sequence[str]] | None
) -> FrequencyList:
    if isinstance(table, FrequencyList):
        return table
    from discreet.frequency.count import count
    from discreet.table.read import read
    from discreet.table.table import Table

    source = table if isinstance(table, Table) else read(table)
    if columns is None and sets is not None:
        columns = list(dict.fromkeys(name for names in sets for name in names))
    names = source.columns if columns is None else tuple(columns)
    _known(source.name, source.columns, names)
    return count(source, names).frequency


def _known(table: str, there: Sequence[str], names: Sequence[str]) -> None:
    """Refuse a set without columns, with one twice, or with one that the table lacks."""
    for name in names:
        if name not in there:
            raise UnknownColumnError(table, name, there)
    if not names or len(set(names)) < len(names):
        raise ParameterError(OWNER, "sets", "sets of at least one column, each named once")


def _domains(frequency: FrequencyList, given: Mapping[str, int]) -> dict[str, int]:
    """How many values each column has; at least those that are in the table's rows."""
    for name, size in given.items():
        if name not in frequency.columns:
            raise ParameterError(OWNER, "domains", f"sizes of columns at hand; '{name}' is none")
        if isinstance(size, bool) or not isinstance(size, int) or size < 1:
            raise ParameterError(OWNER, "domains", "whole numbers of at least 1")
    found = zip(frequency.columns, frequency.codes, strict=True)
    return {name: given.get(name) or len(np.unique(codes)) for name, codes in found}


def _sets(columns: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Every column, every two if those are not too many, and all together."""
    found: list[tuple[str, ...]] = [(name,) for name in columns]
    if len(columns) > 2 and comb(len(columns), 2) <= MOST_SETS:
        found.extend(combinations(columns, 2))
    return [*found, columns] if len(columns) > 1 else found
