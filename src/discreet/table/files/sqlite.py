"""SQLite databases: one table, read as a stream."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import DiscreetError, SourceError, WriteError, argument, did_you_mean
from discreet.table.engine import name as quoted
from discreet.table.files.parquet import make_unreadable
from discreet.table.files.sink import write_as_text
from discreet.table.table import Table, check_names

NATIVE = {"integer": pa.int64(), "real": pa.float64(), "text": pa.string(), "blob": pa.binary()}


@dataclass(frozen=True)
class SqliteSource:
    """One table or view of a database, opened for reading only."""

    path: Path
    table: str
    columns: tuple[str, ...]
    is_view: bool

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        try:
            types = [self._type(self.columns[i]) for i in native]
        except sqlite3.Error:
            types = None
        if types is None:
            raise self._make_failure()
        parts = [write_cell_text(quoted(self.columns[i])) for i in text]
        for place, kind in zip(native, types, strict=True):
            column = quoted(self.columns[place])
            parts.append(write_cell_text(column) if kind is None else column)
        fields = [pa.string()] * len(text) + [kind or pa.string() for kind in types]
        schema = pa.schema((f"c{n}", kind) for n, kind in enumerate(fields))
        query = f"SELECT {', '.join(parts)} FROM {self._write_from_clause()}"
        return pa.RecordBatchReader.from_batches(
            schema, self._read_batches(query, schema, rows_per_batch)
        )

    def _read_batches(
        self, query: str, schema: pa.Schema, rows_per_batch: int
    ) -> Iterator[pa.RecordBatch]:
        broken = False
        try:
            with closing(_connect(self.path)) as connection:
                cursor = connection.execute(query)
                while rows := cursor.fetchmany(rows_per_batch):
                    arrays = [
                        pa.array(cells, field.type)
                        for cells, field in zip(zip(*rows, strict=True), schema, strict=True)
                    ]
                    yield pa.RecordBatch.from_arrays(arrays, schema=schema)
        except (sqlite3.Error, pa.ArrowException, UnicodeError):
            broken = True
        if broken:
            raise self._make_failure()

    def _type(self, column: str) -> pa.DataType | None:
        """The type all values of a column share; None if they share none, and text must do."""
        query = f"SELECT DISTINCT typeof({quoted(column)}) FROM {self._write_from_clause()}"
        with closing(_connect(self.path)) as connection:
            kinds = {kind for (kind,) in connection.execute(query)} - {"null"}
        return NATIVE[kinds.pop()] if len(kinds) == 1 else None

    def _write_from_clause(self) -> str:
        """The table in its own order: an index might give another."""
        return quoted(self.table) + ("" if self.is_view else " NOT INDEXED")

    def _make_failure(self) -> DiscreetError:
        return SourceError(
            self.path.name,
            f"table '{self.table}' cannot be read to its end",
            "It may be damaged, locked by another program, or hold text that is not UTF-8.",
        )


def open_sqlite(path: Path, table: str | None) -> Table:
    """A table of a database: the one named, or the only one there is."""
    if _is_cut_off(path):
        raise make_unreadable(path, "a whole SQLite database")
    try:
        kinds = _list_tables(path)
        table = choose_table(path.name, table, list(kinds))
        with closing(_connect(path)) as connection:
            rows = connection.execute(f"PRAGMA table_xinfo({quoted(table)})").fetchall()
    except sqlite3.Error:
        kinds = {}
    if not kinds or table is None:
        raise make_unreadable(path, "a SQLite database")
    columns = tuple(row[1] for row in rows if row[6] != 1)
    check_names(path.name, columns)
    source = SqliteSource(path, table, columns, kinds[table] == "view")
    return Table(path.name, columns, source, path)


def _is_cut_off(path: Path) -> bool:
    """Whether the file has fewer pages than its header says; SQLite would read zeros for them."""
    with path.open("rb") as file:
        head = file.read(100)
    if len(head) < 100 or head[24:28] != head[92:96]:  # the count of pages is not kept up
        return False
    size = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    return path.stat().st_size < pages * (65_536 if size == 1 else size)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False, timeout=10
    )
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def _list_tables(path: Path) -> dict[str, str]:
    query = (
        "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    )
    with closing(_connect(path)) as connection:
        return dict(connection.execute(query).fetchall())


def choose_table(name: str, table: str | None, tables: list[str]) -> str:
    """The table of a database that was named, or the only one there is."""
    if table is None and len(tables) == 1:
        return tables[0]
    if table in tables:
        return str(table)
    if not tables:
        raise SourceError(name, "the database has no tables", "Give another database.")
    if table is None:
        raise SourceError(
            name,
            f"the database has {len(tables)} tables",
            f"Name one of them with {argument('sheet')}: {', '.join(tables[:20])}.",
        )
    raise SourceError(name, f"there is no table {table!r}", did_you_mean(table, tables))


def write_cell_text(column: str) -> str:
    """SQL for the text of a value: numbers so that they read back the same, bytes as hex."""
    return (
        f"CASE typeof({column}) WHEN 'blob' THEN hex({column}) WHEN 'real' THEN "
        f"CASE WHEN CAST(CAST({column} AS TEXT) AS REAL) = {column} THEN CAST({column} AS TEXT) "
        f"ELSE printf('%!.17g', {column}) END ELSE CAST({column} AS TEXT) END"
    )


# SQLite databases with one table, `release`.


TABLE = "release"
MOST_COLUMNS = 2000
FIX = "Write CSV or Parquet."


@dataclass(frozen=True)
class SqliteSink:
    """A database with the one table `release`; what SQLite has no type for is stored as text."""

    def select(self, types: Sequence[pa.DataType]) -> list[str]:
        return [
            f"c{number}" if _choose_type(kind) != "TEXT" else write_as_text(number, kind)
            for number, kind in enumerate(types)
        ]

    def save(
        self, file: BinaryIO, path: Path, names: Sequence[str], batches: pa.RecordBatchReader
    ) -> None:
        columns = ", ".join(
            f"{quoted(name)} {_choose_type(field.type)}"
            for name, field in zip(names, batches.schema, strict=True)
        )
        _check_columns(names)
        insert = f"INSERT INTO {TABLE} VALUES ({', '.join('?' * len(names))})"
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for setting in ("journal_mode = OFF", "synchronous = OFF", "temp_store = MEMORY"):
                connection.execute(f"PRAGMA {setting}")
            connection.execute("BEGIN")
            connection.execute(f"CREATE TABLE {TABLE} ({columns})")
            for batch in batches:
                cells = (column.to_pylist() for column in batch.columns)
                connection.executemany(insert, zip(*cells, strict=True))
            connection.execute("COMMIT")


def _check_columns(names: Sequence[str]) -> None:
    """Stop at columns that SQLite would refuse; it takes `Age` and `age` for the same."""
    if len(names) > MOST_COLUMNS:
        what = f"SQLite holds at most {MOST_COLUMNS:,} columns, and there are {len(names):,}"
        raise WriteError("the SQLite release", what, FIX)
    seen: dict[bytes, str] = {}
    for name in names:
        first = seen.setdefault(name.encode().lower(), name)  # bytes: only ASCII letters fold
        if first != name:
            what = f"SQLite takes the columns '{first}' and '{name}' for the same"
            raise WriteError("the SQLite release", what, FIX)


def _choose_type(kind: pa.DataType) -> str:
    small = pa.types.is_integer(kind) and kind != pa.uint64()
    if small or pa.types.is_boolean(kind):
        return "INTEGER"
    if pa.types.is_floating(kind):
        return "REAL"
    return "BLOB" if pa.types.is_binary(kind) else "TEXT"
