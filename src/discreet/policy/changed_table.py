"""A table after the techniques of a policy, with what each of them cost."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass, safe_repr
from discreet.errors import DiscreetError, EmptyTableError
from discreet.policy.techniques import list_steps
from discreet.table.cleaning import clean_table
from discreet.table.files.frames import FrameSource
from discreet.table.formulas import quote_table_formulas
from discreet.table.table import Table
from discreet.techniques import Substitute
from discreet.techniques.technique import Technique

if TYPE_CHECKING:
    from discreet.policy.policy import Policy
    from discreet.techniques.utility import Utility


@dataclass(frozen=True)
class Applied:
    """A technique that was run, the columns that it could change, and what it left of them.

    ``utility`` is None where rows stay in a database: it compares rows before and after.
    """

    technique: Technique
    columns: tuple[str, ...]
    utility: Utility | None

    def facts(self) -> dict[str, Any]:
        """Plain data for JSON; no cell of a table is in it."""
        return {
            "technique": self.technique.name,
            "columns": list(self.columns),
            "protection": self.technique.protection,
            "truthful": self.technique.truthful,
            "keeps": self.technique.keeps,
            "utility": None if self.utility is None else self.utility.facts(),
        }


@dataclass(frozen=True, eq=False)
class ChangedTable(Table):
    """A table that techniques have changed, in the order of ``applied``."""

    applied: tuple[Applied, ...] = ()


def list_applied(table: Table) -> tuple[Applied, ...]:
    """What techniques did to a table, in their order."""
    return table.applied if isinstance(table, ChangedTable) else ()


# Another file about people, its values changed as the policy changes those of the release.


UNLISTED = "\0 not in the list"
"""What a value becomes that the list of a substitution lacks: nobody in the release has it."""


@safe_repr
class AsReleased(NamedTuple):
    """A file whose columns can be compared with those of a release.

    ``pairs`` has the columns that can be compared, the release's name first. ``changed`` says what
    was done to columns of the file before, and ``unusable`` why others cannot be compared.
    """

    table: Table
    pairs: dict[str, str]
    changed: dict[str, str]
    unusable: dict[str, str]

    @property
    def notes(self) -> tuple[str, ...]:
        """What should be known before anything is compared."""
        return write_change_notes(self.changed, self.unusable)


def write_change_notes(changed: Mapping[str, str], unusable: Mapping[str, str]) -> tuple[str, ...]:
    """What was done to columns before they are compared, and which are not compared at all."""
    found = []
    if changed:
        found.append(f"compared after the same change: {_list_changes(changed)}")
    if unusable:
        found.append(f"NOT compared: {_list_changes(unusable)}")
    return tuple(found)


def change_as_released(
    policy: Policy,
    table: Table,
    pairs: Mapping[str, str],
    more: Sequence[str] = (),
    leave: Sequence[str] = (),
) -> AsReleased:
    """Make the policy's changes to a register, or say which columns cannot be compared.

    A change that follows from the value alone (the year of a date, three digits of a ZIP code, a
    rounded number) is made to the register too. After one that is drawn by chance, or that hangs
    on the other rows of the private table, a released value says nothing certain about a
    register's: such columns are left out, by name. So are pseudonyms and scrubbed texts.

    Parameters
    ----------
    table
        The register, with values as found.
    pairs
        The register's name of each column of the release.
    more
        Further columns of the register that are looked at.
    leave
        Columns of the release to compare as they are, whatever was done to them.

    Notes
    -----
    *Departures*: none. *Cost*: none if the policy changes none of the columns; else the columns
    that are compared are held in memory.
    """
    how = policy.cleanings(pairs)
    table = clean_table(table, {other: how[name] for name, other in pairs.items()})
    todo: dict[str, list[Technique]] = {}
    unusable: dict[str, str] = {}
    for name in pairs:
        if name in leave:
            continue
        why = explain_not_by_value(policy, name)
        done = [step.technique for step in list_steps(policy) if name in step.columns]
        if why:
            unusable[name] = why
        elif done:
            todo[name] = done
    new: dict[str, pa.ChunkedArray] = {}
    for name, techniques in todo.items():
        try:
            new[name] = _change_column(table, name, pairs[name], techniques)
        except EmptyTableError:
            raise
        except DiscreetError as error:
            told = ", ".join(one.done for one in techniques)
            unusable[name] = f"{told}, which cannot be applied to {table.name}: {error}".rstrip(".")
    changed = {name: ", ".join(one.done for one in todo[name]) for name in new}
    kept = {name: other for name, other in pairs.items() if name not in unusable}
    if not new:
        return AsReleased(_quote_formulas(policy, table, kept), kept, changed, unusable)
    as_found = {other for name, other in kept.items() if name not in new} | set(more)
    columns, places = _collect_columns(table, as_found, new)
    made = ChangedTable(table.name, tuple(columns), FrameSource(pa.table(columns), table.name))
    kept = {n: places.get(n, o) for n, o in kept.items()}
    return AsReleased(_quote_formulas(policy, made, kept), kept, changed, unusable)


def change_private_as_released(policy: Policy, table: Table) -> AsReleased:
    """Make the policy's changes to the private table, unless techniques have been run on it."""
    named = {name: name for name in table.columns if name in policy.columns}
    if isinstance(table, ChangedTable):
        told = {name: why for name in named if (why := _describe_replacement(policy, name))}
        return AsReleased(table, named, {}, told)
    return change_as_released(
        policy, table, named, [name for name in table.columns if name not in named]
    )


def _quote_formulas(policy: Policy, table: Table, pairs: Mapping[str, str]) -> Table:
    """The file with formulas quoted where they are in the release, so that they can be found."""
    return quote_table_formulas(table, [pairs[name] for name in pairs if name in policy.quoted])


def explain_not_by_value(policy: Policy, name: str) -> str:
    """Why nothing can be compared with a released column; empty if something can."""
    if why := _describe_replacement(policy, name):
        return why
    for step in list_steps(policy):
        technique = step.technique
        if name in step.columns and not technique.by_value:
            how = (
                "by chance" if technique.by_chance else "depending on the rest of the private table"
            )
            return f"{technique.done}, {how}"
    return ""


def _describe_replacement(policy: Policy, name: str) -> str:
    """What replaces the values of a column."""
    column = policy.columns.get(name)
    if column is not None and column.replace is not None:
        return "pseudonyms"
    if policy.people is not None and policy.people.column == name:
        return "pseudonyms"
    if column is not None and column.scrub is not None:
        return "scrubbed text"
    return ""


def _change_column(
    table: Table, name: str, other: str, techniques: Sequence[Technique]
) -> pa.ChunkedArray:
    """One column of the register as texts, after the techniques of a released column."""
    rows = pa.table({name: table.scan(native=[other]).read_all().column(0)})
    made = Table(table.name, (name,), FrameSource(rows, table.name))
    for one in techniques:
        made = _fit_to_file(one, name, made)(made, 0)
    return made.scan(text=[name]).read_all().column(0)


def change_texts(
    name: str, texts: Sequence[str], techniques: Sequence[Technique]
) -> list[str | None]:
    """Values of a released column after its techniques, one by one."""
    rows = pa.table({name: pa.array(texts, pa.string())})
    table = Table(name, (name,), FrameSource(rows, name))
    found: list[str | None] = _change_column(table, name, name, techniques).to_pylist()
    return found


def _fit_to_file(technique: Any, name: str, table: Table) -> Technique:
    """The technique for one column; a list must not stop at values that only the register has."""
    found: Technique = replace(technique, columns=(name,))
    if not isinstance(found, Substitute) or found.others != "refuse":
        return found
    values = table.scan(text=[name]).read_all().column(0)
    native = table.scan(native=[name]).read_all().column(0)
    if not (pa.types.is_string(native.type) or pa.types.is_large_string(native.type)):
        return found
    known: dict[Hashable, Hashable] = {
        str(key): value for key, value in (found.replacements or {}).items()
    }
    others = [v for v in pc.unique(values).to_pylist() if v is not None and v not in known]
    return replace(found, replacements={**known, **dict.fromkeys(others, UNLISTED)})


def _collect_columns(
    table: Table, as_found: set[str], new: Mapping[str, pa.ChunkedArray]
) -> tuple[dict[str, Any], dict[str, str]]:
    """All columns that are looked at, as texts, and the names that the changed ones have here."""
    names = [name for name in table.columns if name in as_found]
    columns: dict[str, Any] = {}
    if names:
        rows = table.scan(text=names).read_all()
        columns = dict(zip(names, rows.columns, strict=True))
    places = {}
    for name, values in new.items():
        place = name
        while place in columns:
            place = f"{place} as released"
        columns[place], places[name] = values, place
    return columns, places


def _list_changes(columns: Mapping[str, str]) -> str:
    return ", ".join(f"{name} ({what})" for name, what in columns.items())
