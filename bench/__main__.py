"""Runs the benchmarks that were named, or all, each case in a process of its own."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from importlib import import_module

from bench.case import Benchmark, Measured, Skip, from_plain, plain
from bench.show import heading, line

NAMES = (
    "search",
    "large",
    "lattice",
    "local",
    "mondrian",
    "kernel",
    "cold",
    "rows",
    "parquet_rows",
    "engines",
    "anjana",
    "suppress",
    "masking",
    "minimal_keys",
    "risk",
    "one_dimensional",
    "linking",
    "presence",
    "scrub",
    "techniques",
    "pseudonyms",
    "first_release",
)
MARK = "measured: "


def main() -> None:
    """Parse the command line, run, and print one table a benchmark."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(NAMES))
    parser.add_argument("--large", action="store_true", help="the cases that take long, too")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    given = parser.parse_args()
    unknown = [name for name in given.names if name not in NAMES]
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are {', '.join(NAMES)}")
    if given.case is not None:
        run_here(_load(given.names[0]), given.case)
        return
    for name in given.names or NAMES:
        benchmark = _load(name)
        print(heading(benchmark), flush=True)
        for case in benchmark.cases:
            wanted = given.large or not case.large
            found = run_apart(name, case.name) if wanted else "left out: give --large"
            print(line(case.name, found), flush=True)
        print(flush=True)


def run_here(benchmark: Benchmark, name: str) -> None:
    """Run one case in this process and print its figures for the process that asked."""
    case = next(case for case in benchmark.cases if case.name == name)
    try:
        facts = plain(case.run())
    except Skip as reason:
        facts = {"skipped": str(reason)}
    print(MARK + json.dumps(facts))


def run_apart(benchmark: str, case: str) -> Measured | str:
    """Run one case in a new process; a text says why there are no figures."""
    command = [sys.executable, "-m", "bench", benchmark, "--case", case]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    last = next((text for text in done.stdout.splitlines()[::-1] if text.startswith(MARK)), None)
    if last is None:
        said = done.stderr.strip().splitlines() or ["no message"]
        return f"failed (exit {done.returncode}): {said[-1]}"
    facts = json.loads(last.removeprefix(MARK))
    return f"skipped: {facts['skipped']}" if "skipped" in facts else from_plain(facts)


def _load(name: str) -> Benchmark:
    found: Benchmark = import_module(f"bench.{name}").BENCHMARK
    return found


if __name__ == "__main__":
    main()
