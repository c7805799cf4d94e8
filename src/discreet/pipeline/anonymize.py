"""From a table and a policy to a release, stage by stage.

``anonymize`` prepares, counts, plans and searches; ``Release.write`` recodes, writes, verifies and
publishes. Two objects carry what differs: the unit that is counted (rows, or people) and the
history of what is already out (nothing, or what a ledger remembers).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from discreet.algorithms.claims import require_claimed
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Solution
from discreet.display import dataclass, format_count
from discreet.engines.release import is_table_name, rehearse_release, write_release
from discreet.engines.table import find_engine_source
from discreet.errors import ArgumentError, InternalError, ReleaseError, WriteError, argument
from discreet.hierarchy.ranges import OddValues
from discreet.models.verdict import Verdict, count_promises, render_verdicts
from discreet.pipeline.every_release import (
    choose_order_key,
    list_facts,
    reopen_written,
    require_kept,
)
from discreet.pipeline.part import Part, hide_counts
from discreet.pipeline.people.people import People
from discreet.pipeline.plan import find_odd_values, list_promised_columns
from discreet.pipeline.prepare import Prepared, prepare
from discreet.pipeline.progress import Progress, watch_rows, watch_table
from discreet.pipeline.rows import RowAnswer, Rows
from discreet.pipeline.stages import History, NothingOut, Record, Unit
from discreet.pipeline.timings import Timings
from discreet.pipeline.verify import check_promises
from discreet.policy.anonymity_level import fill_in_k, note_level
from discreet.policy.changed_table import list_applied
from discreet.policy.policy import Policy, settle_policy
from discreet.policy.text_columns import find_replaced
from discreet.table.cleaning import Cleaned, count_cleaned
from discreet.table.formulas import FormulaCounter, Formulas
from discreet.table.read import TEXT, find_ending, read
from discreet.table.table import Table
from discreet.table.write import gather_rows, write

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from discreet.pipeline.people.people import PeopleAnswer
    from discreet.pipeline.several_rows import SeveralRows
    from discreet.pipeline.statements import IdentifyingColumn, UniqueRows


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
        partition_by: Sequence[str] = (),
    ) -> None:
        """Write the release whole and verified, or not at all; the ending says the kind of file.

        A name without an ending is a new folder of Parquet files, with folders in it for the values
        of the columns ``partition_by`` (``year=2024``), if some are named. With ``replace`` off a
        file that is there, or appears meanwhile, stays as it is. Of a table in a database the
        release is a table there: ``path`` is its name, with or without a schema. A name with a
        slash, or a Path, is a file. A table is replaced only if ``replace`` says so.
        """
        self._refuse_unprotected(unprotected)
        self.timings.forget_writing()
        if find_engine_source(self.table) is not None and is_table_name(path):
            if partition_by:
                what = "a table of a database is not put into folders"
                raise ArgumentError("partition_by", what, "Name a folder, such as ./release.")
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
                partition_by=partition_by,
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

    def recode_in_place(self, columns: Sequence[str]) -> pa.Table:
        """Some columns in the order of the private table, not verified: to compare, not to give."""
        with self._build_recoder().open_reader() as recoded:
            return recoded.read_all().select(list(columns))

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
            "format": "discreet-anonymize/1",
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
        if self.part is None and (replaced := find_replaced(self.table)):
            facts["scrubbed"] = replaced
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
