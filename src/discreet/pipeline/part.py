"""The part of a table that a recipient asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from discreet.algorithms.claims import UnreachableError
from discreet.display import dataclass
from discreet.engines.conditions import restrict_engine_table
from discreet.engines.table import find_engine_source
from discreet.errors import (
    EmptyTableError,
    PartError,
    TooFewRowsError,
    UnknownColumnError,
    did_you_mean,
)
from discreet.frequency.count import count
from discreet.hierarchy.tree import Tree
from discreet.models import BY_REGISTER, KAnonymity
from discreet.pipeline.auto_hierarchies import (
    list_auto,
    list_row_codes,
    propose_from_rows,
    write_hierarchies,
)
from discreet.pipeline.people.counted_people import FewPeopleError, NamelessError
from discreet.policy.anonymity_level import UNKNOWN
from discreet.policy.parts import Auto
from discreet.policy.techniques import list_steps
from discreet.table.engine import blank_to_missing
from discreet.table.row_counts import count_all_rows
from discreet.table.table import Role, Table
from discreet.table.where import Where

if TYPE_CHECKING:
    from discreet.policy.policy import ColumnPolicy, Policy


# A policy with the columns only that somebody asked for.


def restrict_policy(policy: Policy, part: Part) -> Policy:
    """The policy for a part of the table, or a refusal by name.

    Columns that were not asked for are not released; promises about all quasi columns are then
    about those that are left. A condition may name quasi columns and those that are released as
    they are.
    """
    refuse_policy(policy)
    _refuse_condition(policy, part)
    if not part.columns:
        return policy
    return _select_columns(policy, part)


def write_proposals(table: Table, whole: Policy, policy: Policy) -> Policy:
    """The policy of a part with what is proposed for the whole table written down.

    Every part gets the same hierarchies, whatever columns it has: they are proposed from all quasi
    columns of the ``whole`` policy. A learnt tree holds values, so it is not written down.
    """
    columns = list_auto(policy)
    if not columns:
        return policy
    codes = list_row_codes(count(table, whole.quasi).frequency, whole.quasi)
    builders = {name: propose_from_rows(whole, name, codes) for name in columns}
    return write_hierarchies(
        policy,
        {name: Auto(one) if isinstance(one, Tree) else one for name, one in builders.items()},
    )


def _refuse_condition(policy: Policy, part: Part) -> None:
    allowed = policy.with_role(Role.quasi, Role.other)
    changed = {name: step.technique.name for step in list_steps(policy) for name in step.columns}
    for name in part.condition_columns:
        if name in allowed and name in changed:
            what = f"the condition names '{name}', whose values {changed[name]} hides"
            raise PartError(
                f"{what}: the condition would reveal them", "Leave out the condition or technique."
            )
        if name in allowed:
            continue
        if name in policy.sensitive:
            what = f"the condition names '{name}', which is sensitive: it would reveal something"
            fix = "Release the rows without that condition; the recipient can filter them."
            raise PartError(f"{what} sensitive about every row", fix)
        what = f"the condition names '{name}', which the policy has neither as quasi nor as other"
        raise PartError(
            what, f"The condition would reveal its private values. {did_you_mean(name, allowed)}"
        )


def refuse_policy(policy: Policy) -> None:
    """Refuse a policy about all rows of the table for its parts.

    Where people are counted a part has some rows of a person, and people are alike if those are:
    whoever knows all rows of somebody knows no more of them than the condition says.
    """
    for model in policy.require:
        if isinstance(model, BY_REGISTER):
            what = f"{model.name} counts all people of its register, and a part fits fewer of them"
            raise PartError(what, "Use k_anonymity, or a policy and a register of that part.")
    for step in list_steps(policy):
        if not step.columns or set(step.columns) & set(policy.quasi):
            what = f"{step.technique.name} changes rows or quasi columns anew for every part"
            raise PartError(what, "Leave the technique out, or make a table of the part first.")


def _select_columns(policy: Policy, part: Part) -> Policy:
    asked = part.columns
    for name in asked:
        if name not in policy.released:
            what = f"'{name}' is asked for, and the policy does not release it"
            raise PartError(what, did_you_mean(name, policy.released))
    if not set(asked) & set(policy.quasi):
        what = "no quasi column is among those asked for, so nothing would be protected"
        raise PartError(what, f"Ask for one of {', '.join(policy.quasi)} too.")
    return policy.replace(
        columns=_list_columns(policy, asked),
        require=_restrict_promises(policy, part),
        prefer=tuple(name for name in policy.prefer if name in asked),
        techniques=tuple(
            filter(None, (_restrict_technique(one, asked) for one in policy.techniques))
        ),
    )


def _list_columns(policy: Policy, asked: Sequence[str]) -> dict[str, ColumnPolicy]:
    """The columns asked for, and identifiers, which are looked for in texts and not released."""
    kept = {}
    for name, column in policy.columns.items():
        if name in asked:
            kept[name] = column
        elif column.role is Role.identifier:
            kept[name] = column.model_copy(update={"replace": None})
    return kept


def _restrict_promises(policy: Policy, part: Part) -> tuple[Any, ...]:
    """The promises for the columns that are left.

    One of whose columns none is left is about all rows alike, which another may promise already.
    """
    found = [(model, _restrict_promise(model, part)) for model in policy.require]
    kept = tuple(made for _, made in found if made is not None)
    for model, made in found:
        if made is None and not any(_is_as_strong(other, model) for other in kept):
            names = ", ".join(model.columns)
            what = f"{model.name} is about {names}, and none of that is asked for"
            raise PartError(what, "Ask for one of these too.")
    return kept


def _is_as_strong(other: Any, model: Any) -> bool:
    """Whether a promise for other columns is as strong."""
    if isinstance(other, KAnonymity) and isinstance(model, KAnonymity):
        return other.k >= model.k
    return type(other) is type(model) and replace(other, columns=model.columns) == model


def _restrict_promise(model: Any, part: Part) -> Any:
    """The promise restricted to the columns asked for; None if it has none of them."""
    asked = part.columns
    if model.sensitive is not None and model.sensitive not in asked:
        what = f"{model.name} is about '{model.sensitive}', which is not asked for"
        raise PartError(what, "Ask for it too, or use a policy without that promise.")
    if model.columns is None:
        return model
    kept = tuple(name for name in model.columns if name in asked)
    told = [name for name in model.columns if name in part.condition_columns]
    if told and not kept:
        what = (
            f"{model.name} is about '{told[0]}', which the condition names but the part does not "
            "include"
        )
        raise PartError(what, "Ask for it too, so that the promise can be kept.")
    return replace(model, columns=kept) if kept else None


def _restrict_technique(technique: Any, asked: Sequence[str]) -> Any:
    """A technique, if its columns are asked for; None if none is."""
    lost = [name for name in technique.columns if name not in asked]
    if len(lost) == len(technique.columns):
        return None
    if lost:
        what = f"{technique.name} changes '{lost[0]}' together with others, and it is not asked for"
        raise PartError(what, "Ask for it too.")
    return technique


# The rows of a table that meet a condition.


def restrict_table(table: Table, where: Where) -> Table:
    """The same table with the rows only that meet a condition, found as they are read.

    >>> from discreet.table.read import read
    >>> table = read(pa.table({"zip": ["02138", "10001"], "age": [31, 45]}))
    >>> restrict_table(table, Where("age > 40")).scan(text=["zip"]).read_all().to_pydict()
    {'zip': ['10001']}

    Notes
    -----
    *Cost*: each pass reads all rows, and the columns of the condition as well as those asked for.
    """
    for column in where.columns:
        if column not in table.columns:
            raise UnknownColumnError(table.name, column, table.columns)
    if find_engine_source(table) is not None:
        return restrict_engine_table(table, where)
    return replace(table, source=PartOfTable(table, where))


@dataclass(frozen=True)
class PartOfTable:
    """A source that passes on the rows of a table that meet a condition."""

    table: Table
    where: Where

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """A fresh pass over the rows that meet the condition."""
        looked_at = [self.table.columns.index(name) for name in self.where.columns]
        asked = [*looked_at, *text]
        reader = self.table.source.scan(asked, native, rows_per_batch)
        reader = blank_to_missing(reader, len(looked_at))
        schema = pa.schema(list(reader.schema)[len(looked_at) :])
        return pa.RecordBatchReader.from_batches(schema, self._select_rows(reader, schema))

    def _select_rows(
        self, reader: pa.RecordBatchReader, schema: pa.Schema
    ) -> Iterator[pa.RecordBatch]:
        names = self.where.columns
        for batch in reader:
            cells = {name: batch.column(place) for place, name in enumerate(names)}
            found = pa.array(self.where(cells))
            rest = [column.filter(found) for column in batch.columns[len(names) :]]
            yield pa.RecordBatch.from_arrays(rest, schema=schema)


@dataclass(frozen=True)
class Part:
    """The rows that meet a condition, and some of the columns that a policy releases.

    Parameters
    ----------
    where
        A condition on the cells of a row as they are in the private table; see
        :class:`discreet.table.where.Where`. All rows without one.
    columns
        The columns asked for; all that the policy releases if none is named.

    Examples
    --------
    >>> Part(where="age >= 40", columns=["age", "zip"]).spec()
    {'where': 'age >= 40', 'columns': ['age', 'zip']}

    Notes
    -----
    [Sweeney2001]_, sec. 6.1: Datafly releases what a recipient asks for, at the time of access.
    *Departures*: a condition may not name sensitive columns, since it would reveal their values.
    *Cost*: each pass reads all rows; columns whose hierarchy is proposed are read once more.
    """

    where: str | None = None
    columns: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.where, str | None):
            raise PartError("its condition is not text", "Write one, such as 'age >= 40'.")
        named = isinstance(self.columns, Collection) and not isinstance(self.columns, str)
        if not named or not all(isinstance(name, str) for name in self.columns):
            raise PartError("its columns are not a list of names", "Give a list of names.")
        object.__setattr__(self, "columns", tuple(self.columns))
        if self.where is None and not self.columns:
            raise PartError(
                "neither rows nor columns are asked for", "Name a condition or columns."
            )
        for name in self.columns:
            if not name or self.columns.count(name) > 1:
                what = f"'{name}' is asked for twice" if name else "a column without a name"
                raise PartError(what, "Name each column once.")
        _ = self.condition

    @cached_property
    def condition(self) -> Where | None:
        """The condition, understood."""
        return None if self.where is None else Where(self.where)

    @property
    def condition_columns(self) -> tuple[str, ...]:
        """The columns that the condition names."""
        return () if self.condition is None else self.condition.columns

    def spec(self) -> dict[str, Any]:
        """The part as plain data."""
        return {"where": self.where, "columns": list(self.columns) or None}


@dataclass(frozen=True, eq=False)
class Asked:
    """The table and the policy as a part of them is released, and what there is to say of it.

    ``whole`` is the table with the rows, too, that were not asked for.
    """

    table: Table
    policy: Policy
    whole: Table
    notes: tuple[str, ...] = ()


def take_part(table: Table, policy: Policy, part: Part | None) -> Asked:
    """The part of a table, and its policy with the columns only that were asked for.

    Hierarchies that are proposed from the data are proposed from the whole table, so that they are
    the same in every part. The k of an anonymity level is that of the whole table, so that nobody
    gets a smaller one by asking for less.
    """
    if part is None:
        return Asked(table, policy, table)

    policy.check_columns(table.columns, table.name)
    made = restrict_policy(policy, part)
    notes = []
    if auto := list_auto(made):
        made = write_proposals(table, policy, made)
        notes.append(f"hierarchies proposed from the whole table: {', '.join(auto)}")
    if part.condition is None:
        return Asked(table, made, table, tuple(notes))
    made = _set_total_rows(table, made)
    notes.append(
        f"every row meets the condition {part.where}; the recipient knows this in addition to the "
        "released levels"
    )
    return Asked(restrict_table(table, part.condition), made, table, tuple(notes))


@contextmanager
def hide_counts(part: Part | None, policy: Policy) -> Iterator[None]:
    """Say of a part that cannot be released no number of rows: the asker may read the message.

    How many rows are too few depends on the policy alone, so that all parts that are too small get
    the same answer.
    """
    refused: PartError
    try:
        yield
    except (EmptyTableError, TooFewRowsError):
        if part is None or part.where is None:
            raise
        unit = "rows" if policy.people is None else "people"
        refused = _make_small_error(_find_least_rows(policy), unit)
    except (FewPeopleError, NamelessError) as error:
        if part is None or part.where is None:
            raise
        refused = PartError(error.uncounted, "Ask for more.")
    except UnreachableError as error:
        if part is None or part.where is None:
            raise
        refused = _make_unreachable_error([name for name, _ in error.failing])
    else:
        return
    raise refused


def _find_least_rows(policy: Policy) -> int:
    """The fewest rows of which a release can keep the policy, whatever table they are from."""
    least: list[int] = [model.least_rows for model in policy.require]
    level = policy.anonymity
    least.append(1 if level is None else level.find_k(level.rows or 0))
    return max(rows for rows in least if rows < UNKNOWN)


def _set_total_rows(table: Table, policy: Policy) -> Policy:
    """The policy with the rows of the whole table, where its k depends on them."""
    level = policy.anonymity
    if level is None or level.fixed or level.most_general:
        return policy
    rows = count_all_rows(table)
    return policy.replace(anonymity=replace(level, rows=max(rows, level.rows or 0)))


def _make_small_error(least: int, unit: str) -> PartError:
    """Too few rows meet the condition; the number is withheld: the requester may read this."""
    few = "rows meet" if unit == "rows" else "people have rows that meet"
    what = f"fewer than {least:,} {few} the condition" if least > 1 else "no row meets it"
    return PartError(what, "Ask for more.")


def _make_unreachable_error(failing: Sequence[str]) -> PartError:
    """No release of the part keeps the promises; the number of rows is withheld."""
    named = f"{', '.join(failing)} fails" if failing else "the promises leave too few rows"
    what = "no release of it meets this policy, even with every quasi column fully generalized"
    return PartError(f"{what}: {named}", "Ask for more, or allow more suppressed rows.")
