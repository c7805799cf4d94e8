"""A cold process: commands on small files, and what the first use after installing costs more."""

from __future__ import annotations

import json
import tempfile
from functools import partial
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


ANONYMIZE = """
columns:
  birth: {role: quasi, hierarchy: {dates: [month, year, 5 years, 10 years, 20 years]}}
  sex: {role: quasi}
  zip: {role: quasi, hierarchy: {prefix: [4, 3]}}
  race: {role: quasi}
  diagnosis: {role: sensitive}
require: [{k_anonymity: {k: 5}}%s]
suppress: 0.03
seed: 1
algorithm: %s
"""
DIVERSE = ", {l_diversity: {column: diagnosis, ell: 3}}"


def on_town(*arguments: str, algorithm: str = "optimal", model: str = "") -> Measured:
    """A command on the hospital's file of the demo, 8,000 rows, with a cache of loops of its own.

    The first run finds no compiled loops; the others find those that it has left.
    """
    with tempfile.TemporaryDirectory() as folder:
        run([*DISCREET, "demo", "--folder", folder, "--quiet"])
        Path(folder, "own.yaml").write_text(ANONYMIZE % (model, algorithm))
        command = [*DISCREET, *(one.format(town=folder) for one in arguments), "--json"]
        cache = str(Path(folder, "cache"))
        first = run(command, NUMBA_CACHE_DIR=cache)
        ours = min((run(command, NUMBA_CACHE_DIR=cache) for _ in range(TIMES)), key=_wall)
        return Measured(
            None,
            ours.cpu,
            ours.wall,
            ours.peak,
            result=f"first use {first.cpu - ours.cpu:+.2f} s of CPU",
        )


HOSPITAL = "{town}/hospital.csv"
RELEASE = ("anonymize", HOSPITAL, "--policy", "{town}/own.yaml", "-o", "{town}/own.csv", "--force")
DEMO = ("anonymize", HOSPITAL, "--policy", "{town}/policy.yaml", "-o", "{town}/own.csv", "--force")
TOWN = {
    "inspect": partial(on_town, "inspect", HOSPITAL),
    "identify": partial(on_town, "identify", HOSPITAL),
    "risk": partial(on_town, "risk", HOSPITAL, "-q", "birth", "-q", "zip", "-q", "sex"),
    "verify": partial(on_town, "verify", "{town}/release.csv", "--policy", "{town}/policy.yaml"),
    "anonymize, demo's policy": partial(on_town, *DEMO),
    "optimal, k": partial(on_town, *RELEASE),
    "optimal, k and l": partial(on_town, *RELEASE, model=DIVERSE),
    "mondrian": partial(on_town, *RELEASE, algorithm="mondrian"),
    "local": partial(on_town, *RELEASE, algorithm="local"),
}
"""Commands on the hospital of the demo."""


def _wall(ran: Ran) -> float:
    return ran.wall


BENCHMARK = Benchmark(
    "cold",
    f"A new process from file to file, best of {TIMES} by wall time, as are the peer's. The first\n"
    "use after installing, when no loop is compiled, takes so many seconds of CPU more.\n"
    "* ARX: recorded elsewhere, seconds of a cold process, not measured in this run.",
    (
        Case("anonymize adult, 4 %", adult),
        Case("discreet --help", show_help),
        *(Case(name, case) for name, case in TOWN.items()),
    ),
)
