"""What a database or cluster must be able to do, and the few facts in which their SQL differs.

An engine runs statements, hands out small answers as Arrow and takes small tables. The statements
themselves are made by the pure functions of :mod:`discreet.engines.statements`; what is counted,
released and refused is decided in :mod:`discreet.engines.table` and
:mod:`discreet.engines.release`. So an engine holds nothing but its driver: connection, types,
transactions or staging tables, and the messages of its failures, without a value in them.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from discreet.display import dataclass
from discreet.errors import SourceError, WriteError, argument, did_you_mean

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Dialect:
    """How an engine writes what engines do not agree on; ``{}`` stands for an expression.

    Parameters
    ----------
    name
        The name of the engine, as messages show it.
    text_type, integer_type
        The types of texts and of 64-bit integers.
    text
        The text of any value as found, such as ``CAST({} AS VARCHAR)``.
    bytewise
        A text that is grouped and compared byte by byte, whatever the collation of its column.
    digest
        A digest of a text, as a text of at least 128 bits: keyed orders are made with it.
    seal
        The SHA-256 of a text in hexadecimal digits.
    scatter
        A number or text of a text by which the released rows are put in order; the digest if empty.
        It decides nothing that is hidden: the order follows from the released rows alone.
    quote
        The mark around names; inside a name it is doubled.
    create
        How a table is made from a query; ``{name}`` and ``{select}`` are put in.
    value_kind
        The type of a single value, where a column may hold values of several: ``integer``,
        ``real`` or another. Empty where columns have types.
    random
        A number drawn by chance for each row.
    order
        How the rows of a query are put in an order by ``{0}``. They must be: the order in which
        a table keeps them would tell which row of the private table each one is.
    """

    name: str
    text_type: str = "VARCHAR"
    integer_type: str = "BIGINT"
    text: str = "CAST({} AS VARCHAR)"
    bytewise: str = "{}"
    digest: str = "md5({})"
    seal: str = "sha256({})"
    scatter: str = ""
    quote: str = '"'
    create: str = "CREATE TABLE {name} AS {select}"
    order: str = "ORDER BY {0}"
    value_kind: str = ""
    random: str = "random()"

    def name_column(self, name: str) -> str:
        """A name as SQL writes it."""
        return f"{self.quote}{name.replace(self.quote, self.quote * 2)}{self.quote}"

    def name_table(self, parts: Sequence[str]) -> str:
        """The name of a table with its schema, as SQL writes it."""
        return ".".join(self.name_column(part) for part in parts)


@dataclass(frozen=True)
class Column:
    """A column of a table in an engine.

    ``kind`` is its type as the engine names it. ``is_text`` says whether the type is one of texts.
    Where ``exact``, values that the engine takes for equal have the same text, so that rows can be
    grouped by the value itself; numbers such as 1.0 and 1.00 are grouped by their text. A
    ``nested`` column (lists, structs, maps) can be neither counted nor released. ``carried`` says
    that Arrow has the type; of others rows that are sent to this computer have the text.
    """

    name: str
    kind: str
    is_text: bool = False
    exact: bool = False
    nested: bool = False
    carried: bool = True


@dataclass(frozen=True)
class Relation:
    """A table or view in an engine.

    ``sql`` is what stands after FROM: the full name, or the table at the version that was pinned.
    ``parts`` are the names of its schema and of itself. ``pinned`` says that every later statement
    sees the same rows; where it is false, rows are counted again after they were recoded.
    """

    name: str
    sql: str
    columns: tuple[Column, ...]
    parts: tuple[str, ...] = ()
    pinned: bool = False

    def at(self, sql: str) -> Relation:
        """The same table, pinned, as ``sql`` reads it."""
        return replace(self, sql=sql, pinned=True)


@dataclass(frozen=True)
class Target:
    """Where a release is written: under the name ``staging`` until it is checked.

    ``sql`` is the final name and ``staging`` the hidden one, both as SQL writes them; ``parts`` are
    the names of schema and table. ``table`` and ``hidden`` are the two names without a schema.
    """

    name: str
    sql: str
    staging: str
    parts: tuple[str, ...] = ()
    replace: bool = False
    table: str = ""
    hidden: str = ""


class Engine(Protocol):
    """A database or cluster in which rows stay.

    Every failure is a :class:`~discreet.errors.DiscreetError` that names engine, table and column:
    messages of drivers quote cells, so they are neither shown nor chained.
    """

    @property
    def dialect(self) -> Dialect:
        """How its SQL is written."""

    @property
    def shown(self) -> str:
        """The engine and where it is, without user and password."""

    @property
    def discards(self) -> int:
        """How often ``discard`` was called: small tables that were put before are gone."""

    def find(self, table: str | None) -> Relation:
        """The table of this name, or the only one there is, with its columns.

        Refused with similar names if there is none.
        """

    def pin(self, relation: Relation) -> Relation:
        """The table as it is now, for all later statements; called again, it changes nothing."""

    def query(self, sql: str, rows_per_batch: int = 131_072) -> pa.RecordBatchReader:
        """The answer to a query, batch by batch."""

    def put(self, rows: pa.Table) -> str:
        """Put a small table (texts, int64) where only this session sees it; gives its SQL name."""

    def aim(self, name: str, replace: bool) -> Target:
        """The place for a release; refused if it is taken, or if nothing may be created there.

        What a killed run left there under a hidden name is removed first.
        """

    def create(self, target: Target, select: str) -> Relation:
        """Make the staging table from a query; what comes back is read from the table itself."""

    def publish(self, target: Target) -> None:
        """Give the staging table its final name, at once and for good; needs no further step."""

    def discard(self) -> None:
        """Forget what was put and created and not published; never fails."""

    def close(self) -> None:
        """End the session."""


# Failures of drivers: their messages quote cells.


T = TypeVar("T")


def guard(
    work: Callable[[], T],
    errors: tuple[type[BaseException], ...],
    explain: Callable[[Any], BaseException],
) -> T:
    """Do some work; an error of a driver becomes one of ours, without a trace of the other.

    Neither cause nor context of the new error is the old one: whoever logs an error with all that
    led to it would log cells.
    """
    try:
        return work()
    except errors as error:
        problem = explain(error)
    raise problem


# Names of tables: as users write them, and hidden ones.


STAGING = "discreet_staging_"
"""How the hidden names of unfinished releases begin; whatever begins so may be swept."""


def choose_staging_name() -> str:
    """A name that no other run has."""
    return f"{STAGING}{secrets.token_hex(8)}"


def choose_table(
    shown: str, table: str | None, tables: Sequence[tuple[str, ...]]
) -> tuple[str, ...]:
    """The table that a name means, by its parts: the table alone, or its schema and the table.

    ``tables`` are all that can be read, those that need no schema first as they are found.
    """
    if table is None:
        if len(tables) == 1:
            return tables[0]
        what = f"the database has {len(tables):,} tables" if tables else "there are no tables"
        some = ", ".join(".".join(parts) for parts in tables[:20])
        fix = f"Name one of them with {argument('sheet')}: {some}." if tables else ""
        raise SourceError(
            shown, what, fix or "Look at the name of the database, and at its rights."
        )
    for parts in tables:
        if table in (parts[-1], ".".join(parts)):
            return parts
    names = list(dict.fromkeys(".".join(parts) for parts in tables))
    fix = (
        did_you_mean(table, names) if names else "Look at its name, and at the rights of the user."
    )
    raise SourceError(shown, f"there is no table {table!r} that can be read", fix)


def split_name(name: str, schema: str) -> tuple[str, str]:
    """The schema and the table of a target; without a schema it is the one given."""
    before, dot, after = name.partition(".")
    return (before, after) if dot and before and after else (schema, name)


def make_taken_error(shown: str, name: str) -> WriteError:
    """The name of a release is taken."""
    what = f"there is a table or view '{name}' already"
    return WriteError(shown, what, f"Choose another name, or set {argument('replace')}.")
