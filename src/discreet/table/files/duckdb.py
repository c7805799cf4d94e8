"""DuckDB databases: one table, attached for reading only; releases are new databases."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import DiscreetError, SourceError, WriteError
from discreet.table.atomic import make_hidden
from discreet.table.engine import (
    ENGINE_ERRORS,
    connect,
    make_nested_error,
    quote_literal,
    stream_answer,
)
from discreet.table.engine import name as quoted
from discreet.table.files.parquet import make_unreadable, scan_slices
from discreet.table.files.sqlite import TABLE, choose_table
from discreet.table.table import Table, check_names

if TYPE_CHECKING:
    import duckdb as engine

MAGIC, PLACE = b"DUCK", 8
"""What a DuckDB file holds, and after how many bytes."""
KEPT = frozenset({
    "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER",
    "UBIGINT", "FLOAT", "DOUBLE", "VARCHAR", "BLOB", "DATE", "TIME", "TIMESTAMP", "TIMESTAMP_S",
    "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE",
})  # fmt: skip
"""Types that pass on unchanged; a HUGEINT, for one, would lose digits, so its text is taken."""
NESTED = ("STRUCT", "MAP", "UNION", "VARIANT")


@dataclass(frozen=True)
class DuckdbSource:
    """One table or view of a database that nothing is written to."""

    path: Path
    table: str
    columns: tuple[str, ...]
    types: tuple[str, ...]

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        for place in (*text, *native):
            if _is_nested(self.types[place]):
                raise make_nested_error(self.path.name, self.columns[place])
        return scan_slices(self._scan, text, native, rows_per_batch, self.path.name)

    def _scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        parts = [f"CAST({quoted(self.columns[place])} AS VARCHAR)" for place in text]
        for place in native:
            column, kind = quoted(self.columns[place]), self.types[place]
            kept = kind in KEPT or kind.startswith("DECIMAL(")
            parts.append(column if kept else f"CAST({column} AS VARCHAR)")
        named = ", ".join(f"{part} AS c{number}" for number, part in enumerate(parts))
        query = f"SELECT {named} FROM {self.table}"
        name = self.path.name
        return stream_answer(_attach(self.path), query, rows_per_batch, name, self._make_failure)

    def _make_failure(self) -> DiscreetError:
        return SourceError(
            self.path.name,
            "its table cannot be read to its end",
            "It may be damaged, or be a view of something outside the database.",
        )


def is_duckdb(path: Path) -> bool:
    """Whether a file starts as DuckDB databases do, whatever its ending."""
    with path.open("rb") as file:
        return file.read(PLACE + len(MAGIC))[PLACE:] == MAGIC


def open_duckdb(path: Path, table: str | None) -> Table:
    """A table of a database: the one named, or the only one there is."""
    connection = _attach(path)
    try:
        tables = _list_tables(connection)
        chosen = choose_table(path.name, table, list(tables))
        query = f"DESCRIBE SELECT * FROM {tables[chosen]}"
        found = [(row[0], row[1]) for row in connection.execute(query).fetchall()]
    except ENGINE_ERRORS:
        found, tables, chosen = [], {}, ""
    finally:
        connection.close()
    if not tables:
        what = "its table cannot be opened"
        fix = "It may be damaged, or be a view of something outside the database."
        raise SourceError(path.name, what, fix)
    columns = tuple(name for name, _ in found)
    check_names(path.name, columns)
    types = tuple(kind for _, kind in found)
    return Table(path.name, columns, DuckdbSource(path, tables[chosen], columns, types), path)


def _attach(path: Path) -> engine.DuckDBPyConnection:
    """An engine with the database as `source`; its views reach nothing outside."""
    connection, why = connect(), None
    try:
        connection.execute(f"ATTACH {quote_literal(str(path))} AS source (READ_ONLY, TYPE duckdb)")
        connection.execute("SET enable_external_access = false")
    except ENGINE_ERRORS as error:
        why = str(error).lower()
    if why is None:
        return connection
    connection.close()
    if "lock" in why:
        what = "another program has it open for writing"
        raise SourceError(path.name, what, "Close it there, or work on a copy.")
    if "encrypt" in why:
        what = "the database is encrypted"
        raise SourceError(path.name, what, "Export the table to a file, and name that file.")
    if "version" in why:
        what = "it was written by a version of DuckDB that cannot be read"
        raise SourceError(path.name, what, "Export the table to Parquet there.")
    raise make_unreadable(path, "a DuckDB database")


def _list_tables(connection: engine.DuckDBPyConnection) -> dict[str, str]:
    """The tables and views, by the name that a user gives, with their full names in SQL."""
    query = (
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'source' "
        "AND NOT internal UNION ALL SELECT schema_name, view_name FROM duckdb_views() "
        "WHERE database_name = 'source' AND NOT internal ORDER BY ALL"
    )
    return {
        table if schema == "main" else f"{schema}.{table}": (
            f"source.{quoted(schema)}.{quoted(table)}"
        )
        for schema, table in connection.execute(query).fetchall()
    }


def _is_nested(kind: str) -> bool:
    return kind.endswith("]") or kind.startswith(NESTED)


# DuckDB databases with one table, `release`.


@dataclass(frozen=True)
class DuckdbSink:
    """A database with the one table `release`, in the types of the release."""

    def select(self, types: Sequence[pa.DataType]) -> list[str]:
        return [f"c{number}" for number in range(len(types))]

    def save(
        self, file: BinaryIO, path: Path, names: Sequence[str], batches: pa.RecordBatchReader
    ) -> None:
        """The engine makes its files by itself, so it does so in a hidden folder."""
        _check_columns(names)
        columns = ", ".join(
            f"{field.name} AS {quoted(name)}"
            for name, field in zip(names, batches.schema, strict=True)
        )
        with make_hidden(path.parent, ".folder") as folder:
            made = folder.path / "release.duckdb"
            connection = connect()
            try:
                connection.register("released", batches)
                connection.execute(f"ATTACH {quote_literal(str(made))} AS out (TYPE duckdb)")
                connection.execute(f"CREATE TABLE out.{TABLE} AS SELECT {columns} FROM released")
                connection.execute("DETACH out")  # with which all is in one file
            finally:
                connection.close()
            with made.open("rb") as source:
                shutil.copyfileobj(source, file, 1 << 22)


def _check_columns(names: Sequence[str]) -> None:
    """Stop at columns that DuckDB takes for the same, such as `Age` and `age`."""
    seen: dict[str, str] = {}
    for name in names:
        first = seen.setdefault(name.casefold(), name)
        if first != name:
            what = f"DuckDB takes the columns '{first}' and '{name}' for the same"
            raise WriteError("the DuckDB release", what, "Write CSV or Parquet.")
