"""Do these released tables keep a policy about their people? Counted from the files alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from discreet.display import dataclass, plural
from discreet.errors import TogetherError, TooManyClassesError
from discreet.models.verdict import Verdict, count_promises, verdicts_html
from discreet.people.table_policies import table_name, table_policies
from discreet.release.checks.people import ReleasedTable
from discreet.release.checks.people_verdicts import PeopleVerdicts, people_verdicts
from discreet.release.policy import Policy
from discreet.release.verify import MEMORY, open_table, released_columns


@dataclass(frozen=True)
class VerifiedTogether:
    """Whether released tables keep every promise of a policy, with a verdict for each."""

    verdicts: tuple[Verdict, ...]
    rows: Mapping[str, int]
    people: int
    missing: str
    profile: Mapping[str, Any] | None = None

    def __repr__(self) -> str:
        tables, promises = plural(len(self.rows), "table"), count_promises(self.verdicts)
        return f"VerifiedTogether({tables}, {self.people:,} people, {promises})"

    def _repr_html_(self) -> str:
        return verdicts_html(repr(self), self.verdicts)

    @property
    def holds(self) -> bool:
        """Whether every promise is kept."""
        return all(verdict.holds for verdict in self.verdicts)

    def facts(self) -> dict[str, Any]:
        """The verification as plain data, as ``discreet verify --json`` shows it."""
        return {
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
        }


def verify_together(tables: Mapping[str, Any] | str | Path, policy: Policy) -> VerifiedTogether:
    """Check that tables released together keep their policy, by counting their people anew.

    ``tables`` is the folder of the release, or each table by its name. Shares no counting code with
    the search. *Cost*: one pass over each file; memory grows with the different rows.
    """
    policy = policy.for_recipient()
    named = tables if isinstance(tables, Mapping) else tables_in(Path(tables))
    policies = table_policies(policy, list(named))
    opened = {name: open_table(one, policies[name]) for name, one in named.items()}
    released = [
        ReleasedTable(
            table,
            policies[name].people.column,
            {f"{name}.{own}": own for own in policies[name].quasi},
        )
        for name, table in opened.items()
    ]
    found = _counted(released, policy)
    rows = dict(zip(opened, found.rows, strict=True))
    columns = [
        replace(verdict, note=f"{name}: {verdict.note}")
        for name, table in opened.items()
        for verdict in released_columns(table.columns, policies[name], [], rows[name])
    ]
    verdicts = (*found.verdicts, *columns)
    made_for = policy.recipient.facts()
    return VerifiedTogether(verdicts, rows, found.people, str(policy.missing), made_for)


def tables_in(folder: Path) -> dict[str, Path]:
    """The tables of a folder by their names; hidden files are none."""
    try:
        files = sorted(one for one in folder.iterdir() if not one.name.startswith("."))
    except OSError:
        raise TogetherError(f"{folder}: this folder cannot be read", "Look at its path.") from None
    if not files:
        what = f"{folder}: there is no table in this folder"
        raise TogetherError(what, "Name the folder of a release.")
    return named_files(files)


def named_files(files: list[Path]) -> dict[str, Path]:
    """Files by the names of their tables, which must differ."""
    found: dict[str, Path] = {}
    for file in files:
        name = table_name(file)
        if name in found:
            what = f"{found[name].name} and {file.name} would both be the table '{name}'"
            raise TogetherError(what, "Rename one of them.")
        found[name] = file
    return found


def _counted(released: list[ReleasedTable], policy: Policy) -> PeopleVerdicts:
    for memory in MEMORY:
        try:
            return people_verdicts(released, policy, memory)
        except duckdb.OutOfMemoryException:
            continue
    raise TooManyClassesError(released[0].table.name)
