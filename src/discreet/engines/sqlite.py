"""A SQLite database in place, in this process and in one transaction."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

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
)
from discreet.engines.transaction import TransactionEngine
from discreet.errors import DiscreetError, SourceError, WriteError
from discreet.table.files.parquet import make_unreadable
from discreet.table.files.sqlite import write_cell_text

SQLITE = Dialect(
    "SQLite",
    text_type="TEXT",
    integer_type="INTEGER",
    text=write_cell_text("{0}"),
    bytewise="{} COLLATE BINARY",
    value_kind="typeof({})",
)
ERRORS = (sqlite3.Error, pa.ArrowException, UnicodeError, OverflowError)
NUMBERS = ("n", "size", "times")
"""Columns of answers that are counts; all others are texts."""


class SqliteEngine(TransactionEngine):
    """One database file. A column may hold values of any type, so all are grouped by their text."""

    def __init__(self, path: Path) -> None:
        super().__init__(SQLITE, f"SQLite {path.name}")
        self.path = path
        self._open: sqlite3.Connection | None = None

    def find(self, table: str | None) -> Relation:
        """The table or view of this name with its columns."""
        query = (
            "SELECT name FROM main.sqlite_master WHERE type IN ('table', 'view') "
            "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
        )
        tables = [(str(row[0]),) for row in self._fetch(query)]
        return self._describe(choose_table(self.shown, table, tables))

    def _describe(self, parts: tuple[str, ...]) -> Relation:
        table = parts[-1]
        sql = self.dialect.name_table(("main", table))
        rows = self._fetch(f"PRAGMA main.table_xinfo({self.dialect.name_column(table)})")
        columns = tuple(
            Column(row[1], row[2], is_text="CHAR" in row[2].upper() or "TEXT" in row[2].upper(),
                   carried=False)
            for row in rows
            if row[6] != 1
        )  # fmt: skip
        return Relation(table, sql, columns, (table.casefold(),), pinned=True)

    def pin(self, relation: Relation) -> Relation:
        """Begin a transaction if none is under way: its reads see one state of the file."""
        if not self._connect().in_transaction:
            self._guard(lambda: self._connect().execute("BEGIN"))
        return relation

    def query(self, sql: str, rows_per_batch: int = 131_072) -> pa.RecordBatchReader:
        """The answer to a query, batch by batch."""
        cursor = self._guard(lambda: self._connect().execute(sql))
        fields = [
            (one[0], pa.int64() if one[0] in NUMBERS else pa.string()) for one in cursor.description
        ]
        schema = pa.schema(fields)
        return pa.RecordBatchReader.from_batches(schema, self._read(cursor, schema, rows_per_batch))

    def _read(
        self, cursor: sqlite3.Cursor, schema: pa.Schema, rows_per_batch: int
    ) -> Iterator[pa.RecordBatch]:
        def read_next() -> list[pa.Array]:
            rows = cursor.fetchmany(rows_per_batch)
            return [
                pa.array(cells, field.type)
                for cells, field in zip(zip(*rows, strict=True), schema, strict=bool(rows))
            ]

        while arrays := self._guard(read_next):
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)

    def put(self, rows: pa.Table) -> str:
        """A temporary table in memory."""
        number = self._count_put()
        name, marks = f"temp.put{number}", ", ".join("?" * rows.num_columns)
        columns = ", ".join(
            f"{field.name} {'INTEGER' if pa.types.is_integer(field.type) else 'TEXT'}"
            for field in rows.schema
        )
        cells = zip(*(column.to_pylist() for column in rows.columns), strict=True)
        insert = f"INSERT INTO {name} VALUES ({marks})"
        self._write(f"CREATE TEMP TABLE put{number} ({columns})")
        self._guard(lambda: self._connect().executemany(insert, cells), writing=True)
        keys = [one for one in rows.column_names if one == "value" or one.startswith("key")]
        if keys:
            self._write(f"CREATE INDEX temp.by{number} ON put{number} ({', '.join(keys)})")
        return name

    def aim(self, name: str, replace: bool) -> Target:
        """The place for a release in the same database."""
        query = "SELECT name, type FROM main.sqlite_master WHERE name = ? COLLATE NOCASE"
        taken = self._fetch(query, (name,))
        if taken and not replace:
            raise make_taken_error(self.shown, name)
        if name.casefold().startswith("sqlite_") or (taken and taken[0][1] != "table"):
            what = f"'{name}' cannot be the name of a release"
            raise WriteError(self.shown, what, "Choose another name.")
        return self._make_target(name, ("main",), (name.casefold(),), name, replace)

    def _roll_back(self) -> None:
        if self._open is not None and self._open.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                self._open.execute("ROLLBACK")

    def _disconnect(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def _fetch(self, sql: str, given: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        return self._guard(lambda: self._connect().execute(sql, given).fetchall())

    def _write(self, sql: str) -> None:
        self._guard(lambda: self._connect().execute(sql), writing=True)

    def _guard(self, work: Callable[[], T], writing: bool = False) -> T:
        return guard(work, ERRORS, lambda error: self._explain(error, writing))

    def _connect(self) -> sqlite3.Connection:
        if self._open is None:
            self._open = sqlite3.connect(
                f"{self.path.as_uri()}?mode=rw",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
                timeout=10,
            )
            self._open.execute("PRAGMA temp_store = MEMORY")
            self._open.execute("PRAGMA legacy_alter_table = ON")
            self._open.create_function("md5", 1, _digest, deterministic=True)
            self._open.create_function("sha256", 1, _seal, deterministic=True)
        return self._open

    def _explain(self, error: Exception, writing: bool) -> DiscreetError:
        code = getattr(error, "sqlite_errorname", "")
        if code == "SQLITE_NOTADB":
            return make_unreadable(self.path, "a SQLite database")
        what, fix = {
            "SQLITE_BUSY": ("another program writes to it", "Close it there, or work on a copy."),
            "SQLITE_BUSY_SNAPSHOT": ("it was changed meanwhile", "Run again."),
            "SQLITE_READONLY": ("there is no permission to write to it", "Work on a copy."),
            "SQLITE_CANTOPEN": ("it cannot be opened", "Look at its path and rights."),
            "SQLITE_FULL": ("the disk is full", "Make room there."),
        }.get(code, ("a statement failed", "It may be damaged, or hold text that is not UTF-8."))
        return (WriteError if writing else SourceError)(self.shown, what, fix)


def _digest(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def _seal(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
