"""Rows as the unit that is counted: promises are about rows, each taken for a person."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from discreet.algorithms.cell_recoding import sum_entries_by_class
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Solution, build_cell_solution
from discreet.display import dataclass
from discreet.engines.release import EngineRecoding
from discreet.errors import InternalError
from discreet.frequency.class_counter import ClassCounter
from discreet.frequency.classes import Ints, add_up
from discreet.frequency.count import Counted
from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy.hierarchy import SUPPRESSED, Hierarchy
from discreet.hierarchy.lattice import Lattice
from discreet.models.verdict import Verdict
from discreet.pipeline.auto_hierarchies import list_row_codes, settle_auto
from discreet.pipeline.engine_rows import build_engine_recoding
from discreet.pipeline.plan import plan_problem
from discreet.pipeline.prepare import Prepared
from discreet.pipeline.progress import Progress
from discreet.pipeline.recode import (
    ClassRows,
    ColumnRecoding,
    Recoder,
    Recoding,
    RowsByCell,
    can_repeat_classes,
)
from discreet.pipeline.search import count_for_policy
from discreet.pipeline.several_rows import SeveralRows, count_people_by_class, find_repeated_key
from discreet.pipeline.statements import (
    IdentifyingColumn,
    UniqueRows,
    count_columns,
    find_identifying_columns,
)
from discreet.pipeline.verify import Verification
from discreet.policy.policy import Policy

LEFT_OUT = "the suppressed rows are left out: as rows of * they would break the policy"


@dataclass(frozen=True)
class Rows:
    """Counts rows, plans for rows, and says which rows are released as what."""

    def count(self, source: Prepared, progress: Progress | None = None) -> Counted:
        """One pass over the rows: each different combination of values with its counts."""
        return count_for_policy(source.table, source.policy, progress)

    def settle(self, policy: Policy, counted: Counted) -> Policy:
        """The policy with hierarchies for the columns that leave them to the data."""
        return settle_auto(policy, list_row_codes(counted.frequency, policy.quasi))

    def plan(self, policy: Policy, counted: Counted) -> Problem:
        """The problem that an algorithm solves."""
        return plan_problem(policy, counted.frequency)

    def answer(
        self,
        source: Prepared,
        policy: Policy,
        counted: Counted,
        problem: Problem,
        solution: Solution | CellSolution,
    ) -> RowAnswer:
        """What the solution releases."""
        return RowAnswer(source, policy, counted, problem, solution)


@dataclass(frozen=True, eq=False)
class RowAnswer:
    """What was found for the rows of a table: which are released, and as what."""

    source: Prepared
    policy: Policy
    counted: Counted
    problem: Problem
    solution: Solution | CellSolution

    @cached_property
    def starred(self) -> Starred | None:
        """The release with suppressed rows as rows of ``*``, if they may be and are to be kept."""
        keep = self.policy.suppressed_rows == "keep"
        return keep_suppressed_rows(self.problem, self.solution) if keep else None

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every promise, measured on what is released."""
        return self.solution.verdicts if self.starred is None else self.starred.verdicts

    @property
    def levels(self) -> Mapping[str, int | None]:
        """The level at which each quasi column is released; None where its cells differ."""
        return dict(zip(self.counted.frequency.columns, self.solution.levels, strict=True))

    @property
    def class_sizes(self) -> Ints:
        """The rows of each released class."""
        return self.solution.class_sizes if self.starred is None else self.starred.class_sizes

    @property
    def rows(self) -> int:
        """Number of rows released."""
        return self.counted.total - (0 if self.starred is not None else self.solution.suppressed)

    @property
    def people(self) -> None:
        """Nothing is known of people."""
        return None

    @property
    def people_columns(self) -> tuple[str, ...]:
        """No column tells people apart."""
        return ()

    @property
    def unique_rows(self) -> UniqueRows:
        """Released rows that are alone on all quasi columns, whatever is promised."""
        return UniqueRows.of(self.policy, self.class_sizes)

    @cached_property
    def several_rows(self) -> SeveralRows | None:
        """A column that looks like a person's key and repeats, with the people of each class."""
        private, table = self.source.private, self.source.table
        found = find_repeated_key(self.policy, private, self._value_counts[0])
        if found is None:
            return None
        return count_people_by_class(found, private, table, self.counted, self._build_recoding())

    @cached_property
    def identifying_columns(self) -> tuple[IdentifyingColumn, ...]:
        """Released columns, other than quasi columns, that are nearly a key of the rows."""
        return find_identifying_columns(self.policy, self.source.table, self._value_counts[1])

    @cached_property
    def _value_counts(self) -> Any:
        """The values of what may tell people or rows apart, counted together."""
        return count_columns(self.policy, self.source.private, self.source.table, self.counted)

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say of suppressed rows."""
        keep = self.policy.suppressed_rows == "keep" and self.solution.suppressed
        return (LEFT_OUT,) if keep and self.starred is None else ()

    def facts(self) -> dict[str, Any]:
        """What was counted and released, as plain data."""
        people = self.several_rows
        return {
            "rows": self.counted.total,
            "rows_released": self.rows,
            "rows_suppressed": self.solution.suppressed,
            "unique_rows": self.unique_rows.facts(),
            "several_rows_per_person": None if people is None else people.facts(),
        }

    def build_recoder(self) -> Recoder | ClassRows:
        """The second pass over the rows, each as it is released; none if the counts say it all."""
        source, released, recoding = self.source.table, self.policy.released, self._build_recoding()
        if self.policy.order != "keep" and can_repeat_classes(source, released, recoding):
            return ClassRows(source, released, recoding)
        return Recoder(source, released, self.counted, recoding)

    def build_engine_recoding(self) -> EngineRecoding:
        """The same for rows that stay in a database."""
        return build_engine_recoding(self.problem, self.solution, self.starred is not None)

    @property
    def deal_key(self) -> bytes:
        """What decides by chance which rows of a class are suppressed, in a database."""
        return hashlib.blake2b(f"deal {self._seed}".encode(), digest_size=16).digest()

    def _build_recoding(self) -> Recoding:
        random, stars = np.random.default_rng(self._seed), self.starred is not None
        if isinstance(self.solution, CellSolution):
            cells = self.solution.recoding
            return RowsByCell(self.problem, cells.starred() if stars else cells, random)
        return ColumnRecoding(self.problem, self.solution, stars, random)

    @cached_property
    def _seed(self) -> int:
        """The policy's, else the operating system's, and then always the same.

        What was attacked and counted is what is written: rows dealt anew would be another release.
        """
        return secrets.randbits(128) if self.policy.seed is None else self.policy.seed

    def require_counted(self, found: Verification) -> None:
        """Refuse a finished release that has other rows than were counted."""
        if found.rows != self.rows:
            raise InternalError(f"the finished release has {found.rows} rows, not {self.rows}")


# Whether suppressed rows may stay in the release as rows of ``*``.


@dataclass(frozen=True, eq=False)
class Starred:
    """A release with suppressed rows as rows of ``*``: its class sizes, and what holds of it."""

    class_sizes: Ints
    verdicts: tuple[Verdict, ...]


def keep_suppressed_rows(problem: Problem, solution: Solution | CellSolution) -> Starred | None:
    """The release with suppressed rows as rows of ``*``, or None if that breaks a promise.

    The rows of ``*`` look alike, and like any class that is all ``*`` anyway. If they number fewer
    than k, or their sensitive values give too much away, they would be what breaks the policy. All
    promises are measured anew on the whole of what would be released.
    """
    if isinstance(solution, CellSolution):
        return _star_cells(problem, solution)
    partly = (solution.dropped > 0) & (solution.dropped < solution.groups.rows)
    if not solution.suppressed or (partly.any() and solution.groups.entries):
        return None
    counter = _count_released_classes(problem, solution)
    everything = np.ones(len(counter.base), dtype=np.bool_)
    verdicts = problem.requirement.list_verdicts(counter, counter.base, everything)
    if not all(verdict.holds for verdict in verdicts):
        return None
    return Starred(counter.base.rows, verdicts)


def _star_cells(problem: Problem, solution: CellSolution) -> Starred | None:
    if not solution.suppressed:
        return None
    recoding = solution.recoding.starred()
    released = build_cell_solution(problem, solution.algorithm, recoding, solution.search)
    return Starred(released.class_sizes, released.verdicts) if released.holds else None


def _count_released_classes(problem: Problem, solution: Solution) -> ClassCounter:
    """The classes that would be released, counted as a table of their own."""
    levels = zip(problem.lattice.hierarchies, solution.node, strict=True)
    hierarchies = tuple(_make_ground(hierarchy, level) for hierarchy, level in levels)
    stars = [hierarchy.labels[0].index(SUPPRESSED) for hierarchy in hierarchies]
    kept = np.nonzero(solution.kept > 0)[0]
    packing, keys = problem.counter.packing, solution.groups.keys
    codes = [packing.unpack(keys, column)[kept] for column in range(len(stars))]
    alike = np.all([c == s for c, s in zip(codes, stars, strict=True)], axis=0)
    rows = solution.kept[kept]
    place = int(alike.argmax()) if alike.any() else len(kept)
    if place == len(kept):
        codes = [np.append(c, np.int32(s)) for c, s in zip(codes, stars, strict=True)]
        rows = np.append(rows, 0)
    rows[place] += solution.suppressed
    owner = np.full(len(solution.groups), place, dtype=np.int32)
    owner[kept] = np.arange(len(kept), dtype=np.int32)
    entries = {
        name: sum_entries_by_class(e, owner, len(problem.counter.references[name].counts))
        for name, e in solution.groups.entries.items()
    }
    values = {h.column: h.labels[0] for h in hierarchies}
    columns = tuple(h.column for h in hierarchies)
    tallies = {
        name: add_up(owner, sums, len(rows))
        for name, sums in zip(problem.counter.tallied, solution.groups.tallies, strict=True)
    }
    frequency = FrequencyList(columns, tuple(codes), rows, values, entries, tallies)
    return ClassCounter(frequency, Lattice(hierarchies), problem.counter.references)


def _make_ground(hierarchy: Hierarchy, level: int) -> Hierarchy:
    """The values of one level, and ``*``, with nothing above them."""
    labels = hierarchy.labels[level]
    labels = labels if SUPPRESSED in labels else (*labels, SUPPRESSED)
    codes = np.arange(len(labels), dtype=np.int32)
    ones = np.ones(len(labels), dtype=np.int64)
    return Hierarchy(hierarchy.column, (codes,), (labels,), (ones,), len(labels))
