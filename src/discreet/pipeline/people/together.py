"""Several tables about the same people, released together: a person's record is in all of them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from discreet.algorithms.claims import require_claimed
from discreet.display import dataclass, format_count
from discreet.errors import InternalError, TogetherError
from discreet.models.evidence import make_memory_error
from discreet.models.safe_harbor import SafeHarbor
from discreet.models.verdict import Verdict, count_promises, render_verdicts
from discreet.pipeline.every_release import (
    choose_order_key,
    list_facts,
    reopen_written,
    require_kept,
)
from discreet.pipeline.people.check_people import PeopleVerdicts, ReleasedTable, check_people
from discreet.pipeline.people.counted_people import PeopleTable
from discreet.pipeline.people.people import People, PeopleAnswer
from discreet.pipeline.plan import list_promised_columns
from discreet.pipeline.prepare import prepare
from discreet.pipeline.progress import Progress, watch_rows, watch_table
from discreet.pipeline.search import run_algorithm
from discreet.pipeline.statements import IdentifyingColumn, find_identifying_columns
from discreet.pipeline.verify import MEMORY, check_released_columns, merge_missing, open_table
from discreet.policy.about import note_validity
from discreet.policy.changed_table import list_applied
from discreet.policy.policy import Policy, settle_policy
from discreet.policy.table_policies import name_table, split_policy
from discreet.policy.techniques import list_steps
from discreet.table.atomic import open_hidden_folder
from discreet.table.formulas import FormulaCounter, Formulas
from discreet.table.read import TEXT, find_ending, read
from discreet.table.table import Table
from discreet.table.write import fill, gather_rows

# Do these released tables keep a policy about their people? Counted from the files alone.


@dataclass(frozen=True)
class VerifiedTogether:
    """Whether released tables keep every promise of a policy, with a verdict for each."""

    verdicts: tuple[Verdict, ...]
    rows: Mapping[str, int]
    people: int
    missing: str
    profile: Mapping[str, Any] | None = None
    outdated: str = ""

    def __repr__(self) -> str:
        tables, promises = format_count(len(self.rows), "table"), count_promises(self.verdicts)
        return f"VerifiedTogether({tables}, {self.people:,} people, {promises})"

    def _repr_html_(self) -> str:
        return render_verdicts(repr(self), self.verdicts)

    @property
    def holds(self) -> bool:
        """Whether every promise is kept."""
        return all(verdict.holds for verdict in self.verdicts)

    def facts(self) -> dict[str, Any]:
        """The verification as plain data, as ``discreet verify --json`` shows it."""
        return {
            "format": "discreet-verify/1",
            "holds": self.holds,
            "rows": sum(self.rows.values()),
            "people": self.people,
            "tables": dict(self.rows),
            "missing": self.missing,
            "anonymity": None,
            "profile": self.profile,
            "verdicts": [verdict.facts() for verdict in self.verdicts],
            "unique_rows": None,
            "several_rows_per_person": None,
            **({"outdated": self.outdated} if self.outdated else {}),
        }


def verify_together(
    tables: Mapping[str, Any] | str | Path,
    policy: Policy | Mapping[str, Any] | str | Path,
    private: Mapping[str, Table] | None = None,
) -> VerifiedTogether:
    """Check that tables released together keep their policy, by counting their people anew.

    ``tables`` is the folder of the release, or each table by its name; ``private`` has the private
    tables by the same names, for promises that compare with all people. Shares no counting code
    with the search. *Cost*: one pass over each file; memory grows with the different rows.
    """
    policy = settle_policy(policy, tables).for_recipient()
    named = tables if isinstance(tables, Mapping) else list_tables(Path(tables))
    policies = split_policy(policy, list(named))
    opened = {
        name: merge_missing(open_table(one, policies[name]), policies[name])
        for name, one in named.items()
    }
    released = [
        ReleasedTable(
            table,
            policies[name].people.column,
            {f"{name}.{own}": own for own in policies[name].quasi},
            _list_promised(policy, name),
            None if private is None else private[name],
        )
        for name, table in opened.items()
    ]
    found = _count_people(released, policy)
    rows = dict(zip(opened, found.rows, strict=True))
    columns = [
        replace(verdict, note=f"{name}: {verdict.note}")
        for name, table in opened.items()
        for verdict in check_released_columns(table.columns, policies[name], [], rows[name])
    ]
    verdicts = (*found.verdicts, *columns)
    made_for, missing = policy.recipient.facts(), policy.missing.meaning
    over = note_validity(policy)
    return VerifiedTogether(verdicts, rows, found.people, missing, made_for, over)


def _list_promised(policy: Policy, table: str) -> dict[str, str]:
    """The sensitive columns of a table that promises are about: the policy's name, the table's."""
    prefix = f"{table}."
    promised = [name for name in list_promised_columns(policy) if name.startswith(prefix)]
    return {name: name.removeprefix(prefix) for name in promised}


def list_tables(folder: Path) -> dict[str, Path]:
    """The tables of a folder by their names; hidden files are none."""
    try:
        files = sorted(one for one in folder.iterdir() if not one.name.startswith("."))
    except OSError:
        raise TogetherError(f"{folder}: this folder cannot be read", "Look at its path.") from None
    if not files:
        what = f"{folder}: there is no table in this folder"
        raise TogetherError(what, "Name the folder of a release.")
    return name_tables(files)


def name_tables(files: list[Path]) -> dict[str, Path]:
    """Files by the names of their tables, which must differ."""
    found: dict[str, Path] = {}
    for file in files:
        name = name_table(file)
        if name in found:
            what = f"{found[name].name} and {file.name} would both be the table '{name}'"
            raise TogetherError(what, "Rename one of them.")
        found[name] = file
    return found


def _count_people(released: list[ReleasedTable], policy: Policy) -> PeopleVerdicts:
    for memory in MEMORY:
        try:
            return check_people(released, policy, memory)
        except duckdb.OutOfMemoryException:
            continue
    raise make_memory_error(released[0].table.name)


@dataclass(frozen=True, eq=False)
class ReleaseTogether:
    """The least damaging version of several tables that keeps a policy about their people.

    A suppressed person is in none of the tables; a pseudonym means the same person in all.
    """

    tables: Mapping[str, Table]
    files: Mapping[str, str]
    policy: Policy
    policies: Mapping[str, Policy]
    answer: PeopleAnswer
    seconds: float
    formulas: Formulas | None = field(init=False, default=None)
    """What the text files that were written hold that a spreadsheet program would run."""

    def __repr__(self) -> str:
        tables, promises = format_count(len(self.tables), "table"), count_promises(self.verdicts)
        return f"ReleaseTogether({tables}, {self.people:,} people, {promises})"

    def _repr_html_(self) -> str:
        return render_verdicts(repr(self), self.verdicts)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every promise, measured on the people who are released."""
        return self.answer.verdicts

    @property
    def holds(self) -> bool:
        """Whether every promise of the policy is kept."""
        return all(verdict.holds for verdict in self.verdicts)

    @property
    def people(self) -> int:
        """Number of people released."""
        return self.answer.kept.released

    @cached_property
    def identifying_columns(self) -> tuple[IdentifyingColumn, ...]:
        """Released columns, other than quasi columns, with a unique value in many rows."""
        return tuple(
            replace(one, column=f"{name}.{one.column}")
            for name, table in self.tables.items()
            for one in find_identifying_columns(self.policies[name], table)
        )

    @property
    def several_rows(self) -> None:
        """Nothing to say: the promises are about people."""
        return None

    def facts(self) -> dict[str, Any]:
        """Everything there is to know about the release, without a row of it, as plain data."""
        answer = self.answer
        people = [f"{one}.{answer.people_policy.rename_for(one).column}" for one in self.tables]
        said = [f"{name}: {note}" for name, table in self.tables.items() for note in table.notices]
        return {
            "format": "discreet-together/1",
            **list_facts(self.policy, answer, people),
            **answer.count_facts(),
            "part": None,
            "unique_rows": None,
            "several_rows_per_person": None,
            "identifying_columns": [one.facts() for one in self.identifying_columns],
            "records": {"rule": answer.people_policy.records.write_spec()},
            "tables": {name: self._gather_facts(place) for place, name in enumerate(self.tables)},
            "techniques": [
                {**one.facts(), "table": name}
                for name, table in self.tables.items()
                for one in list_applied(table)
            ],
            "formulas": None if self.formulas is None else self.formulas.facts(),
            "notes": [
                *said,
                *answer.solution.notes,
                *answer.notes,
                *(() if self.formulas is None else self.formulas.notes),
            ],
            "seconds": self.seconds,
        }

    def _gather_facts(self, place: int) -> dict[str, Any]:
        every, released = len(self.answer.counted.rows[place]), self.answer.rows_released(place)
        suppressed = self.answer.rows_suppressed(place)
        return {
            "file": list(self.files.values())[place],
            "rows": every,
            "rows_released": released,
            "rows_suppressed": suppressed,
            "rows_left_out": every - released - suppressed,
        }

    def write(self, folder: str | Path, progress: Progress | None = None) -> None:
        """Write all tables into a new folder that appears whole and verified, or not at all."""
        formulas = FormulaCounter()
        are_text = [find_ending(Path(one)) in TEXT for one in self.files.values()]
        with open_hidden_folder(Path(folder)) as hidden:
            for place, (name, file) in enumerate(self.files.items()):
                with self._build_recoder(place, name).open_reader() as recoded:
                    rows = watch_rows(recoded, f"writing {name}", self._count_rows(place), progress)
                    fill(
                        formulas.watch(rows, name) if are_text[place] else rows,
                        hidden / file,
                        dialect=self.tables[name].dialect,
                        order_key=choose_order_key(self.policy),
                    )
            written = {
                name: reopen_written(hidden / file, self.tables[name].dialect)
                for name, file in self.files.items()
            }
            self._check(written, progress)
        object.__setattr__(self, "formulas", formulas.found if any(are_text) else None)

    def to_arrow(self, progress: Progress | None = None) -> dict[str, pa.Table]:
        """The release as Arrow tables by name, verified together."""
        found = {}
        for place, name in enumerate(self.tables):
            with self._build_recoder(place, name).open_reader() as recoded:
                rows = watch_rows(recoded, f"writing {name}", self._count_rows(place), progress)
                found[name] = gather_rows(rows, choose_order_key(self.policy))
        self._check({name: read(one) for name, one in found.items()}, progress)
        return found

    def _build_recoder(self, place: int, name: str) -> Any:
        return self.answer.build_rows(place, self.policies[name].released, replaced=False)

    def _count_rows(self, place: int) -> int:
        return self.answer.rows_released(place)

    def _check(self, written: Mapping[str, Table], progress: Progress | None) -> None:
        """Compare what was counted anew with what was promised."""
        rows = {name: self._count_rows(place) for place, name in enumerate(self.tables)}
        watched = {
            name: watch_table(table, f"checking {name}", rows[name], progress)
            for name, table in written.items()
        }
        found = verify_together(watched, self.policy, self.tables)
        require_kept(found)
        if (found.rows, found.people) != (rows, self.people):
            raise InternalError("the finished release has other rows or people than were counted")


def together(
    tables: Mapping[str, Any] | Sequence[str | Path],
    policy: Policy | Mapping[str, Any] | str | Path,
    progress: Progress | None = None,
) -> ReleaseTogether:
    """Find the least damaging release of several tables that are about the same people.

    Parameters
    ----------
    tables
        Each table, or anything that :func:`discreet.read` takes, by the name that the policy has
        for it: its columns are named ``table.column`` there. Or the paths of files: the table of
        visits.csv is visits.
    policy
        What leaves the house, and under which promises; it has ``people``.
    progress
        Called as :func:`anonymize` does.

    Notes
    -----
    [Sweeney2001]_, sec. 6.1: a record system of 12 tables was released by Datafly. *Departures*: a
    person's class is made of the rows in all tables. *Cost*: as for one table with all the rows.
    """
    started = time.perf_counter()
    policy = settle_policy(policy, tables).for_recipient()
    if not isinstance(tables, Mapping):
        tables = name_tables([Path(one) for one in tables])
    require_claimed(policy.algorithm, policy.require)
    _check_tables(tables, policy)
    policies = split_policy(policy, list(tables))
    columns = [f"{name}.{column}" for name in tables for column in policies[name].quasi]
    unit = People.of(policy, columns)
    sources = {
        name: prepare(one, policies[name], progress=progress) for name, one in tables.items()
    }
    whose = [
        PeopleTable(
            one.table, one.policy.people.column, one.policy.quasi, _list_promised(policy, name)
        )
        for name, one in sources.items()
    ]
    counted = unit.count_tables(whose, policy, progress)
    policy = unit.settle(policy, counted)
    problem = unit.plan(policy, counted)
    solution = run_algorithm(problem, policy, progress)
    answer = unit.answer(None, policy, counted, problem, solution)
    files = {name: _name_file(name, one.private) for name, one in sources.items()}
    prepared = {name: one.table for name, one in sources.items()}
    return ReleaseTogether(prepared, files, policy, policies, answer, time.perf_counter() - started)


def _check_tables(tables: Mapping[str, Any], policy: Policy) -> None:
    if len(tables) < 2:
        what = f"there {'is one table' if tables else 'are no tables'} to release together"
        raise TogetherError(what, "Name two or more, or use anonymize for one.")
    if wrong := [name for name in tables if not name or name[0] == "." or "/" in name]:
        what = f"'{wrong[0]}' cannot be the name of a table, which is that of its file"
        raise TogetherError(what, "Call it by letters, such as visits.")
    if any(model.name == SafeHarbor.name for model in policy.require):
        what = "safe_harbor is checked table by table"
        raise TogetherError(what, "Check each table with discreet hipaa, and leave it out here.")
    drawn: list[Any] = [
        one.technique for one in list_steps(policy) if hasattr(one.technique, "key")
    ]
    if not drawn or policy.people is None:
        return
    what = f"{drawn[0].name} would treat a person differently in each table"
    if policy.people.key is None:
        raise TogetherError(what, "Name a key file: people: {column: ..., key: people.key}.")
    if len({(one.days, one.weeks) for one in drawn}) > 1:
        raise TogetherError(what, "Give it the same days and weeks everywhere.")


def _name_file(name: str, table: Table) -> str:
    """The file of a table in the folder: named as the policy names it, of the kind it came in."""
    path = table.path
    return f"{name}.csv" if path is None else f"{name}{path.name[len(name_table(path)) :]}"
