"""Local recoding: adult against ARX's figure and the bound, and how time grows with the table."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.case import Benchmark, Case, Measured, Watch, own_peak
from bench.data import file_of, policy_facts
from bench.made import made_problem

if TYPE_CHECKING:
    from discreet.algorithms.problem import Problem

ARX = "4.6"
"""ARX's local recoding of adult: granularity 0.941 in 4.3 to 4.9 seconds."""

COPIES = 40
SIZES = (9, 40, 16, 12, 7, 5, 3, 2, 2)
HEIGHTS = (2, 4, 3, 2, 2, 1, 1, 1, 1)


def adult_problem(copies: int = 1) -> Problem:
    """Adult with k = 5, all nine columns quasi; rows drawn with replacement if copies are asked."""
    import numpy as np

    from discreet.frequency.count import count
    from discreet.frequency.frequency_list import FrequencyList
    from discreet.pipeline.plan import plan_problem
    from discreet.policy.policy import Policy
    from discreet.table.read import read

    facts = policy_facts("adult", 0.0, [{"k_anonymity": {"k": 5}}])
    policy = Policy(**{**facts, "measure": "granularity"})
    found = count(read(file_of("adult")), policy.quasi, ()).frequency
    if copies > 1:
        shares = found.rows / found.total
        rows = np.random.default_rng(1).multinomial(found.total * copies, shares)
        there = rows > 0
        codes = tuple(column[there] for column in found.codes)
        found = FrequencyList(found.columns, codes, rows[there], found.values)
    return plan_problem(policy, found)


def solve(problem: Problem, seconds: float | None, passes: int, recorded: str = "") -> Measured:
    """Search a problem after the kernels were loaded on a small one, and work out the bound."""
    from discreet.algorithms.floors import find_floor_bound
    from discreet.algorithms.local.local import Local

    Local()(made_problem((4, 3), (1, 1), 60, 0.0, 1))
    started = time.perf_counter()
    with Watch() as watch:
        found = Local()(problem, seconds)
    wall, peak = time.perf_counter() - started, own_peak()
    score, bound = found.measures[problem.measure.name], found.search.bound
    result = f"{problem.total:,} rows, {len(problem.frequency):,} tuples, "
    result += f"{problem.measure.name} {score:.5f}, bound {bound:.5f}, "
    result += (
        f"{len(found.class_sizes):,} classes, {len(problem.frequency) / watch.cpu:,.0f} tuples/s"
    )
    if passes:
        with Watch() as raising:
            raised = find_floor_bound(problem, passes)
        result += f", bound raised {passes} times {raised:.5f} in {raising.cpu:.1f} s"
    checked, nodes = found.search.nodes_checked, found.search.nodes
    whole = time.process_time()
    return Measured(watch.cpu, whole, wall, peak, checked, nodes, result, recorded=recorded)


def adult(seconds: float | None, passes: int, copies: int = 1) -> Measured:
    """Adult, or more rows drawn from it."""
    return solve(adult_problem(copies), seconds, passes, ARX if copies == 1 else "")


def made(rows: int) -> Measured:
    """A made table in which most tuples occur once."""
    return solve(made_problem(SIZES, HEIGHTS, rows, 0.0, 1), None, 0)


def _made(rows: int) -> Case:
    run: Any = partial(made, rows)
    return Case(f"made, {rows:,} rows", run)


BENCHMARK = Benchmark(
    "local",
    "Levels for each class, k = 5. search: the whole of local recoding with its bound, kernels\n"
    "loaded before; whole: with imports, reading and a bound that is raised.\n"
    "* ARX: CPU seconds of its local recoding as recorded elsewhere (granularity 0.941).",
    (
        Case("adult", lambda: adult(None, 3)),
        Case("adult, 10 seconds", lambda: adult(10.0, 0)),
        Case("adult, 1.2 M rows", lambda: adult(None, 0, COPIES)),
        _made(25_000),
        _made(100_000),
        _made(1_200_000),
    ),
)
