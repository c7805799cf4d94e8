"""A program that is killed leaves no release in PostgreSQL, or a whole one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import discreet
from tests.engines.visits import AGE, K3

POLICY: dict[str, Any] = {"columns": {"age": AGE}, "require": [K3], "seed": 1}
SCRIPT = """
import os, sys
import discreet
from discreet.engines.postgresql import PostgresqlEngine

address, moment = sys.argv[1:]
run = PostgresqlEngine._write

def die(self, sql):
    run(self, sql)
    if sql.startswith(moment):
        os.kill(os.getpid(), 9)

PostgresqlEngine._write = die
policy = {"columns": {"age": {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}}},
          "require": [{"k_anonymity": {"k": 3}}], "seed": 1}
discreet.anonymize(discreet.read(address, table="visits"), policy).write("out")
"""


@pytest.mark.parametrize("moment", ["CREATE TABLE", "ALTER TABLE"], ids=["created", "renamed"])
def test_a_run_that_is_killed_before_it_commits_leaves_nothing(
    postgresql: Any, tmp_path: Path, moment: str
) -> None:
    script = tmp_path / "release.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(script), postgresql.address, moment], check=False)
    assert done.returncode == -9
    assert postgresql.list_tables() == ["visits"]
    discreet.anonymize(postgresql.read(), POLICY).write("out")
    assert postgresql.fetch("out").num_rows == 240
