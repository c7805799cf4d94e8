"""Runs random trials until a time is up, on all cores, and prints what was checked.

Every case has a number; the same seed, part and number give the same case again. With ``--state``
the counts are kept in a file after every case, and the next run goes on where this one ended.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from soak.part import Part, make_random

NAMES: tuple[str, ...] = (
    "releases",
    "tampering",
    "ledgers",
    "databases",
    "kills",
    "bad_inputs",
    "texts",
)
"""The parts; each is a module of this folder with a ``PART``."""


@dataclass(frozen=True)
class Ended:
    """How one case ended: what it counted, its CPU seconds, and what went wrong, if anything."""

    part: str
    case: int
    counts: Counter[str]
    cpu: float
    failure: str | None


@dataclass
class Tally:
    """All that was run so far, as it is kept between runs."""

    seed: int
    cpu: float = 0.0
    following: dict[str, int] = field(default_factory=dict)
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    failures: list[dict[str, Any]] = field(default_factory=list)

    def add(self, ended: Ended) -> None:
        """Take the outcome of one case into account."""
        self.cpu += ended.cpu
        counted = self.counts.setdefault(ended.part, Counter())
        counted.update(ended.counts)
        counted["cases"] += 1
        if ended.failure is not None:
            found = {"part": ended.part, "case": ended.case, "what": ended.failure}
            self.failures.append(found)

    def save(self, path: Path) -> None:
        """Write the tally so that the next run can go on from it."""
        unfinished = path.with_name(path.name + ".new")
        unfinished.write_text(json.dumps(self.__dict__, indent=1))
        unfinished.replace(path)

    @classmethod
    def load(cls, path: Path) -> Tally:
        """The tally of an earlier run."""
        kept = json.loads(path.read_text())
        kept["counts"] = {part: Counter(counts) for part, counts in kept["counts"].items()}
        return cls(**kept)


def main() -> None:
    """Parse the command line, run the cases and print the counts; exit 1 if a case failed."""
    parser = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(NAMES))
    parser.add_argument("--minutes", type=float, default=45, help="CPU minutes in all; 45")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", type=int, help="run this case of one part, in this process")
    parser.add_argument("--state", type=Path, help="keep the counts here, and go on from them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    unknown = [name for name in asked.parts if name not in NAMES]
    if unknown:
        parser.error(f"there is no part {', '.join(unknown)}; there are {', '.join(NAMES)}")
    names = tuple(asked.parts) or NAMES
    if asked.case is not None:
        tally = Tally(asked.seed)
        for name in names:
            tally.add(run_case(name, asked.seed, asked.case))
    else:
        resumed = asked.state is not None and asked.state.exists()
        tally = Tally.load(asked.state) if resumed else Tally(asked.seed)
        run_parts(names, tally, 60 * asked.minutes, asked.jobs, asked.state)
    print_tally(tally)
    sys.exit(bool(tally.failures))


def run_parts(
    names: tuple[str, ...], tally: Tally, cpu_seconds: float, jobs: int, state: Path | None = None
) -> None:
    """Run cases of all parts in turn until the CPU seconds are used; add them to the tally."""
    limit = tally.cpu + cpu_seconds
    cases = _name_cases(names, tally)
    running: set[Future[Ended]] = set()
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        while tally.cpu < limit or running:
            while len(running) < jobs and tally.cpu < limit:
                name, number = next(cases)
                tally.following[name] = number + 1
                running.add(pool.submit(run_case, name, tally.seed, number))
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                try:
                    ended = future.result()
                except BrokenProcessPool:
                    print("a case ended its whole process", file=sys.stderr)
                    raise
                tally.add(ended)
                _show(ended, tally)
            if state is not None:
                tally.save(state)
    finally:
        pool.shutdown(cancel_futures=True)


def _name_cases(names: tuple[str, ...], tally: Tally) -> Iterator[tuple[str, int]]:
    """Part and number of each next case, the parts taking turns by their shares."""
    numbers = {name: count(tally.following.get(name, 0)) for name in names}
    shares = {name: load_part(name).share for name in names}
    while True:
        for name in names:
            for _ in range(shares[name]):
                yield name, next(numbers[name])


def run_case(name: str, seed: int, number: int) -> Ended:
    """Run one case in an empty folder; whatever it raises is its failure."""
    part = load_part(name)
    before, failure, counts = _measure_cpu(), None, Counter[str]()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        try:
            counts = part.run_case(make_random(seed, name, number), Path(folder))
        except Exception:  # noqa: BLE001 - any error in a case is a finding, and is shown
            failure = traceback.format_exc()
    return Ended(name, number, counts, _measure_cpu() - before, failure)


def load_part(name: str) -> Part:
    """The part of this name."""
    found: Part = import_module(f"soak.{name}").PART
    return found


def _measure_cpu() -> float:
    """CPU seconds of this process and of the ended ones that it started."""
    used = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _show(ended: Ended, tally: Tally) -> None:
    if ended.failure is not None:
        again = f"python -m soak {ended.part} --seed {tally.seed} --case {ended.case}"
        print(f"FAILED, again with: {again}\n{ended.failure}", flush=True)
    elif sys.stdout.isatty():
        cases = sum(counts["cases"] for counts in tally.counts.values())
        print(f"\r{time.strftime('%H:%M:%S')} {cases} cases, {tally.cpu:.0f} s CPU", end="")


def print_tally(tally: Tally) -> None:
    """Print what was checked, part by part."""
    print(f"\nseed {tally.seed}, {tally.cpu / 60:.1f} minutes of CPU")
    for part, counts in tally.counts.items():
        listed = ", ".join(f"{n:,} {what}" for what, n in sorted(counts.items()) if what != "cases")
        print(f"{part}: {counts['cases']:,} cases: {listed}")
    print(f"{len(tally.failures)} failed")
    for found in tally.failures:
        last = str(found["what"]).strip().splitlines()[-1]
        print(f"  {found['part']} --seed {tally.seed} --case {found['case']}: {last}")


if __name__ == "__main__":
    # Spawned processes find the functions of a module by its name, which this run of it lacks.
    import_module("soak.__main__").main()
