"""Each engine with the small table of visits in it, and the same table as a file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

import discreet
from discreet.table.table import Table
from tests.engines.visits import make_visits


class DuckdbPlace:
    """A DuckDB file that is worked on in place."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "clinic.duckdb"
        with duckdb.connect(str(self.path)) as connection:
            connection.register("given", make_visits())
            connection.execute("CREATE TABLE visits AS SELECT * FROM given")
        self.address = f"duckdb:///{self.path}"
        self.copy = folder / "copy.duckdb"
        shutil.copy(self.path, self.copy)

    def read_file(self) -> Table:
        """The same table as a file."""
        return discreet.read(self.copy)

    def read(self, table: str = "visits") -> Table:
        return discreet.read(self.address, table=table)

    def fetch(self, table: str) -> pa.Table:
        """The rows of a table, read by other means."""
        with duckdb.connect(str(self.path)) as connection:
            return connection.sql(f"SELECT * FROM {table}").to_arrow_table()

    def list_tables(self) -> list[str]:
        with duckdb.connect(str(self.path)) as connection:
            return sorted(row[0] for row in connection.execute("SHOW TABLES").fetchall())


@pytest.fixture(params=["duckdb"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[DuckdbPlace]:
    yield DuckdbPlace(tmp_path)
