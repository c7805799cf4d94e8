"""A policy about several tables, taken apart: a column ``visits.zip`` is zip of table visits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from discreet.errors import TogetherError, did_you_mean
from discreet.policy.parameter_classes import BY_COLUMN
from discreet.policy.policy import ColumnPolicy, Policy
from discreet.policy.techniques import BESIDE
from discreet.table.read import PACKED
from discreet.table.table import Role
from discreet.techniques.technique import Technique

EXAMPLE = "Write it as table.column, such as visits.zip, where the file is visits.csv."


def name_table(path: Path) -> str:
    """What the policy calls the table of a file: its name without the ending.

    >>> name_table(Path("data/visits.csv.gz"))
    'visits'
    """
    packed = path.suffix.lower() in PACKED
    return Path(path.stem).stem if packed else path.stem


def split_policy(policy: Policy, tables: Sequence[str]) -> dict[str, Policy]:
    """The policy of each table, with the names that its columns have there.

    These are not policies of their own: promises are about all tables together.
    """
    if policy.people is None:
        what = "tables are released together by person, and the policy has no "
        raise TogetherError(f"{what}'people'", "Add people: {column: patient_id}.")
    for table in policy.people.names:
        if table not in tables:
            what = f"people.names has a table '{table}' that was not given"
            raise TogetherError(what, did_you_mean(table, tables))
    homes = {name: _find_table(name, tables) for name in policy.columns}
    found = {}
    for table in tables:
        own = {
            n.removeprefix(f"{table}."): c for n, c in policy.columns.items() if homes[n] == table
        }
        if not own:
            there = sorted({name.partition(".")[0] for name in policy.columns})
            what = f"the policy names no column of table '{table}'"
            raise TogetherError(what, f"{did_you_mean(table, there)} {EXAMPLE}")
        people = policy.people.rename_for(table)
        _check_entity(people.column, table, own)
        columns = {name: _rename_column(column, table) for name, column in own.items()}
        shared = [
            _rename_technique(one, table)
            for one in policy.techniques
            if _is_about(one, table, tables)
        ]
        changes = {"columns": columns, "techniques": tuple(shared), "people": people}
        found[table] = policy.model_copy(update=changes)
    return found


def _find_table(column: str, tables: Iterable[str]) -> str:
    """The table that a column of the policy is in."""
    fits = [table for table in tables if column.startswith(f"{table}.") and column != f"{table}."]
    if not fits:
        there = f"Tables are {', '.join(tables)}."
        raise TogetherError(
            f"column '{column}' of the policy belongs to no table", f"{there} {EXAMPLE}"
        )
    if len(fits) > 1:
        what = f"column '{column}' of the policy could be in {' or '.join(fits)}"
        raise TogetherError(what, "Rename one of the files.")
    return fits[0]


def _check_entity(entity: str, table: str, own: Mapping[str, ColumnPolicy]) -> None:
    column = own.get(entity)
    if column is None:
        return
    if column.role is not Role.identifier:
        what = f"'{table}.{entity}' tells people apart (people.column) and cannot be "
        fix = "Set role: identifier, or remove it: it is released as a pseudonym."
        raise TogetherError(f"{what}{column.role.value}", fix)
    if column.replace is not None:
        what = f"'{table}.{entity}' has a 'replace', and pseudonyms must be the same in all tables"
        raise TogetherError(what, "Remove it; people.key makes them.")


def _is_about(technique: Technique, table: str, tables: Sequence[str]) -> bool:
    """Whether a technique is about the columns of one table."""
    homes = {_find_table(name, tables) for name in technique.columns}
    if len(homes) != 1:
        what = f"{technique.name} is not about the columns of one table"
        raise TogetherError(what, "Name columns of one table, or leave it out.")
    return homes == {table}


def _rename_column(column: ColumnPolicy, table: str) -> ColumnPolicy:
    """What the policy says of a column, its techniques with the names of its table."""
    made = tuple(_rename_technique(technique, table) for technique in column.technique)
    return column.model_copy(update={"technique": made}) if made else column


def _rename_technique(technique: Any, table: str) -> Any:
    """A technique with the names that columns have in their table."""
    changes: dict[str, Any] = {}
    for name in (one.name for one in fields(technique) if one.init):
        value = getattr(technique, name)
        if name in ("columns", *BESIDE) and value:
            changes[name] = (
                value.removeprefix(f"{table}.")
                if isinstance(value, str)
                else tuple(one.removeprefix(f"{table}.") for one in value)
            )
        elif name in BY_COLUMN and isinstance(value, Mapping):
            changes[name] = {one.removeprefix(f"{table}."): v for one, v in value.items()}
    return replace(technique, **changes)
