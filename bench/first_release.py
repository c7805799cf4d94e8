"""From a raw file to a first release, and whether the figures of advice are true."""

from __future__ import annotations

import json
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from bench.case import Benchmark, Case, Measured, Skip, Watch, own_peak
from bench.child import DISCREET, run
from bench.data import DATA

BEFORE = 0.358
"""Granularity of adult's first release before settings were tried and hierarchies learnt."""

POLICIES = 50


def find_raw(table: str) -> Path:
    """The file as it was published."""
    path = DATA / table / f"{table}.csv"
    if not path.is_file():
        raise Skip(f"there is no ../shared/data/{table}/{table}.csv")
    return path


def release_raw(table: str) -> Measured:
    """``inspect --write-policy`` on a file without any hierarchy, then the line that it prints."""
    source = find_raw(table)
    with tempfile.TemporaryDirectory() as folder:
        policy, out = Path(folder, "first.yaml"), Path(folder, "out.csv")
        looked = run([*DISCREET, "inspect", str(source), "--write-policy", str(policy), "--quiet"])
        call = [*DISCREET, "anonymize", str(source), "--policy", str(policy), "-o", str(out)]
        made = run([*call, "--json"])
        run([*DISCREET, "verify", str(out), "--policy", str(policy), "--quiet"])
    facts = json.loads(made.printed)
    tops = {name for name, level in facts["levels"].items() if level == facts["heights"][name]}
    told = f"granularity {facts['measures']['granularity']:.3f}"
    if table == "adult":
        told += f" ({BEFORE} before)"
    lost = ", ".join(sorted(name for name in tops if facts["heights"][name])) or "none"
    told += f", {facts['algorithm']}, {facts['rows_suppressed']:,} rows suppressed, * only: {lost}"
    return Measured(
        None,
        looked.cpu + made.cpu,
        looked.wall + made.wall,
        max(looked.peak, made.peak),
        result=f"{told}; inspect {looked.wall:.1f} s of wall; verified",
    )


def advise_on_adult() -> Measured:
    """The best that advice finds for adult's first policy."""
    from discreet.pipeline.advice.advise import advise
    from discreet.pipeline.advice.first_policy import first_policy, parse_policy_text

    source = find_raw("adult")
    policy = parse_policy_text(first_policy(source).text)
    with Watch() as watch:
        found = advise(source, policy, seconds=120)
    told = [f"{one.kept.granularity:.3f} by {one.text}" for one in _list_best(found)]
    return Measured(None, watch.cpu, watch.wall, own_peak(), result="; ".join(told))


def _list_best(found: Any) -> list[Any]:
    """The best suggestion that keeps every promise, and the best of all."""
    most = max(found.suggestions, key=lambda one: one.kept.granularity, default=None)
    return [one for one in (found.best, most) if one is not None]


def check_figures() -> Measured:
    """Every try of advice on random policies against a run of the changed policy."""
    from tests.pipeline.advice.random_policies import (
        advise_or_refuse,
        find_differences,
        make_cases,
        read_draft,
    )

    tried, refused, wrong = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder, Watch() as watch:
        for number, (draft, table) in enumerate(make_cases(Path(folder), POLICIES)):
            found = advise_or_refuse(table, read_draft(draft, Path(folder, f"case{number}")))
            if found is None:
                refused += 1
                continue
            tried += len(found.tried)
            wrong += len(find_differences(table, found))
    result = f"{POLICIES} policies ({refused} refused), {tried} tries, {wrong} with wrong figures"
    return Measured(None, watch.cpu, watch.wall, own_peak(), result=result)


BENCHMARK = Benchmark(
    "first_release",
    "A first release of a raw file without hierarchies, by two cold commands; advice on it; and\n"
    "the figures that advice prints against those of running the changed policy.",
    (
        Case("adult, raw to release", partial(release_raw, "adult")),
        Case("adult, advice", advise_on_adult),
        Case(f"{POLICIES} random policies", check_figures),
    ),
)
