"""One Spark for all tests of a process, classic and Connect."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import discreet
from discreet.table.table import Table
from tests.engines.visits import make_visits

JAVA = (
    "Spark needs Java 17 or newer, and there is no java on the PATH. "
    "On Debian and Ubuntu: apt install openjdk-17-jre-headless; elsewhere see adoptium.net."
)


class SparkServer:
    """A local Spark whose one process serves a classic session and a Connect server."""

    def __init__(self, folder: Path) -> None:
        if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
            pytest.fail(JAVA, pytrace=False)
        from pyspark.sql import SparkSession
        from pyspark.sql.connect.session import SparkSession as ConnectSession

        with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as free:
            port = free.getsockname()[1]
        settings = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.log.level": "OFF",
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
            "spark.local.dir": str(folder / "local"),
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.memory": "1g",
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
            "spark.connect.grpc.binding.address": "127.0.0.1",
            "spark.connect.grpc.binding.port": str(port),
        }
        self.folder, self.address = folder, f"sc://127.0.0.1:{port}"
        self.classic: Any = (
            SparkSession.builder.master("local[1]").config(map=settings).getOrCreate()
        )
        self.connect: Any = ConnectSession.builder.remote(self.address).create()
        self.visits = folder / "visits.parquet"
        pq.write_table(make_visits(), self.visits)

    def stop(self) -> None:
        self.connect.stop()
        self.classic.stop()
        shutil.rmtree(self.folder)


@cache
def start_spark() -> SparkServer:
    """The Spark of this process, which ends with it; other tests may use it after the first."""
    server = SparkServer(Path(tempfile.mkdtemp(prefix="discreet-spark-")))
    atexit.register(server.stop)
    return server


class SparkPlace:
    """The schema ``default``, as one of the two kinds of session sees it."""

    schema = "default"

    def __init__(self, server: SparkServer, session: Any, address: str) -> None:
        self.server, self.session, self.address = server, session, address
        session.sql(f"CREATE TABLE visits USING parquet LOCATION '{server.visits}'")

    def read_file(self) -> Table:
        """The same table as a file."""
        return discreet.read(self.server.visits)

    def read(self, table: str = "visits") -> Table:
        return discreet.read(self.session, table=table)

    def run(self, sql: str) -> None:
        self.session.sql(sql)

    def fetch(self, table: str) -> pa.Table:
        """The rows of a table, read by other means."""
        return self.session.table(table).toArrow()

    def list_tables(self) -> list[str]:
        rows = self.session.sql(f"SHOW TABLES IN {self.schema}").collect()
        return sorted(row["tableName"] for row in rows if not row["isTemporary"])


@contextlib.contextmanager
def open_place(server: SparkServer, kind: str) -> Iterator[SparkPlace]:
    """The schema with the visits, empty after the test."""
    session = getattr(server, kind)
    place = SparkPlace(server, session, server.address if kind == "connect" else "spark://local[1]")
    yield place
    for table in place.list_tables():
        session.sql(f"DROP TABLE {table}")
