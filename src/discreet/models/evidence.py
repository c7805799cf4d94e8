"""The evidence for a check: the released rows counted by value, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import TooLargeError
from discreet.models.verdict import Unchecked, Verdict
from discreet.table.count_coded import count_coded_rows
from discreet.table.engine import lend_connection
from discreet.table.missing import Cleaning
from discreet.table.table import Table

ROWS_PER_BATCH = 1 << 18

# A private, bounded SQL session in which released rows are counted; it writes no files.


@dataclass(frozen=True, eq=False)
class Session:
    """A DuckDB connection of its own, forgotten when the check is over."""

    connection: duckdb.DuckDBPyConnection

    def run(self, sql: str) -> list[tuple[Any, ...]]:
        """Run one statement and give all rows of its answer."""
        found: list[tuple[Any, ...]] = self.connection.execute(sql).fetchall()
        return found

    def row(self, sql: str) -> tuple[Any, ...]:
        """The only row of an answer that always has one."""
        return self.run(sql)[0]

    def arrays(self, sql: str) -> dict[str, npt.NDArray[Any]]:
        """The columns of an answer as arrays."""
        return dict(self.connection.execute(sql).fetchnumpy())

    def stream(self, sql: str, reader: pa.RecordBatchReader) -> list[tuple[Any, ...]]:
        """Ask something of rows that are read once: ``rows`` has them as ``c0``, ``c1`` ..."""
        fields = ", ".join(f"c{position}" for position in range(len(reader.schema)))
        caught: list[BaseException] = []
        source = pa.RecordBatchReader.from_batches(reader.schema, _watch_reader(reader, caught))
        self.connection.register("source", source)
        try:
            return self.run(f"WITH rows AS (SELECT * FROM source AS rows({fields})) {sql}")
        except duckdb.OutOfMemoryException:
            raise make_memory_error("the table") from None
        except duckdb.Error:
            if caught:
                raise caught[0] from None
            raise
        finally:
            self.connection.unregister("source")

    def load(self, name: str, table: Table, columns: Sequence[str]) -> None:
        """Count every distinct combination of ``columns`` as text, in one pass over the rows.

        The SQL table ``name`` has ``c0``, ``c1`` ... in the order of ``columns``, and ``n``. Where
        a table can count its rows itself, or stores codes by which they are counted first, what was
        counted is added up.
        """
        fields = ", ".join(f"c{position}" for position in range(len(columns)))
        caught: list[BaseException] = []
        counted = table.count_rows(columns)
        reader = counted or table.scan(text=columns, coded=True)
        if counted is None and all(map(pa.types.is_dictionary, reader.schema.types)):
            counted = _count_codes(table, columns)
            reader = counted or reader
        given, count = (fields, "count(*)") if counted is None else (f"{fields}, n", "sum(n)")
        source = pa.RecordBatchReader.from_batches(reader.schema, _watch_reader(reader, caught))
        self.connection.register("source", source)
        try:
            self.run(
                f"CREATE TEMP TABLE {name} AS SELECT {fields}, {count}::BIGINT AS n "
                f"FROM source AS rows({given}) GROUP BY {fields}"
            )
        except duckdb.Error:
            if caught:
                raise caught[0] from None
            raise
        self.connection.unregister("source")


def _count_codes(table: Table, columns: Sequence[str]) -> pa.RecordBatchReader | None:
    """The rows of a table that stores codes, counted by these; None if that takes too much room."""
    with table.scan(text=columns, coded=True, rows_per_batch=ROWS_PER_BATCH) as scan:
        found = count_coded_rows(scan, scan.schema)
    return None if found is None else found.to_reader()


def _watch_reader(
    reader: pa.RecordBatchReader, caught: list[BaseException]
) -> Iterator[pa.RecordBatch]:
    """Keep why the rows end early (a bad file, a caller who cancels), which the engine rewords."""
    try:
        yield from reader
    except GeneratorExit:
        raise
    except BaseException as error:
        caught.append(error)
        raise


@contextmanager
def open_session(memory: str) -> Iterator[Session]:
    """Open a session that holds at most ``memory`` and never writes to disk."""
    with lend_connection(memory) as connection:
        connection.execute("SET preserve_insertion_order = false").fetchall()
        yield Session(connection)


# Classes of released rows by plain grouping, or by matching where a missing value fits any.


MOST_FIELDS = 120
"""Fields that a number can have a bit for."""


def count_classes(session: Session, name: str, fields: Sequence[str], wildcard: bool) -> None:
    """Make the SQL table ``name`` of ``id``, ``size``, ``members`` and the fields of each tuple."""
    if wildcard and len(fields) > MOST_FIELDS:
        raise Unchecked(f"missing values are matched on up to {MOST_FIELDS} columns")
    group = ", ".join(fields)
    session.run(
        f"CREATE TEMP TABLE {name} AS "
        f"SELECT row_number() OVER () AS id, * FROM ("
        f"SELECT {_list(fields)} sum(n)::BIGINT AS size, sum(n)::BIGINT AS members "
        f"FROM cells {'GROUP BY ' + group if fields else ''})"
    )
    if wildcard:
        matches = _match_tuples(session, name, fields, value=None)
        session.run(
            f"UPDATE {name} SET size = found.size FROM "
            f"(SELECT id, sum(n)::BIGINT AS size FROM {matches} GROUP BY id) AS found "
            f"WHERE {name}.id = found.id"
        )
        session.run(f"DROP TABLE {matches}")


def count_values(
    session: Session,
    name: str,
    classes: str,
    fields: Sequence[str],
    value: str,
    wildcard: bool,
) -> None:
    """Make the SQL table ``name`` of ``id``, ``value``, ``n``: each class's sensitive values."""
    if wildcard:
        matches = _match_tuples(session, classes, fields, value)
        session.run(
            f"CREATE TEMP TABLE {name} AS "
            f"SELECT id, value, sum(n)::BIGINT AS n FROM {matches} GROUP BY id, value"
        )
        session.run(f"DROP TABLE {matches}")
        return
    same = " AND ".join(f"class.{field} IS NOT DISTINCT FROM cells.{field}" for field in fields)
    session.run(
        f"CREATE TEMP TABLE {name} AS "
        f"SELECT id, cells.{value} AS value, sum(n)::BIGINT AS n "
        f"FROM cells JOIN {classes} AS class ON {same or 'true'} GROUP BY id, cells.{value}"
    )


def _match_tuples(session: Session, classes: str, fields: Sequence[str], value: str | None) -> str:
    """Pair each tuple with the rows that agree with it wherever neither value is missing.

    Two tuples can only be compared on the fields that both have. So all tuples whose patterns have
    the same fields in common are joined at once, by equality on those fields, after grouping by
    them: the work grows with the tuples and the patterns, not with the square of the tuples.
    """
    name = "matches"
    session.run(f"CREATE TEMP TABLE {name} (id BIGINT, value VARCHAR, n BIGINT)")
    session.run(
        f"CREATE TEMP TABLE mine AS SELECT id, {_list(fields)} {_write_pattern(fields)} AS has "
        f"FROM {classes}"
    )
    session.run(
        f"CREATE TEMP TABLE theirs AS SELECT {_list(fields)} {value or 'NULL'} AS value, "
        f"{_write_pattern(fields)} AS has, sum(n) AS n FROM cells GROUP BY ALL"
    )
    for common in _list_common_patterns(session):
        _join(session, name, fields, common)
    session.run("DROP TABLE mine")
    session.run("DROP TABLE theirs")
    return name


def _join(session: Session, name: str, fields: Sequence[str], common: int) -> None:
    """Add the matches of tuples that have just the fields of this pattern in common."""
    chosen = [field for place, field in enumerate(fields) if common >> place & 1]
    same = "".join(f" AND mine.{field} = other.{field}" for field in chosen)
    session.run(
        f"INSERT INTO {name} SELECT mine.id, other.value, other.n "
        f"FROM (SELECT * FROM mine WHERE has & {common} = {common}) AS mine "
        f"JOIN (SELECT {_list(chosen)} value, has, sum(n) AS n FROM theirs "
        f"WHERE has & {common} = {common} GROUP BY {_list(chosen)} value, has) AS other "
        f"ON mine.has & other.has = {common}{same}"
    )


def _list_common_patterns(session: Session) -> list[int]:
    """The patterns of fields that two tuples have in common."""
    found = [int(row[0]) for row in session.run("SELECT DISTINCT has FROM mine")]
    return sorted({one & other for one in found for other in found})


def _write_pattern(fields: Sequence[str]) -> str:
    """SQL of a number that has a bit for each field that a tuple has."""
    kind = "BIGINT" if len(fields) < 62 else "HUGEINT"
    flags = (
        f" + CASE WHEN {field} IS NULL THEN 0 ELSE {1 << place} END::{kind}"
        for place, field in enumerate(fields)
    )
    return f"(0::{kind}{''.join(flags)})"


def _list(fields: Sequence[str]) -> str:
    return "".join(f"{field}, " for field in fields)


Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Reference:
    """A whole table's distribution of one sensitive column, as the SQL table ``name``.

    The SQL table has ``value`` and ``q``, the share of all rows with that value. ``source`` tells
    the reader of a verdict where the shares come from.
    """

    name: str
    source: str


@dataclass(eq=False)
class Evidence:
    """The released rows of one file, counted once, with classes formed when a check asks.

    ``cells`` in the session holds every distinct combination of the columns that some check needs,
    as ``c0``, ``c1`` ... in the order of ``columns``, with ``n``, its number of rows. ``file`` is
    the released file itself, for promises about values; ``texts`` are its scrubbed columns,
    ``techniques`` names what the policy did to columns, ``cleanings`` says how values are read.
    """

    session: Session
    columns: tuple[str, ...]
    quasi: tuple[str, ...]
    rows: int
    wildcard: bool = False
    original: Table | None = None
    hierarchies: Mapping[str, Any] = field(default_factory=dict)
    file: Table | None = None
    texts: tuple[str, ...] = ()
    techniques: Mapping[str, Sequence[str]] = field(default_factory=dict)
    cleanings: Mapping[str, Cleaning] = field(default_factory=dict)
    _made: dict[tuple[object, ...], str] = field(default_factory=dict)

    def field_of(self, column: str) -> str:
        """The SQL name of a released column."""
        return f"c{self.columns.index(column)}"

    def quasi_of(self, model: Any) -> tuple[str, ...]:
        """The quasi-identifier a model speaks of: its own, or all quasi columns."""
        return self.quasi if model.columns is None else tuple(model.columns)

    def classes(self, quasi: Sequence[str]) -> str:
        """SQL table of the classes: ``id``, ``size`` (rows alike), ``members`` (rows counted here).

        The two differ only where missing values match anything: then each distinct tuple has the
        rows that match it as ``size`` and its own rows as ``members``.
        """
        key: tuple[object, ...] = ("classes", *sorted(quasi))
        if key not in self._made:
            name = f"classes_{len(self._made)}"
            fields = [self.field_of(column) for column in quasi]
            count_classes(self.session, name, fields, self.wildcard)
            self._made[key] = name
        return self._made[key]

    def values(self, quasi: Sequence[str], sensitive: str) -> str:
        """SQL table of each class's sensitive values: ``id``, ``value``, ``n`` rows."""
        key: tuple[object, ...] = ("values", sensitive, *sorted(quasi))
        if key not in self._made:
            classes, name = self.classes(quasi), f"values_{len(self._made)}"
            fields = [self.field_of(column) for column in quasi]
            value = self.field_of(sensitive)
            count_values(self.session, name, classes, fields, value, self.wildcard)
            self._made[key] = name
        return self._made[key]

    def reference(self, sensitive: str) -> Reference:
        """The distribution that classes are compared with: the private table's, if it was given."""
        source = (
            "compared with the distribution in the private table"
            if self.original is not None
            else "compared with the distribution in the released file itself, which differs from "
            "the private table's when rows were suppressed"
        )
        key: tuple[object, ...] = ("reference", sensitive)
        if key not in self._made:
            self._made[key] = f"reference_{len(self._made)}"
            self._count_reference(self._made[key], sensitive)
        return Reference(self._made[key], source)

    def _count_reference(self, name: str, sensitive: str) -> None:
        if self.original is None:
            counts = f"SELECT {self.field_of(sensitive)} AS value, n FROM cells"
        else:
            self.session.load("original_values", self.original, [sensitive])
            counts = "SELECT c0 AS value, n FROM original_values"
        self.session.run(
            f"CREATE TEMP TABLE {name} AS SELECT value, sum(n) / sum(sum(n)) OVER () AS q "
            f"FROM ({counts}) GROUP BY value"
        )
        self.session.run("DROP TABLE IF EXISTS original_values")

    def write_comparison_query(self, values: str, whole: Reference) -> str:
        """SQL of value shares in each class and in the whole table: ``id``, ``p``, ``q``.

        A value that the whole lacks has a ``q`` of NULL.
        """
        return (
            f"(SELECT id, p, q FROM (SELECT id, value, n / sum(n) OVER (PARTITION BY id) AS p "
            f"FROM {values}) AS own LEFT JOIN {whole.name} AS whole "
            f"ON own.value IS NOT DISTINCT FROM whole.value)"
        )

    def judge(self, model: Any, measures: str, fails: str, worst: str = "max") -> tuple[float, int]:
        """The worst measure of all classes, and the rows of the classes for which ``fails``.

        ``measures`` is SQL that gives ``id`` and ``measured`` for each class.
        """
        classes = self.classes(self.quasi_of(model))
        found = self.session.row(
            f"SELECT {worst}(measured), coalesce(sum(members) FILTER (WHERE {fails}), 0) "
            f"FROM ({measures}) JOIN {classes} USING (id)"
        )
        return found[0] or 0, int(found[1])

    def make_verdict(
        self,
        model: Any,
        found: tuple[float, int],
        limit: float,
        note: str = "",
        holds: bool | None = None,
    ) -> Verdict:
        """A verdict on ``model``; it holds when no rows are at risk unless ``holds`` says so."""
        measured, at_risk = found
        notes = [note] if note else []
        if self.wildcard:
            notes.append("missing values match any value")
        if not self.rows:
            notes.append("no rows are released, so the promise is empty")
        return Verdict(
            model.name,
            at_risk == 0 if holds is None else holds,
            measured,
            limit,
            at_risk,
            self.quasi_of(model),
            "; ".join(notes),
        )


def make_memory_error(name: str) -> TooLargeError:
    """A released file has more different rows than this machine's memory can count."""
    return TooLargeError(
        name,
        "too many different rows to count in this machine's memory, so nothing can be said about "
        "it",
        "A released file has few; check that this is the release, or verify it on a machine with "
        "more memory.",
    )
