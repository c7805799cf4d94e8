"""The part of a table that a recipient asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from discreet.display import dataclass
from discreet.errors import (
    EmptyTableError,
    PartError,
    SmallPartError,
    TooFewRowsError,
    UnreachableError,
    UnreachablePartError,
)
from discreet.table.dictionary import Dictionary
from discreet.table.part_of_table import part_of_table
from discreet.table.table import Table
from discreet.table.where import Where

if TYPE_CHECKING:
    from discreet.release.policy import Policy


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
    *Departures*: a condition may not name sensitive columns, since it would tell their values.
    *Cost*: each pass reads all rows; columns whose hierarchy is proposed are read once more.
    """

    where: str | None = None
    columns: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.where, str | None):
            raise PartError("its condition is no text", "Write one, such as 'age >= 40'.")
        named = isinstance(self.columns, Collection) and not isinstance(self.columns, str)
        if not named or not all(isinstance(name, str) for name in self.columns):
            raise PartError("its columns are no list of names", "Give a list of names.")
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
        """The columns that the condition looks at."""
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


def asked_for(table: Table, policy: Policy, part: Part | None) -> Asked:
    """The part of a table, and its policy with the columns only that were asked for.

    Hierarchies that are proposed from the data are proposed from the whole table, so that they are
    the same in every part. The k of an anonymity level is that of the whole table, so that nobody
    gets a smaller one by asking for less.
    """
    if part is None:
        return Asked(table, policy, table)
    from discreet.release.part_policy import part_policy, proposed

    policy.check_columns(table.columns, table.name)
    made = part_policy(policy, part)
    auto = proposed(made)
    notes = []
    if auto:
        made = auto.built(made, _values(table, auto.columns))
        notes.append(f"hierarchies proposed from the whole table: {', '.join(auto.columns)}")
    if part.condition is None:
        return Asked(table, made, table, tuple(notes))
    made = _at_level_of(table, made)
    notes.append(
        f"every row meets the condition {part.where}, and whoever gets the release knows that "
        "beyond what the levels say"
    )
    return Asked(part_of_table(table, part.condition), made, table, tuple(notes))


@contextmanager
def no_count(part: Part | None, policy: Policy) -> Iterator[None]:
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
        refused = SmallPartError(_least_rows(policy))
    except UnreachableError as error:
        if part is None or part.where is None:
            raise
        refused = UnreachablePartError([name for name, _ in error.failing])
    else:
        return
    raise refused


def _least_rows(policy: Policy) -> int:
    """The fewest rows of which a release can keep the policy, whatever table they are from."""
    from discreet.release.at_level import UNKNOWN

    least: list[int] = [model.least_rows for model in policy.require]
    level = policy.anonymity
    least.append(1 if level is None else level.k_for(level.rows or 0))
    return max(rows for rows in least if rows < UNKNOWN)


def _at_level_of(table: Table, policy: Policy) -> Policy:
    """The policy with the rows of the whole table, where its k depends on them."""
    level = policy.anonymity
    if level is None or level.fixed or level.most_general:
        return policy
    rows = sum(batch.num_rows for batch in table.scan(text=table.columns[:1]))
    return policy.replace(anonymity=replace(level, rows=max(rows, level.rows or 0)))


def _values(table: Table, columns: tuple[str, ...]) -> dict[str, tuple[str | None, ...]]:
    """The different values of some columns in the whole table."""
    found = {name: Dictionary() for name in columns}
    for batch in table.scan(text=columns):
        for place, dictionary in enumerate(found.values()):
            dictionary.encode(batch.column(place))
    return {name: dictionary.values for name, dictionary in found.items()}
