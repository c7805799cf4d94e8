"""Policies that are tried on one table: counted once where that is possible, and measured alike."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from discreet.algorithms.claims import require_claimed
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Solution
from discreet.display import dataclass
from discreet.frequency.compiled import read_compile_seconds
from discreet.hierarchy.hierarchy import SUPPRESSED, Hierarchy
from discreet.measures import Granularity
from discreet.measures.column_cost import normalize_shares
from discreet.models import RegisterModel, SafeHarbor
from discreet.pipeline.anonymize import Release
from discreet.pipeline.auto_hierarchies import find_least_named, list_auto, write_hierarchies
from discreet.pipeline.people.people import People, PeopleAnswer
from discreet.pipeline.plan import list_promised_columns
from discreet.pipeline.prepare import Prepared, prepare
from discreet.pipeline.progress import Progress
from discreet.pipeline.rows import Rows
from discreet.pipeline.search import require_enough_rows, run_algorithm
from discreet.pipeline.stages import Unit
from discreet.policy.anonymity_level import fill_in_k
from discreet.policy.policy import Policy

# What a release keeps, column by column.


NOTHING_LEFT = 1e-9
"""A column with less granularity than this says nothing at all."""


@dataclass(frozen=True)
class ColumnKept:
    """What is left of one quasi column.

    ``rows_kept`` are the rows of the table whose value is released as something else than ``*``;
    ``granularity`` is 1 for values as found and 0 for nothing, a suppressed row counting as 0.
    """

    column: str
    level: int | None
    rows_kept: int
    share: float
    granularity: float

    @property
    def is_lost(self) -> bool:
        """Whether no row says anything here."""
        return self.granularity < NOTHING_LEFT

    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "column": self.column,
            "level": self.level,
            "rows_kept": self.rows_kept,
            "share": self.share,
            "granularity": self.granularity,
        }


@dataclass(frozen=True)
class Kept:
    """The figures of a release that advice compares: what is left, and whether promises hold."""

    rows: int
    rows_released: int
    rows_suppressed: int
    cells_kept: int
    measures: Mapping[str, float]
    holds: bool
    proven: bool
    columns: tuple[ColumnKept, ...]

    @property
    def granularity(self) -> float:
        """How much detail is left of all quasi columns, from 0 to 1."""
        return self.measures["granularity"]

    @property
    def rows_left_out(self) -> int:
        """The rows that say nothing: suppressed ones, and those beyond a cap on each person."""
        return max(self.rows_suppressed, self.rows - self.rows_released)

    @property
    def lost(self) -> tuple[str, ...]:
        """The quasi columns of which nothing is left."""
        return tuple(one.column for one in self.columns if one.is_lost)

    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "rows": self.rows,
            "rows_released": self.rows_released,
            "rows_suppressed": self.rows_suppressed,
            "rows_left_out": self.rows_left_out,
            "cells": self.rows * len(self.columns),
            "cells_kept": self.cells_kept,
            "loss": self.measures["loss"],
            "granularity": self.granularity,
            "holds": self.holds,
            "proven": self.proven,
            "columns": [one.facts() for one in self.columns],
        }


def measure_kept(release: Release) -> Kept:
    """What a release keeps; no row is read again."""
    solution, answer = release.solution, release.answer
    if isinstance(answer, PeopleAnswer):
        rows, suppressed = len(answer.counted.rows[0]), answer.rows_suppressed(0)
        shown = answer.rows
    else:
        rows, suppressed = answer.counted.total, solution.suppressed
        shown = rows - suppressed  # those that are kept as rows of * show nothing
    kept = _count_kept_rows(release, shown)
    left = measure_granularity_by_column(release.problem, solution)
    levels = release.levels
    columns = tuple(
        ColumnKept(name, levels[name], int(number), number / rows if rows else 0.0, float(one))
        for name, number, one in zip(levels, kept, left, strict=True)
    )
    return Kept(
        rows,
        answer.rows,
        suppressed,
        int(sum(kept)),
        solution.measures,
        release.holds,
        solution.search.proven,
        columns,
    )


def measure_granularity_by_column(
    problem: Problem, solution: Solution | CellSolution
) -> list[float]:
    """The granularity of each quasi column, of which that of the release is the weighted mean."""
    cost = Granularity().on(problem.table)
    if isinstance(solution, CellSolution):
        node, risen = problem.lattice.bottom, solution.recoding.price_cells(problem, cost)
    else:
        node = solution.node
        risen = problem.price_suppressed(solution.groups, solution.dropped, cost)
    leaves = np.array([h.leaf_count for h in problem.lattice.hierarchies], dtype=np.float64)
    found: list[float] = (1.0 - normalize_shares(cost.means(node, risen), leaves)).tolist()
    return found


def _count_kept_rows(release: Release, shown: int) -> list[int]:
    """The rows of each column that are released as something else than ``*``."""
    problem, solution = release.problem, release.solution
    if isinstance(solution, CellSolution):
        recoding = solution.recoding
        return [
            int(recoding.rows[recoding.kept & ~values.suppressed[codes]].sum())
            for values, codes in zip(recoding.values, recoding.codes, strict=True)
        ]
    return [
        0 if _is_star(hierarchy, level) else shown
        for hierarchy, level in zip(problem.lattice.hierarchies, solution.node, strict=True)
    ]


def _is_star(hierarchy: Hierarchy, level: int) -> bool:
    return level == hierarchy.height > 0 and hierarchy.labels[level] == (SUPPRESSED,)


# Trying one policy after another.


def read_search_clock() -> float:
    """Seconds of computing, but for compiling, which only the first use after installing does."""
    return time.process_time() - read_compile_seconds()


class OutOfTimeError(Exception):
    """A try took longer than it may; it is told as not tried."""


class Trials:
    """A table on which policies are tried as :func:`discreet.anonymize` would run them.

    Rows are counted once for all policies that look at the same columns; hierarchies, promises and
    the search are those of each policy.

    Notes
    -----
    *Cost*: one pass over the rows for each set of quasi and sensitive columns, and one search a
    policy. Frequency lists are kept for the first policy and the last other one.
    """

    def __init__(self, table: Any, progress: Progress | None = None) -> None:
        self.table = table
        self.progress = progress
        self._first: _Counted | None = None
        self._other: _Counted | None = None
        self._learnt: dict[tuple[Any, ...], dict[str, Any]] = {}

    @classmethod
    def of_release(cls, release: Release, progress: Progress | None = None) -> Trials:
        """Go on with what was counted for a release."""
        found = cls(release.private, progress)
        found._first = _Counted(release.source, release.counted, release.policy)
        return found

    def run(self, policy: Policy, seconds: float = math.inf) -> Release:
        """The release of a policy; raises :class:`OutOfTimeError` when the time is over.

        ``seconds`` are of computing, so that what is tried does not depend on what else runs.
        """
        started = time.perf_counter()
        deadline = read_search_clock() + seconds

        def hear(step: str, share: float | None = None) -> None:
            if read_search_clock() > deadline:
                raise OutOfTimeError
            if self.progress is not None:
                self.progress(step, share)

        policy = policy.for_recipient()
        require_claimed(policy.algorithm, policy.require)
        unit: Unit = Rows() if policy.people is None else People.of(policy)
        source, counted = self._count(unit, policy, hear)
        policy = fill_in_k(policy, counted.total, source.table.name)
        policy = self._settle(unit, policy, counted)
        problem = unit.plan(policy, counted)
        solution = run_algorithm(problem, policy, hear)
        answer = unit.answer(source, policy, counted, problem, solution)
        return Release(source, policy, answer, time.perf_counter() - started, source.notes)

    @property
    def name(self) -> str:
        """The name of the table."""
        if self._first is not None:
            return self._first.source.private.name
        return str(getattr(self.table, "name", "the table"))

    def list_values(self) -> tuple[dict[str, Sequence[str | None]], int | None]:
        """The different values of the quasi columns and the number of rows, once counted."""
        if self._first is None:
            return {}, None
        counted = self._first.counted
        if self._first.policy.people is None:
            frequency = counted.frequency
            return {name: frequency.values[name] for name in frequency.columns}, counted.total
        rows = counted.rows[0]
        pairs = zip(rows.quasi, rows.dictionaries, strict=True)
        return {name: one.values for name, one in pairs}, None

    def _settle(self, unit: Unit, policy: Policy, counted: Any) -> Policy:
        """The policy with hierarchies that the data decides; learnt once for the same columns."""
        open_columns = list_auto(policy)
        if not open_columns:
            return policy
        key = (id(counted), policy.quasi, open_columns, find_least_named(policy))
        if key not in self._learnt:
            settled = unit.settle(policy, counted).columns
            self._learnt[key] = {name: settled[name].hierarchy for name in open_columns}
        return write_hierarchies(policy, self._learnt[key])

    def _count(self, unit: Unit, policy: Policy, progress: Progress) -> tuple[Prepared, Any]:
        """What is counted for a policy, anew only where an earlier count does not fit."""
        for known in (self._first, self._other):
            if known is not None and known.fits(policy):
                require_enough_rows(policy, known.counted.total, known.source.table.name)
                return known.for_policy(policy)
        source = prepare(self.table, policy, progress=progress)
        counted = unit.count(source, progress)
        found = _Counted(source, counted, policy)
        if self._first is None:
            self._first = found
        else:
            self._other = found
            self._learnt.clear()  # what is counted later may get the same id
        return source, counted


@dataclass(frozen=True, eq=False)
class _Counted:
    """A counted table, and the policy that it was counted for."""

    source: Prepared
    counted: Any
    policy: Policy

    def fits(self, policy: Policy) -> bool:
        """Whether counting for this policy would come to the same."""
        return _list_counted_keys(self.policy) == _list_counted_keys(policy)

    def for_policy(self, policy: Policy) -> tuple[Prepared, Any]:
        """The same table and counts, for another policy."""
        source = Prepared(
            self.source.table, policy, self.source.private, self.source.whole, None, ()
        )
        return source, self.counted


SEARCHED = ("hierarchy", "weight")
"""What a column says that is looked at after counting."""


def _list_counted_keys(policy: Policy) -> tuple[Any, ...]:
    """All that a policy says about preparing and counting its table."""
    columns = {
        name: [getattr(one, key) for key in type(one).model_fields if key not in SEARCHED]
        for name, one in policy.columns.items()
    }
    # Both look at hierarchies when a table is prepared or counted.
    checked = [one for one in policy.require if isinstance(one, RegisterModel | SafeHarbor)]
    hierarchies = [one.hierarchy for one in policy.columns.values()] if checked else []
    return (
        columns,
        tuple(columns),
        list_promised_columns(policy),
        policy.techniques,
        policy.people,
        policy.row_weight,
        policy.formulas,
        policy.missing,
        policy.seed,
        checked,
        hierarchies,
    )
