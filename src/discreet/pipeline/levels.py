"""The table of figure 38 for a data holder's own columns: what each anonymity level costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.algorithms.claims import UnreachableError
from discreet.algorithms.optimal.optimal import Optimal
from discreet.algorithms.problem import Problem
from discreet.display import dataclass, format_count, render_html_table
from discreet.errors import ArgumentError, argument, did_you_mean
from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy.flat import Flat
from discreet.hierarchy.hierarchy import Builder
from discreet.hierarchy.proposals import Proposal, propose
from discreet.hierarchy.proposals.widths import (
    Width,
    list_widths,
    make_nested,
    measure_level,
    name_levels,
)
from discreet.hierarchy.spec import make_builder
from discreet.measures.loss import Loss
from discreet.models.k_anonymity import KAnonymity
from discreet.pipeline.prepare import apply_techniques, clean_values
from discreet.pipeline.search import count_rows
from discreet.policy.anonymity_level import Anonymity
from discreet.policy.parts import Auto
from discreet.policy.policy import Policy, settle_policy
from discreet.policy.techniques import list_steps
from discreet.table.read import open_table
from discreet.table.table import Table

# The classes that some width of a column leaves, counted from the frequency list.


Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Classes:
    """The sizes of the classes that some width of the columns leaves, rising."""

    sizes: Ints

    @classmethod
    def of(cls, keys: Ints, rows: Ints) -> Classes:
        """Count the rows that have the same key."""
        _, place = np.unique(keys, return_inverse=True)
        return cls(np.sort(np.bincount(place, weights=rows).astype(np.int64)))

    def count_dropped(self, k: int) -> int:
        """Rows in classes of fewer than k."""
        return int(self.sizes[: np.searchsorted(self.sizes, k)].sum())

    def facts(self) -> dict[str, Any]:
        """How many there are, and how large they are."""
        return {
            "classes": len(self.sizes),
            "smallest_class": int(self.sizes[0]),
            "average_class_size": float(self.sizes.sum() / len(self.sizes)),
        }


def count_classes_at(frequency: FrequencyList, way: Width, other: Ints) -> Classes:
    """The classes of one column at a width, and the other columns as they are."""
    keys = way.codes[frequency.codes[0]].astype(np.int64) * (int(other.max()) + 1) + other
    return Classes.of(keys, frequency.rows)


def number_combinations(frequency: FrequencyList, places: Sequence[int]) -> Ints:
    """One number for each combination of values of some columns, as found."""
    found = np.zeros(len(frequency), dtype=np.int64)
    for place in places:
        codes = frequency.codes[place].astype(np.int64)
        _, found = np.unique(found * (int(codes.max()) + 1) + codes, return_inverse=True)
    return found


LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""The anonymity levels of figure 38."""

MOST_DROPPED = 0.08
"""The largest share of rows that figure 38 drops."""


@dataclass(frozen=True)
class LevelsOf:
    """What it takes to reach anonymity levels, for some columns of a table.

    Parameters
    ----------
    points
        The institution's own map from levels to k, as :class:`Anonymity` has it.
    at
        The levels.
    most_dropped
        The largest share of rows that may be in classes of fewer than k, and so be left out.

    Notes
    -----
    [Sweeney2001]_, sec. 6.1, fig. 38: for each level k, the finest width of the column at which at
    most a limited share of rows has a value that occurs less than k times, and that share.
    *Departures*: the paper does not state the limit; 8 % is the largest share that it prints.
    *Cost*: one pass over the rows; then one count of the different values for each width.
    """

    points: tuple[tuple[float, int], ...] = ()
    at: tuple[float, ...] = LEVELS
    most_dropped: float = MOST_DROPPED

    def column(
        self, table: Table, column: str, builder: Builder | None = None, beside: Sequence[str] = ()
    ) -> dict[str, Any]:
        """The table of one column, by itself or with others that are released as they are."""
        frequency = count_rows(table, [column, *beside]).frequency
        values = frequency.values[column]
        proposed = {} if builder else {column: propose(column, values)}
        chosen = builder or proposed[column].builder
        ways = list_widths(column, values, chosen, builder is None)
        other = number_combinations(frequency, range(1, len(frequency.columns)))
        classes = [count_classes_at(frequency, way, other) for way in ways]
        rows = [self._make_row(level, frequency.total, column, ways, classes) for level in self.at]
        every = [{**way.facts(), **found.facts()} for way, found in zip(ways, classes, strict=True)]
        notes = _explain_flat(proposed, frequency.values)
        return self._facts([column], beside, frequency.total, rows, notes) | {"widths": every}

    def together(
        self, table: Table, columns: Sequence[str], builders: Mapping[str, Builder]
    ) -> dict[str, Any]:
        """The table of a quasi-identifier: the release that loses least at each level."""
        frequency = count_rows(table, columns).frequency
        values = frequency.values
        rest = {name: propose(name, values[name]) for name in columns if name not in builders}
        wide = {name: make_nested(one.builder, values[name]) for name, one in rest.items()}
        chosen = [{**builders, **wide}[name] for name in columns]
        rows = [self._find_best_node(level, frequency, chosen) for level in self.at]
        notes = _explain_flat(rest, values)
        return self._facts(columns, (), frequency.total, rows, notes) | {"widths": None}

    def _facts(
        self,
        columns: Sequence[str],
        beside: Sequence[str],
        rows: int,
        levels: list[dict[str, Any]],
        notes: list[str],
    ) -> dict[str, Any]:
        return {
            "columns": list(columns),
            "with": list(beside),
            "rows": rows,
            "most_dropped": self.most_dropped,
            "levels": levels,
            "notes": notes,
        }

    def _make_row(
        self,
        level: float,
        total: int,
        column: str,
        ways: Sequence[Width],
        classes: Sequence[Classes],
    ) -> dict[str, Any]:
        """One line of figure 38; without a width where none is wide enough."""
        anonymity = Anonymity(level, self.points)
        k = anonymity.find_k(total)
        for way, found in zip(ways, classes, strict=True):
            dropped = found.count_dropped(k)
            top = way is ways[-1] or not anonymity.most_general
            if top and dropped <= self.most_dropped * total:
                kept = replace(found, sizes=found.sizes[np.searchsorted(found.sizes, k) :])
                return _make_line(level, k, {column: way.facts()}, dropped, total, kept)
        return _make_line(level, k, None, total, total, None)

    def _find_best_node(
        self, level: float, frequency: FrequencyList, builders: Sequence[Builder]
    ) -> dict[str, Any]:
        """The same line for several columns: the best node of the lattice."""
        anonymity = Anonymity(level, self.points)
        k = anonymity.find_k(frequency.total)
        pairs = list(zip(frequency.columns, builders, strict=True))
        hierarchies = [one.build(name, frequency.values[name]) for name, one in pairs]
        tops = tuple(hierarchy.height for hierarchy in hierarchies)
        floor = tops if anonymity.most_general else None
        models = [KAnonymity(k)]
        problem = Problem(frequency, hierarchies, models, Loss(), self.most_dropped, floor=floor)
        try:
            solution = Optimal()(problem)
        except UnreachableError:
            return _make_line(level, k, None, frequency.total, frequency.total, None)
        found = {
            name: {"name": name_levels(one, height)[at], "size": measure_level(one, at)}
            for (name, one), at, height in zip(pairs, solution.node, tops, strict=True)
        }
        sizes = Classes(np.sort(solution.class_sizes))
        return _make_line(level, k, found, solution.suppressed, frequency.total, sizes)


def _explain_flat(
    proposed: Mapping[str, Proposal], values: Mapping[str, Sequence[str | None]]
) -> list[str]:
    """Why a column has no level between its values and one value for all, if it might have one."""
    return [
        f"{name} has no levels of its own: {one.reason}"
        for name, one in proposed.items()
        if isinstance(one.builder, Flat) and len(values[name]) > 2
    ]


def _make_line(
    level: float,
    k: int,
    found: Mapping[str, Any] | None,
    dropped: int,
    total: int,
    classes: Classes | None,
) -> dict[str, Any]:
    """One anonymity level as plain data; ``width`` is None where no width is enough."""
    return {
        "level": level,
        "k": k,
        "width": None if found is None else dict(found),
        "rows_dropped": dropped,
        "share_dropped": dropped / total,
        "average_class_size": None if classes is None else classes.facts()["average_class_size"],
    }


# What each level takes, as ``discreet levels`` shows it.


@dataclass(frozen=True, eq=False)
class Levels:
    """What each anonymity level costs in columns of a table; holds no value of the table."""

    name: str
    tables: tuple[dict[str, Any], ...]

    def __repr__(self) -> str:
        columns = dict.fromkeys(name for one in self.tables for name in one["columns"])
        levels = format_count(len(self.tables[0]["levels"]), "level")
        return f"Levels({format_count(len(columns), 'column')}, {levels})"

    def _repr_html_(self) -> str:
        rows = [
            (", ".join(one["columns"]), line["level"], line["k"], line["share_dropped"])
            for one in self.tables
            for line in one["levels"]
        ]
        return render_html_table(repr(self), ("columns", "level", "k", "share dropped"), rows)

    def facts(self) -> dict[str, Any]:
        """The levels as plain data, as ``discreet levels --json`` shows them."""
        return {
            "format": "discreet-levels/1",
            "file": self.name,
            "tables": deepcopy(list(self.tables)),
        }


def levels(
    table: Any,
    policy: Policy | Mapping[str, Any] | str | Path | None = None,
    *,
    quasi: Sequence[str] = (),
    with_: Sequence[str] = (),
    together: bool = False,
    at: Sequence[float] = LEVELS,
    most_dropped: float = MOST_DROPPED,
    hierarchy: Mapping[str, Builder | Mapping[str, Any]] | None = None,
) -> Levels:
    """Show what each anonymity level costs: k, the finest width of a column, and the rows it drops.

    Parameters
    ----------
    table
        A :class:`Table`, or anything that :func:`discreet.read` takes.
    policy, quasi
        A policy, whose hierarchies and map of levels are taken; the columns to make coarser, else
        those of the policy.
    with_
        Columns that are known too, and released as they are.
    together
        Take all columns as one quasi-identifier.
    at, most_dropped
        The levels, and the largest share of rows to leave out.
    hierarchy
        Hierarchies of columns, as a policy has them; they win over those of the policy.

    >>> import pyarrow as pa
    >>> levels(pa.table({"age": ["30", "31", "40", "41"] * 5}), quasi=["age"], at=[0.5])
    Levels(1 column, 1 level)

    Notes
    -----
    See :class:`LevelsOf`.
    """
    chosen = None if policy is None else settle_policy(policy, table)
    if chosen is not None and chosen.people is not None:
        what = "rows are counted here, and the policy counts people"
        fix = f"Use {argument('quasi')} instead, for a table with one row per person."
        raise ArgumentError("policy", what, fix)
    columns = choose_columns(chosen, quasi, with_, together)
    builders = _choose_builders(chosen, hierarchy or {}, columns)
    source = open_table(table, (*columns, *with_))
    if chosen is not None:
        source = clean_values(source, chosen)
    if chosen is not None and list_steps(chosen):  # a release is counted after the techniques
        source = apply_techniques(source, chosen)
    asked = _choose_levels(chosen, at, most_dropped)
    if together:
        found = [asked.together(source, columns, builders)]
    else:
        known = tuple(dict.fromkeys(with_))
        found = [asked.column(source, name, builders.get(name), known) for name in columns]
    return Levels(source.name, tuple(found))


def choose_columns(
    policy: Policy | None, quasi: Sequence[str], known: Sequence[str], together: bool
) -> list[str]:
    """The columns to make coarser, each once: those named, else the policy's."""
    found = list(dict.fromkeys(quasi or (policy.quasi if policy else ())))
    if not found:
        fix = f"Give {argument('quasi', 'COLUMN')}, or {argument('policy', 'FILE')}."
        raise ArgumentError("quasi", "no column is named", fix)
    if together and known:
        what = "all columns of a quasi-identifier are made coarser"
        raise ArgumentError(("together", "with_"), what, f"Name them all with {argument('quasi')}.")
    both = [name for name in known if name in found]
    if both:
        what = f"'{both[0]}' is named as a column to make coarser and as one that is not"
        raise ArgumentError(("quasi", "with_"), what, "Name it once.")
    return found


def _choose_builders(
    policy: Policy | None,
    given: Mapping[str, Builder | Mapping[str, Any]],
    columns: Sequence[str],
) -> dict[str, Builder]:
    """The hierarchies of the policy, and those that were given, which win."""
    there = {} if policy is None else policy.columns
    own = {name: there[name].hierarchy for name in columns if name in there}
    found = {name: one for name, one in own.items() if one and not isinstance(one, Auto)}
    for name, one in given.items():
        if name not in columns:
            what = f"'{name}' is not one of the columns to make coarser"
            raise ArgumentError("hierarchy", what, did_you_mean(name, columns))
        found[name] = make_builder(dict(one)) if isinstance(one, Mapping) else one
    return found


def _choose_levels(policy: Policy | None, at: Sequence[float], most_dropped: float) -> LevelsOf:
    """The levels and the limit, with the map of the policy."""
    if not 0 <= most_dropped < 1:
        what, fix = "this is not a share of rows", "Give a number from 0 and below 1."
        raise ArgumentError("most_dropped", what, fix, f"{most_dropped:g}")
    for level in at:
        if not 0 <= level <= 1:
            fix = f"Give numbers from 0 to 1, such as {argument('at', '0.3,0.7')}."
            raise ArgumentError("at", f"{level:g} is not an anonymity level", fix)
    points = policy.anonymity.points if policy and policy.anonymity else ()
    return LevelsOf(points, tuple(sorted(set(at))), most_dropped)
