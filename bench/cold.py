"""A cold process: from a file to a file, and to the list of commands."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from bench.case import Benchmark, Case, Measured
from bench.child import DISCREET, Ran, run, run_python
from bench.data import file_of, policy_facts
from bench.search import K5

TIMES = 3
COPY = """
import sys, duckdb
source, target = sys.argv[1:]
query = "COPY (SELECT * FROM read_csv(?, delim = ';', all_varchar = true)) TO ? (DELIMITER ';')"
duckdb.execute(query, [source, target])
"""


def best(command: list[str]) -> Ran:
    """The fastest of several runs, after one that fills the caches."""
    run(command)
    return min((run(command) for _ in range(TIMES)), key=lambda ran: ran.wall)


def adult() -> Measured:
    """``discreet anonymize`` on adult, 4 % suppression."""
    source = file_of("adult")
    with tempfile.TemporaryDirectory() as folder:
        policy, out = Path(folder, "policy.yaml"), Path(folder, "out.csv")
        policy.write_text(json.dumps(policy_facts("adult", 0.04, [K5])))
        command = [*DISCREET, "anonymize", str(source), "--policy", str(policy)]
        ours = best([*command, "-o", str(out), "--force", "--json"])
        copied = min((run_python(COPY, str(source), str(out)) for _ in range(TIMES)), key=_wall)
    facts = json.loads(ours.printed)
    return Measured(
        None,
        ours.cpu,
        ours.wall,
        ours.peak,
        facts["optimal"]["nodes_checked"],
        facts["optimal"]["nodes"],
        f"loss {facts['measures']['loss']:.6f}, read to search {facts['seconds']:.2f} s of wall",
        "DuckDB copies the file",
        copied.wall,
        ours.wall,
        "4 to 7",
    )


def show_help() -> Measured:
    """``discreet --help``, against an interpreter that does nothing."""
    ours = best([*DISCREET, "--help"])
    nothing = min((run_python("pass") for _ in range(TIMES)), key=_wall)
    return Measured(
        None,
        ours.cpu,
        ours.wall,
        ours.peak,
        peer="python -c pass",
        peer_seconds=nothing.wall,
        compared=ours.wall,
    )


def _wall(ran: Ran) -> float:
    return ran.wall


BENCHMARK = Benchmark(
    "cold",
    f"A new process from file to file, best of {TIMES} by wall time, as are the peer's.\n"
    "* ARX: recorded elsewhere, seconds of a cold process, not measured in this run.",
    (Case("anonymize adult, 4 %", adult), Case("discreet --help", show_help)),
)
