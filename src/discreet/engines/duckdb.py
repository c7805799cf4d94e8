"""A DuckDB database in place: the reference engine, in this process.

Everything happens in one transaction, so a release appears whole and verified, or not at all.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pyarrow as pa

from discreet.engines.engine import (
    Column,
    Dialect,
    Relation,
    T,
    Target,
    choose_table,
    guard,
    make_taken_error,
    split_name,
)
from discreet.engines.transaction import TransactionEngine
from discreet.errors import SourceError, WriteError
from discreet.table.engine import connect, quote_literal
from discreet.table.files.duckdb import KEPT, NESTED
from discreet.table.files.parquet import make_unreadable

DUCKDB = Dialect("DuckDB", bytewise="{} COLLATE C")
MEMORY = "75%"
"""What the engine may hold of the machine's memory; nothing is spilled to disk."""
EXACT = frozenset({
    "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER",
    "UBIGINT", "HUGEINT", "UHUGEINT", "VARCHAR", "DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS",
    "TIMESTAMP_NS", "TIME", "UUID",
})  # fmt: skip
"""Types whose equal values have the same text; 0.0 and -0.0 are equal and have two."""


ERRORS = (duckdb.Error, pa.ArrowException, OSError, RuntimeError)
READING = (
    "the table cannot be read to its end",
    "The database may be damaged, or a view may read something outside of it.",
)
WRITING = (
    "the release cannot be written there",
    "Look at the space on its disk, and whether others depend on the table.",
)


class DuckdbEngine(TransactionEngine):
    """One database file, opened for reading and writing; other programs must have closed it."""

    def __init__(self, path: Path) -> None:
        super().__init__(DUCKDB, f"DuckDB {path.name}")
        self.path, self._begun = path, False
        self._open: duckdb.DuckDBPyConnection | None = None

    def find(self, table: str | None) -> Relation:
        """The table or view of this name with its columns."""
        query = (
            "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'source' "
            "AND NOT internal UNION ALL SELECT schema_name, view_name FROM duckdb_views() "
            "WHERE database_name = 'source' AND NOT internal "
            "ORDER BY schema_name <> 'main', schema_name, table_name"
        )
        tables = [(str(one), str(other)) for one, other in self._fetch(query)]
        short: list[tuple[str, ...]] = [
            parts[1:] if parts[0] == "main" else parts for parts in tables
        ]
        parts = tables[short.index(choose_table(self.shown, table, short))]
        return self._describe(parts)

    def _describe(self, parts: tuple[str, ...]) -> Relation:
        sql = self.dialect.name_table(("source", *parts))
        columns = tuple(
            make_column(str(row[0]), str(row[1]))
            for row in self._fetch(f"DESCRIBE SELECT * FROM {sql}")
        )
        name = parts[-1] if parts[0] == "main" else ".".join(parts)
        return Relation(name, sql, columns, parts, pinned=True)

    def pin(self, relation: Relation) -> Relation:
        """Begin a transaction if none is under way: it sees the database as it is then."""
        if not self._begun:
            self._fetch("BEGIN TRANSACTION")
            self._begun = True
        return relation

    def query(self, sql: str, rows_per_batch: int = 131_072) -> pa.RecordBatchReader:
        """The answer to a query, batch by batch."""
        reader = self._read(lambda: self._connect().sql(sql).to_arrow_reader(rows_per_batch))
        return pa.RecordBatchReader.from_batches(reader.schema, self._guard(reader))

    def _guard(self, reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
        batches = iter(reader)
        while (batch := self._read(lambda: next(batches, None))) is not None:
            yield batch

    def put(self, rows: pa.Table) -> str:
        """A temporary table, which no other session sees."""
        name = f"put{self._count_put()}"
        connection = self._connect()
        connection.register("given", rows)
        self._write(f"CREATE TEMP TABLE {name} AS SELECT * FROM given")
        connection.unregister("given")
        return f"temp.{name}"

    def aim(self, name: str, replace: bool) -> Target:
        """The place for a release in the same database."""
        schema, table = split_name(name, "main")
        schemas = "SELECT schema_name FROM duckdb_schemas() WHERE database_name = 'source'"
        if schema not in {row[0] for row in self._fetch(schemas)}:
            what, fix = f"there is no schema '{schema}'", "Create it, or choose another name."
            raise WriteError(self.shown, what, fix)
        taken = (
            "SELECT lower(table_name) FROM duckdb_tables() WHERE database_name = 'source' AND "
            f"schema_name = {quote_literal(schema)} UNION ALL SELECT lower(view_name) FROM "
            "duckdb_views() WHERE database_name = 'source' AND "
            f"schema_name = {quote_literal(schema)}"
        )
        if table.lower() in {row[0] for row in self._fetch(taken)} and not replace:
            raise make_taken_error(self.shown, name)
        return self._make_target(name, ("source", schema), (schema, table), table, replace)

    def _commit(self, target: Target) -> None:
        super()._commit(target)
        self._begun = False

    def _roll_back(self) -> None:
        if self._begun and self._open is not None:
            with contextlib.suppress(duckdb.Error):
                self._open.execute("ROLLBACK")
        self._begun = False

    def _disconnect(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def _fetch(self, sql: str) -> list[tuple[object, ...]]:
        return self._read(lambda: self._connect().execute(sql).fetchall())

    def _read(self, work: Callable[[], T]) -> T:
        return guard(work, ERRORS, lambda error: self._explain(error, SourceError, READING))

    def _write(self, sql: str) -> None:
        guard(
            lambda: self._connect().execute(sql),
            ERRORS,
            lambda error: self._explain(error, WriteError, WRITING),
        )

    def _connect(self) -> duckdb.DuckDBPyConnection:
        if self._open is None:
            self._open = self._attach()
        return self._open

    def _attach(self) -> duckdb.DuckDBPyConnection:
        connection, why = connect(MEMORY), ""
        try:
            path = quote_literal(str(self.path))
            connection.execute(f"ATTACH {path} AS source (TYPE duckdb)")
            connection.execute("SET enable_external_access = false")
            return connection
        except duckdb.Error as error:
            why = str(error).lower()
        connection.close()
        if "lock" in why:
            what = "another program has it open"
            raise SourceError(self.path.name, what, "Close it there, or work on a copy.")
        if "read-only" in why or "permission" in why:
            what = "there is no permission to write to it"
            raise SourceError(self.path.name, what, "Ask its owner, or work on a copy.")
        raise make_unreadable(self.path, "a DuckDB database")

    def _explain(
        self, error: Exception, kind: type[SourceError | WriteError], said: tuple[str, str]
    ) -> BaseException:
        if isinstance(error, duckdb.InterruptException):
            return KeyboardInterrupt()
        what, fix = said
        if isinstance(error, duckdb.OutOfMemoryException):
            what = "the memory of this machine does not suffice"
        elif "no space" in str(error).lower():
            what = "the disk is full"
        return kind(self.shown, what, fix)


def make_column(name: str, kind: str) -> Column:
    """What is known of a column by its type."""
    plain = kind.startswith("DECIMAL(")
    return Column(
        name,
        kind,
        is_text=kind == "VARCHAR",
        exact=kind in EXACT or plain,
        nested=kind.endswith("]") or kind.startswith(NESTED),
        carried=kind in KEPT or plain,
    )
