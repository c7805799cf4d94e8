"""SQLite databases with one table, `release`."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import WriteError
from discreet.table.engine import name as quoted
from discreet.table.sinks.sink import as_text

TABLE = "release"
MOST_COLUMNS = 2000
FIX = "Write CSV or Parquet."


@dataclass(frozen=True)
class SqliteSink:
    """A database with the one table `release`; what SQLite has no type for is stored as text."""

    def select(self, types: Sequence[pa.DataType]) -> list[str]:
        return [
            f"c{number}" if _stored(kind) != "TEXT" else as_text(number, kind)
            for number, kind in enumerate(types)
        ]

    def save(
        self, file: BinaryIO, path: Path, names: Sequence[str], batches: pa.RecordBatchReader
    ) -> None:
        columns = ", ".join(
            f"{quoted(name)} {_stored(field.type)}"
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


def _stored(kind: pa.DataType) -> str:
    small = pa.types.is_integer(kind) and kind != pa.uint64()
    if small or pa.types.is_boolean(kind):
        return "INTEGER"
    if pa.types.is_floating(kind):
        return "REAL"
    return "BLOB" if pa.types.is_binary(kind) else "TEXT"
