"""Each engine with the small table of visits in it, and the same table as a file."""

from __future__ import annotations

import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import adbc_driver_postgresql.dbapi as driver
import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import discreet
from discreet.table.table import Table
from tests.engines.postgresql_server import start_postgresql
from tests.engines.spark_place import SparkPlace, SparkServer, open_place, start_spark
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


class SqlitePlace:
    """A SQLite file that is worked on in place."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "clinic.sqlite"
        visits = make_visits()
        with closing(sqlite3.connect(self.path)) as connection:
            connection.execute(
                "CREATE TABLE visits (age INTEGER, zip TEXT COLLATE NOCASE, town TEXT, born TEXT, "
                "member BOOLEAN, pay REAL, disease TEXT, id INTEGER)"
            )
            cells = zip(*(column.to_pylist() for column in visits.columns), strict=True)
            rows = [[str(c) if isinstance(c, date) else c for c in row] for row in cells]
            connection.executemany("INSERT INTO visits VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            connection.commit()
        self.address = f"sqlite:///{self.path}"
        self.copy = folder / "copy.sqlite"
        shutil.copy(self.path, self.copy)

    def read_file(self) -> Table:
        return discreet.read(self.copy)

    def read(self, table: str = "visits") -> Table:
        return discreet.read(self.address, table=table)

    def fetch(self, table: str) -> pa.Table:
        with closing(sqlite3.connect(self.path)) as connection:
            cursor = connection.execute(f"SELECT * FROM {table}")
            names = [one[0] for one in cursor.description]
            rows = cursor.fetchall()
        cells = zip(*rows, strict=True) if rows else [[] for _ in names]
        return pa.table(
            {name: pa.array(list(some)) for name, some in zip(names, cells, strict=True)}
        )

    def list_tables(self) -> list[str]:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        with closing(sqlite3.connect(self.path)) as connection:
            return [row[0] for row in connection.execute(query)]


class PostgresqlPlace:
    """A database of its own on the one server of the session."""

    def __init__(self, folder: Path, server: Any) -> None:
        self.server, self.name = server, f"clinic_{secrets.token_hex(4)}"
        server.psql(f"CREATE DATABASE {self.name}")
        self.address = server.get_uri(self.name)
        visits = make_visits()
        with driver.connect(self.address) as connection, connection.cursor() as cursor:
            cursor.adbc_ingest("visits", visits)
            cursor.execute("ALTER TABLE visits ALTER COLUMN zip TYPE varchar(20)")
            connection.commit()
        self.copy = folder / "copy.parquet"
        pq.write_table(visits, self.copy)

    def read_file(self) -> Table:
        return discreet.read(self.copy)

    def read(self, table: str = "visits") -> Table:
        return discreet.read(self.address, table=table)

    def run(self, sql: str) -> None:
        with driver.connect(self.address, autocommit=True) as connection:
            connection.cursor().execute(sql)

    def fetch(self, table: str) -> pa.Table:
        with driver.connect(self.address) as connection, connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM {table}")
            return cursor.fetch_arrow_table()

    def list_tables(self) -> list[str]:
        query = "(SELECT relname FROM pg_stat_user_tables ORDER BY 1) AS tables"
        return self.fetch(query).column(0).to_pylist()


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[Any]:
    """A real PostgreSQL, started once."""
    with start_postgresql() as (server, _):
        yield server


@pytest.fixture
def duckdb_place(tmp_path: Path) -> DuckdbPlace:
    return DuckdbPlace(tmp_path)


@pytest.fixture
def postgresql(tmp_path: Path, postgresql_server: Any) -> PostgresqlPlace:
    return PostgresqlPlace(tmp_path, postgresql_server)


@pytest.fixture(scope="session")
def spark_server() -> SparkServer:
    """A real Spark, started once."""
    return start_spark()


@pytest.fixture
def spark(spark_server: SparkServer) -> Iterator[SparkPlace]:
    with open_place(spark_server, "classic") as place:
        yield place


@pytest.fixture
def spark_connect(spark_server: SparkServer) -> Iterator[SparkPlace]:
    with open_place(spark_server, "connect") as place:
        yield place


@pytest.fixture(params=["duckdb", "sqlite", "postgresql", "spark", "spark_connect"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Each engine in turn."""
    if request.param in ("duckdb", "sqlite"):
        return {"duckdb": DuckdbPlace, "sqlite": SqlitePlace}[request.param](tmp_path)
    return request.getfixturevalue(request.param)
