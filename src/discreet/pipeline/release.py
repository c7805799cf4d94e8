"""A release: what leaves the house, with the proof of what it promises."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.algorithms.cell_recoding import moved
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Solution, cell_solution
from discreet.display import dataclass, plural
from discreet.errors import InternalError, ReleaseError, argument
from discreet.frequency.class_counter import ClassCounter
from discreet.frequency.classes import Ints, add_up
from discreet.frequency.count import Counted
from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy.hierarchy import SUPPRESSED, Hierarchy
from discreet.hierarchy.lattice import Lattice
from discreet.models.verdict import Verdict, count_promises, render_verdicts
from discreet.pipeline.part import Part
from discreet.pipeline.recode import ColumnRecoding, Recoder, Recoding, RowsByCell
from discreet.pipeline.statements import (
    IdentifyingColumn,
    SeveralRows,
    UniqueRows,
    count_columns,
    count_people_by_class,
    describe_released_columns,
    find_identifying_columns,
    find_repeated_key,
)
from discreet.pipeline.verify import verify
from discreet.pipeline.written import choose_order_key, make_polars_frame, reopen_written
from discreet.policy.at_level import note_level
from discreet.policy.changed_table import Applied, ChangedTable
from discreet.policy.policy import Policy
from discreet.table.formulas import FormulaCounter, Formulas
from discreet.table.read import TEXT, kind
from discreet.table.table import Table

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from discreet.table.atomic import Journal


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
        return _cells_with_stars(problem, solution)
    partly = (solution.dropped > 0) & (solution.dropped < solution.groups.rows)
    if not solution.suppressed or (partly.any() and solution.groups.entries):
        return None
    counter = _release_counter(problem, solution)
    everything = np.ones(len(counter.base), dtype=np.bool_)
    verdicts = problem.requirement.verdicts(counter, counter.base, everything)
    if not all(verdict.holds for verdict in verdicts):
        return None
    return Starred(counter.base.rows, verdicts)


def _cells_with_stars(problem: Problem, solution: CellSolution) -> Starred | None:
    if not solution.suppressed:
        return None
    recoding = solution.recoding.starred()
    released = cell_solution(problem, solution.algorithm, recoding, solution.search)
    return Starred(released.class_sizes, released.verdicts) if released.holds else None


def _release_counter(problem: Problem, solution: Solution) -> ClassCounter:
    """The classes that would be released, counted as a table of their own."""
    levels = zip(problem.lattice.hierarchies, solution.node, strict=True)
    hierarchies = tuple(_as_ground(hierarchy, level) for hierarchy, level in levels)
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
        name: moved(e, owner, len(problem.counter.references[name].counts))
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


def _as_ground(hierarchy: Hierarchy, level: int) -> Hierarchy:
    """The values of one level, and ``*``, with nothing above them."""
    labels = hierarchy.labels[level]
    labels = labels if SUPPRESSED in labels else (*labels, SUPPRESSED)
    codes = np.arange(len(labels), dtype=np.int32)
    ones = np.ones(len(labels), dtype=np.int64)
    return Hierarchy(hierarchy.column, (codes,), (labels,), (ones,), len(labels))


@dataclass(frozen=True, eq=False)
class Release:
    """The least damaging version of a table that keeps a policy, ready to be written.

    Nothing is handed out before a second, independent count has confirmed the promises. A release
    that does not keep them, which only the historic variants of mu-Argus make, is handed out only
    to a caller who says ``unprotected=True``.
    """

    table: Table
    policy: Policy
    counted: Counted
    problem: Problem
    solution: Solution | CellSolution
    seconds: float
    notes: tuple[str, ...] = ()
    part: Part | None = None
    private: Table | None = None
    starred: Starred | None = field(init=False)
    formulas: Formulas | None = field(init=False, default=None)
    """What the last text file that was written holds that a spreadsheet program would run."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "notes", (*note_level(self.policy), *self.notes))
        keep = self.policy.suppressed_rows == "keep"
        starred = keep_suppressed_rows(self.problem, self.solution) if keep else None
        object.__setattr__(self, "starred", starred)
        if keep and self.solution.suppressed and starred is None:
            note = "the suppressed rows are left out: as rows of * they would break the policy"
            object.__setattr__(self, "notes", (*self.notes, note))

    def __repr__(self) -> str:
        columns = plural(len(self.policy.released), "column")
        promises = count_promises(self.verdicts)
        return f"{type(self).__name__}({plural(self.rows, 'row')}, {columns}, {promises})"

    def _repr_html_(self) -> str:
        return render_verdicts(repr(self), self.verdicts)

    @property
    def stars(self) -> bool:
        """Whether suppressed rows are released as rows of ``*``."""
        return self.starred is not None

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every promise, measured on what is released."""
        return self.solution.verdicts if self.starred is None else self.starred.verdicts

    @property
    def levels(self) -> Mapping[str, int | None]:
        """The level at which each quasi column is released; None where its cells differ."""
        return dict(zip(self.counted.frequency.columns, self.solution.levels, strict=True))

    @property
    def holds(self) -> bool:
        """Whether every promise of the policy is kept."""
        return all(verdict.holds for verdict in self.verdicts)

    @property
    def rows(self) -> int:
        """Number of rows released."""
        total = self.counted.frequency.total
        return total if self.stars else total - self.solution.suppressed

    def facts(self) -> dict[str, Any]:
        """Everything there is to know about the release, without a row of it, as plain data."""
        solution, sizes = self.solution, self._sizes
        heights = {h.column: h.height for h in self.problem.lattice.hierarchies}
        people = self.several_rows
        return {
            "algorithm": solution.algorithm,
            "measure": self.problem.measure.name,
            "levels": dict(self.levels),
            "heights": heights,
            "released_as": describe_released_columns(self.policy, self.levels, heights),
            "rows": self.counted.frequency.total,
            "rows_released": self.rows,
            "rows_suppressed": solution.suppressed,
            "cells_suppressed": solution.cells_suppressed,
            "classes": len(sizes),
            "smallest_class": int(sizes.min()) if len(sizes) else None,
            "anonymity": None if self.policy.anonymity is None else self.policy.anonymity.facts(),
            "profile": self.policy.recipient.facts(),
            "choice": self.policy.choice,
            "part": None if self.part is None else self.part.spec(),
            "replaced": {
                name: column.replace.told
                for name, column in self.policy.columns.items()
                if column.replace is not None
            },
            "techniques": [one.facts() for one in self._applied],
            "missing": self.policy.missing,
            "measures": dict(solution.measures),
            "verdicts": [verdict.facts() for verdict in self.verdicts],
            "unique_rows": self.unique_rows.facts(),
            "several_rows_per_person": None if people is None else people.facts(),
            "identifying_columns": [one.facts() for one in self.identifying_columns],
            "optimal": {
                "proven": solution.search.proven,
                "bound": solution.search.bound,
                "gap": self._gap(),
                "nodes": solution.search.nodes,
                "nodes_checked": solution.search.nodes_checked,
            },
            "formulas": None if self.formulas is None else self.formulas.facts(),
            "notes": [
                *self.table.notices,
                *solution.notes,
                *self.notes,
                *(() if self.formulas is None else self.formulas.notes),
            ],
            "seconds": self.seconds,
        }

    @property
    def _sizes(self) -> npt.NDArray[np.int64]:
        """The rows of each released class."""
        return self.solution.class_sizes if self.starred is None else self.starred.class_sizes

    @property
    def unique_rows(self) -> UniqueRows:
        """Released rows that are alone on all quasi columns, whatever is promised."""
        return UniqueRows.of(self.policy, self._sizes)

    @cached_property
    def several_rows(self) -> SeveralRows | None:
        """A column that looks like a person's key and repeats, with the people of each class."""
        if self.private is None:
            return None
        found = find_repeated_key(self.policy, self.private, self._value_counts[0])
        if found is None:
            return None
        return count_people_by_class(
            found, self.private, self.table, self.counted, self._recoding()
        )

    @cached_property
    def identifying_columns(self) -> tuple[IdentifyingColumn, ...]:
        """Released columns, other than quasi columns, with a unique value in many rows."""
        return find_identifying_columns(self.policy, self.table, self._value_counts[1])

    @cached_property
    def _value_counts(self) -> Any:
        """The values of what may tell people or rows apart, counted together."""
        private = self.table if self.private is None else self.private
        return count_columns(self.policy, private, self.table, self.counted)

    @property
    def _applied(self) -> tuple[Applied, ...]:
        return self.table.applied if isinstance(self.table, ChangedTable) else ()

    def _gap(self) -> float | None:
        """How far the policy's measure is from the best that is not ruled out."""
        bound = self.solution.search.bound
        if bound is None:
            return None
        return abs(self.solution.measures[self.problem.measure.name] - bound)

    def write(self, path: str | Path, unprotected: bool = False, replace: bool = True) -> None:
        """Write the release whole and verified, or not at all; the ending says the kind of file.

        With ``replace`` off a file that is there, or appears meanwhile, stays as it is.
        """
        from discreet.table.write import write

        self._refuse_unprotected(unprotected)
        is_text, counter = kind(Path(path)) in TEXT, FormulaCounter()
        with self._recoder().reader() as rows:
            write(
                counter.watch(rows) if is_text else rows,
                Path(path),
                dialect=self.table.dialect,
                order_key=choose_order_key(self.policy),
                check=self._check,
                replace=replace,
                journal=self._journal,
            )
        object.__setattr__(self, "formulas", counter.found if is_text else None)

    @property
    def _journal(self) -> Journal | None:
        """What remembers that the release is out."""
        return None

    def to_arrow(self, unprotected: bool = False) -> pa.Table:
        """The release as an Arrow table, verified."""
        from discreet.table.write import gather_rows

        self._refuse_unprotected(unprotected)
        with self._recoder().reader() as rows:
            released = gather_rows(rows, choose_order_key(self.policy))
        self._check(released)
        return released

    def to_pandas(self) -> pd.DataFrame:
        """The release as a pandas frame, verified."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """The release as a polars frame, verified."""
        return make_polars_frame(self.to_arrow())

    def _refuse_unprotected(self, unprotected: bool) -> None:
        if not self.holds and not unprotected:
            failing = [(v.model, v.rows_at_risk) for v in self.verdicts if not v.holds]
            named = ", ".join(f"{name} fails for {count:,} rows" for name, count in failing)
            raise ReleaseError(
                f"the release that {self.solution.algorithm} made does not keep the policy",
                named,
                "Nothing was written. Choose another algorithm or variant, or override with "
                f"{argument('unprotected')}.",
            )

    def _recoder(self) -> Recoder:
        return Recoder(self.table, self.policy.released, self.counted, self._recoding())

    def _recoding(self) -> Recoding:
        random = self._random()
        if isinstance(self.solution, CellSolution):
            cells = self.solution.recoding
            return RowsByCell(self.problem, cells.starred() if self.stars else cells, random)
        return ColumnRecoding(self.problem, self.solution, self.stars, random)

    def _random(self) -> np.random.Generator:
        """Seeded by the policy, else by the operating system, and then always alike.

        What was attacked and counted is what is written: rows dealt anew would be another release.
        """
        return np.random.default_rng(self._seed)

    @cached_property
    def _seed(self) -> int:
        return secrets.randbits(128) if self.policy.seed is None else self.policy.seed

    def _check(self, written: Path | pa.Table) -> None:
        """Count what was written anew and compare with what was promised."""
        if isinstance(written, Path):
            written = reopen_written(written, self.table.dialect)
        found = verify(written, self.policy, original=self.table)
        expected = [verdict.model for verdict in self.verdicts if not verdict.holds]
        broken = [v.model for v in found.verdicts if not v.holds and v.model not in expected]
        if broken:
            raise InternalError(f"the finished release does not keep {', '.join(broken)}")
        if found.rows != self.rows:
            raise InternalError(f"the finished release has {found.rows} rows, not {self.rows}")
