"""From a table and a policy to a release, stage by stage.

``anonymize`` prepares, counts, plans and searches; ``Release.write`` recodes, writes, verifies and
publishes. Two objects carry what differs: the unit that is counted (rows, or people) and the
history of what is already out (nothing, or what a ledger remembers).
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import pyarrow as pa

from discreet.algorithms.claims import require_claimed
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Solution
from discreet.display import dataclass, format_count, safe_repr
from discreet.engines.release import is_table_name, rehearse_release, write_release
from discreet.engines.table import find_engine_source
from discreet.errors import InternalError, ReleaseError, SourceError, WriteError, argument
from discreet.hierarchy.ranges import OddValues
from discreet.models.verdict import Verdict, count_promises, render_verdicts
from discreet.pipeline.part import Part, hide_counts
from discreet.pipeline.people.people import People
from discreet.pipeline.plan import find_odd_values, list_promised_columns
from discreet.pipeline.prepare import Prepared, prepare
from discreet.pipeline.progress import Progress, watch_rows, watch_table
from discreet.pipeline.rows import RowAnswer, Rows
from discreet.pipeline.search import run_algorithm
from discreet.pipeline.statements import describe_released_columns
from discreet.pipeline.timings import Timings
from discreet.pipeline.verify import check_promises
from discreet.policy.anonymity_level import fill_in_k, note_level
from discreet.policy.changed_table import list_applied
from discreet.policy.policy import Policy, settle_policy
from discreet.table.cleaning import Cleaned, count_cleaned
from discreet.table.files.text import Dialect
from discreet.table.formulas import FormulaCounter, Formulas
from discreet.table.read import TEXT, find_ending, read
from discreet.table.table import Table
from discreet.table.write import gather_rows, write

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from discreet.pipeline.people.people import PeopleAnswer
    from discreet.pipeline.statements import IdentifyingColumn, SeveralRows, UniqueRows


def anonymize(
    table: Any,
    policy: Policy | Mapping[str, Any] | str | Path,
    *,
    history: History | None = None,
    part: Part | None = None,
    progress: Progress | None = None,
) -> Release:
    """Find the least damaging release of a table that keeps every promise of a policy.

    Parameters
    ----------
    table
        A :class:`Table`, or anything that :func:`discreet.read` takes.
    policy
        What leaves the house, and under which promises: a Policy, a dict or a policy file. With
        ``people`` the promises are about people, who may have many rows.
    history
        What is already out, if a ledger remembers it; see :func:`discreet.anonymize_again`.
    part
        The rows and columns that were asked for; all that the policy releases without one.
    progress
        Called with what is done and the share of it, such as ``("counting, 5,000 rows", None)``.
        What it raises ends the run.

    Notes
    -----
    *Cost*: one pass over the rows here and one when the release is written; between them all work
    is on the frequency list.
    """
    started = time.perf_counter()
    policy = settle_policy(policy, table).for_recipient()
    require_claimed(policy.algorithm, policy.require)
    unit: Unit = Rows() if policy.people is None else People.of(policy)
    out = (history or NothingOut()).recall(policy)

    timings = Timings()
    with timings.watch("prepare"):
        source = prepare(table, policy, part, progress)
    with hide_counts(part, source.policy):
        with timings.watch("count"):
            counted = unit.count(source, progress)
        with timings.watch("plan"):
            policy = fill_in_k(source.policy, counted.total, source.table.name)
            policy = unit.settle(policy, counted)
            problem = unit.plan(policy, counted)
        with timings.watch("search"):
            found = out.search(source, policy, counted, problem, progress)

    answer = unit.answer(source, policy, counted, found.problem, found.solution)
    seconds, notes = time.perf_counter() - started, (*source.notes, *found.notes)
    return Release(source, policy, answer, seconds, notes, found.record, timings)


class Unit(Protocol):
    """What is counted, and so what the promises are about: rows, or people."""

    def count(self, source: Prepared, progress: Progress | None = None) -> Any:
        """One pass over the rows; what was counted has a ``total``."""

    def settle(self, policy: Policy, counted: Any) -> Policy:
        """The policy with hierarchies for the columns that leave them to the data."""

    def plan(self, policy: Policy, counted: Any) -> Problem:
        """The problem that an algorithm solves: hierarchies, models, measure, constraints."""

    def answer(
        self,
        source: Prepared,
        policy: Policy,
        counted: Any,
        problem: Any,
        solution: Solution | CellSolution,
    ) -> RowAnswer | PeopleAnswer:
        """What the solution releases: verdicts, facts, and the second pass over the rows."""


class History(Protocol):
    """What is already out of a table."""

    def recall(self, policy: Policy) -> Recalled:
        """What the recipients of a new release hold; refuses a policy that cannot go with it."""


class Recalled(Protocol):
    """What the recipients of a new release hold already, and what that demands of it."""

    def search(
        self,
        source: Prepared,
        policy: Policy,
        counted: Any,
        problem: Problem,
        progress: Progress | None,
    ) -> Found:
        """The best release that keeps the promises together with what is out."""


class Record(Protocol):
    """Remembers a release: entered before its file takes its name, and confirmed after."""

    @property
    def known(self) -> tuple[int, ...]:
        """The numbers of the earlier releases that its recipients hold."""

    def begin(self) -> None:
        """The release is about to be written, maybe once more."""

    def draft(self, name: str, hidden: Path | None) -> None:
        """Take down what was written and verified, and is to appear under this name.

        A table of a database has no ``hidden`` file.
        """

    def facts(self) -> dict[str, Any]:
        """Where the release is remembered, as plain data."""

    def enter(self) -> None:
        """Remember it, on disk: from the next moment on it may be out."""

    def withdraw(self) -> None:
        """It is certain that it is not out."""

    def confirm(self) -> None:
        """It is certain that it is out."""


@safe_repr
class Found(NamedTuple):
    """The problem that was solved, its solution, and what there is to say and remember of it."""

    problem: Problem
    solution: Solution | CellSolution
    notes: tuple[str, ...] = ()
    record: Record | None = None


class NothingOut:
    """No earlier release is known, and this one is not remembered."""

    def recall(self, policy: Policy) -> NothingOut:
        """Any policy goes with nothing."""
        return self

    def search(
        self,
        source: Prepared,
        policy: Policy,
        counted: Any,
        problem: Problem,
        progress: Progress | None,
    ) -> Found:
        """What the policy's algorithm finds."""
        return Found(problem, run_algorithm(problem, policy, progress))


@dataclass(frozen=True, eq=False)
class Release:
    """The least damaging version of a table that keeps a policy, ready to be written.

    Nothing is handed out before a second, independent count has confirmed the promises. A release
    that does not keep them, which only the historic variants of mu-Argus make, is handed out only
    to a caller who says ``unprotected=True``. Where people are counted, every row has the pseudonym
    of its person. Where a ledger has a ``record``, only :meth:`write` makes an entry: what
    :meth:`to_arrow` and the like hand out must not leave the house.
    """

    source: Prepared
    policy: Policy
    answer: RowAnswer | PeopleAnswer
    seconds: float
    notes: tuple[str, ...] = ()
    record: Record | None = None
    timings: Timings = field(default_factory=Timings)
    formulas: Formulas | None = field(init=False, default=None)
    """What the last text file that was written holds that a spreadsheet program would run."""

    def __post_init__(self) -> None:
        notes = (*note_level(self.policy), *self.notes, *self.answer.notes)
        object.__setattr__(self, "notes", notes)

    def write(
        self,
        path: str | Path,
        unprotected: bool = False,
        replace: bool | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Write the release whole and verified, or not at all; the ending says the kind of file.

        A name without an ending is a new folder of Parquet files. With ``replace`` off a file that
        is there, or appears meanwhile, stays as it is. Of a table in a database the release is a
        table there: ``path`` is its name, with or without a schema. A name with a slash, or a Path,
        is a file. A table is replaced only if ``replace`` says so.
        """
        self._refuse_unprotected(unprotected)
        if find_engine_source(self.table) is not None and is_table_name(path):
            self._write_table(str(path), bool(replace), progress)
            return
        self.problem.counter.forget_large()
        path = path if isinstance(path, Path) else Path(path)
        formulas = FormulaCounter()
        is_text = find_ending(path) in TEXT
        if self.record is not None:
            if not find_ending(path):
                what = "a ledger remembers a release by the hash of its file, and this is a folder"
                raise WriteError(path, what, "Name a file, such as release.parquet.")
            self.record.begin()

        def verify_hidden(hidden: Path) -> None:
            with self.timings.watch("verify"):
                self._check(reopen_written(hidden, self.table.dialect), progress)
            if self.record is not None:
                self.record.draft(path.name, hidden)

        with self.timings.watch("write"), self._build_recoder().open_reader() as recoded:
            timed = self.timings.watch_reader(recoded, "recode")
            rows = watch_rows(timed, "writing", self.rows, progress)
            write(  # into a hidden file, which takes its name when it is verified and entered
                formulas.watch(rows) if is_text else rows,
                path,
                dialect=self.table.dialect,
                order_key=choose_order_key(self.policy),
                check=verify_hidden,
                replace=replace is not False,
                journal=self.record,
            )
        object.__setattr__(self, "formulas", formulas.found if is_text else None)

    def _write_table(self, name: str, replace: bool, progress: Progress | None) -> None:
        """Recode and check where the rows are; the release takes its name there when it is kept."""
        if not isinstance(self.answer, RowAnswer):
            raise InternalError("people were counted where rows stay in a database")
        if progress is not None:
            progress("writing")
        order = choose_order_key(self.policy)
        if self.record is not None:
            self.record.begin()

        def verify_staged(staged: Table) -> None:
            with self.timings.watch("verify"):
                self._check(staged, progress)
            if self.record is not None:
                self.record.draft(name, None)

        with self.timings.watch("write"):
            write_release(
                self.table,
                self.policy.released,
                self.answer.build_engine_recoding(),
                name,
                replace=replace,
                key=order or self.answer.deal_key,
                scrambled=order is not None,
                check=verify_staged,
                journal=self.record,
            )

    def list_statements(self, name: str, replace: bool = False) -> tuple[str, ...]:
        """What would be run to write the release as a table of its database; nothing is written."""
        if not isinstance(self.answer, RowAnswer):
            raise InternalError("people were counted where rows stay in a database")
        scrambled = self.policy.order == "scramble"
        counted = [*self.policy.quasi, *list_promised_columns(self.policy)]
        recoding = self.answer.build_engine_recoding()
        return rehearse_release(
            self.table, counted, self.policy.released, recoding, name, replace, scrambled
        )

    def to_arrow(self, unprotected: bool = False, progress: Progress | None = None) -> pa.Table:
        """The release as an Arrow table, verified."""
        self._refuse_unprotected(unprotected)
        with self._build_recoder().open_reader() as recoded:
            rows = watch_rows(recoded, "writing", self.rows, progress)
            released = gather_rows(rows, choose_order_key(self.policy))
        self._check(released, progress)
        return released

    def to_pandas(self) -> pd.DataFrame:
        """The release as a pandas frame, verified."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """The release as a polars frame, verified."""
        import polars as pl

        frame = pl.from_arrow(self.to_arrow())
        assert isinstance(frame, pl.DataFrame)
        return frame

    def report(self, **given: Any) -> Any:
        """Report on the release, as :func:`discreet.report` does; ``given`` are its parameters.

        Reports attack releases and make them again, so their module knows this one.
        """
        return import_module("discreet.reporting.report").report(self, **given)

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

    def _build_recoder(self) -> Any:
        return self.answer.build_recoder()

    def _check(self, written: Table | pa.Table, progress: Progress | None = None) -> None:
        """Count what was written anew and compare with what was promised."""
        table = written if isinstance(written, Table) else read(written)
        watched = watch_table(table, "checking", self.rows, progress)
        found = check_promises(watched, self.policy, self.table)
        require_kept(found, self.verdicts)
        self.answer.require_counted(found)

    # What the release is like, without a row of it.

    def __repr__(self) -> str:
        people = "" if self.people is None else f"{self.people:,} people, "
        columns = format_count(len(self.policy.released), "column")
        promises = count_promises(self.verdicts)
        return f"Release({people}{format_count(self.rows, 'row')}, {columns}, {promises})"

    def _repr_html_(self) -> str:
        return render_verdicts(repr(self), self.verdicts)

    def facts(self) -> dict[str, Any]:
        """Everything there is to know about the release, without a row of it, as plain data."""
        formulas = self.formulas
        facts = {
            **list_facts(
                self.policy,
                self.answer,
                self.answer.people_columns,
                self.cleaned if self.part is None else None,
            ),
            **self.answer.facts(),
            "part": None if self.part is None else self.part.spec(),
            "techniques": [one.facts() for one in list_applied(self.table)],
            "identifying_columns": [one.facts() for one in self.identifying_columns],
            "formulas": None if formulas is None else formulas.facts(),
            "notes": [
                *self.table.notices,
                *self.solution.notes,
                *self.notes,
                *(one.note for one in self.cleaned if one.note),
                *self._note_odd_values(),
                *(() if formulas is None else formulas.notes),
            ],
            "seconds": self.seconds,
            "timings": self.timings.facts(),
        }
        told: dict[str, Sequence[Any]] = {"cleaned": self.cleaned, "odd_values": self.odd_values}
        facts |= {key: [one.facts() for one in found] for key, found in told.items() if found}
        return facts if self.record is None else {**facts, "ledger": self.record.facts()}

    @property
    def table(self) -> Table:
        """The private table as it is counted and recoded."""
        return self.source.table

    @cached_property
    def cleaned(self) -> tuple[Cleaned, ...]:
        """Cells that were read as something else: words for missing, codes that lost zeros.

        Of a part nothing is said: the numbers of the whole table are not for whoever asked for it.
        """
        return count_cleaned(self.source.whole) if self.part is None else ()

    @cached_property
    def odd_values(self) -> tuple[OddValues, ...]:
        """Values that do not fit the hierarchy of their column as the others do."""
        return find_odd_values(self.policy, self.problem) if self.part is None else ()

    def _note_odd_values(self) -> Iterator[str]:
        """What became of such values; at levels with the values as found, or one for all, no more.

        Where cells differ, some of them may be released as found or as ``*``.
        """
        heights = {one.column: one.height for one in self.problem.lattice.hierarchies}
        for one in self.odd_values:
            level = self.levels.get(one.column)
            if level is None:
                yield f"{one.note} (where their cells are generalized)"
            elif 0 < level < heights[one.column]:
                yield one.note

    @property
    def private(self) -> Table:
        """The private table, its values as the policy means them."""
        return self.source.private

    @property
    def part(self) -> Part | None:
        """What was asked for."""
        return self.source.part

    @property
    def counted(self) -> Any:
        """What was counted."""
        return self.answer.counted

    @property
    def problem(self) -> Problem:
        """What the algorithm was asked to solve."""
        return self.answer.problem

    @property
    def solution(self) -> Solution | CellSolution:
        """What the algorithm found."""
        return self.answer.solution

    @property
    def known(self) -> tuple[int, ...]:
        """The numbers of earlier releases that had a say in this one."""
        return () if self.record is None else self.record.known

    @property
    def stars(self) -> bool:
        """Whether suppressed rows are released as rows of ``*``."""
        return self.answer.starred is not None

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every promise, measured on what is released."""
        return self.answer.verdicts

    @property
    def levels(self) -> Mapping[str, int | None]:
        """The level at which each quasi column is released; None where its cells differ."""
        return self.answer.levels

    @property
    def holds(self) -> bool:
        """Whether every promise of the policy is kept."""
        return all(verdict.holds for verdict in self.verdicts)

    @property
    def rows(self) -> int:
        """Number of rows released."""
        return self.answer.rows

    @property
    def people(self) -> int | None:
        """Number of people released, where people are counted."""
        return self.answer.people

    @property
    def unique_rows(self) -> UniqueRows | None:
        """Released rows that are alone on all quasi columns, whatever is promised."""
        return self.answer.unique_rows

    @property
    def several_rows(self) -> SeveralRows | None:
        """A column that looks like a person's key and repeats, with the people of each class."""
        return self.answer.several_rows

    @property
    def identifying_columns(self) -> tuple[IdentifyingColumn, ...]:
        """Released columns, other than quasi columns, that are nearly a key of the rows."""
        return self.answer.identifying_columns


# What every release shares, of one table or of several.


def list_facts(
    policy: Policy,
    answer: RowAnswer | PeopleAnswer,
    people: Sequence[str] = (),
    cleaned: Sequence[Cleaned] | None = None,
) -> dict[str, Any]:
    """What was found, whatever was counted.

    ``people`` are columns that tell people apart, and ``cleaned`` the cells that were read as
    something else, where that may be told.
    """
    solution, sizes = answer.solution, answer.class_sizes
    search, measure = solution.search, answer.problem.measure.name
    heights = {one.column: one.height for one in answer.problem.lattice.hierarchies}
    bound = search.bound
    return {
        "algorithm": solution.algorithm,
        "measure": measure,
        "levels": dict(answer.levels),
        "heights": heights,
        "released_as": describe_released_columns(policy, answer.levels, heights, people, cleaned),
        "cells_suppressed": solution.cells_suppressed,
        "classes": len(sizes),
        "smallest_class": int(sizes.min()) if len(sizes) else None,
        "anonymity": None if policy.anonymity is None else policy.anonymity.facts(),
        "profile": policy.recipient.facts(),
        "choice": policy.choice,
        "replaced": {
            name: column.replace.told
            for name, column in policy.columns.items()
            if column.replace is not None
        },
        "missing": policy.missing.meaning,
        "measures": dict(solution.measures),
        "verdicts": [verdict.facts() for verdict in answer.verdicts],
        "optimal": {
            "proven": search.proven,
            "bound": bound,
            "gap": None if bound is None else abs(solution.measures[measure] - bound),
            "nodes": search.nodes,
            "nodes_checked": search.nodes_checked,
        },
    }


def require_kept(found: Any, promised: Sequence[Verdict] = ()) -> None:
    """Refuse a finished release that breaks a promise, unless it was known to break it."""
    expected = [verdict.model for verdict in promised if not verdict.holds]
    broken = [v.model for v in found.verdicts if not v.holds and v.model not in expected]
    if broken:
        raise InternalError(f"the finished release does not keep {', '.join(broken)}")


def choose_order_key(policy: Policy) -> bytes | None:
    """The key that scrambles the rows, from the seed or the operating system; None keeps them."""
    if policy.order == "keep":
        return None
    if policy.seed is None:
        return secrets.token_bytes(16)
    return hashlib.blake2b(str(policy.seed).encode(), digest_size=16).digest()


TABBED = (".tsv", ".tab")
"""Endings of files whose fields are separated by tabs, whatever the private table has."""


def reopen_written(path: Path, dialect: Dialect | None) -> Table:
    """The written file, read back in the dialect it was written in.

    That is UTF-8 where the encoding of the private table lacks a letter of the release.
    """
    ending = find_ending(path)
    if ending not in TEXT:
        return read(path, header=True)
    dialect = dialect or Dialect()
    separator = "\t" if ending in TABBED else dialect.separator
    quote = dialect.quote or '"'
    try:
        return read(path, separator=separator, quote=quote, encoding="utf-8", header=True)
    except SourceError:
        return read(path, separator=separator, quote=quote, encoding=dialect.encoding, header=True)
