"""The exact search on the tables that ARX's figures are known for."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.case import Benchmark, Case, Measured, Watch, own_peak
from bench.data import file_of, policy_of

if TYPE_CHECKING:
    from discreet.algorithms.problem import Problem

SAMPLE = 24
K5: dict[str, Any] = {"k_anonymity": {"k": 5}}
L3: dict[str, Any] = {"l_diversity": {"column": "occupation", "ell": 3}}
T2: dict[str, Any] = {"t_closeness": {"column": "occupation", "t": 0.2}}


def numpy_seconds(problem: Problem, nodes: int) -> float:
    """CPU time to count as many nodes by sorting keys with numpy, from a sample of nodes."""
    import numpy as np

    lattice, frequency = problem.lattice, problem.frequency
    random = np.random.default_rng(0)
    heights = np.array(lattice.top)
    with Watch() as watch:
        for _ in range(SAMPLE):
            node = random.integers(0, heights + 1)
            key = np.zeros(len(frequency), dtype=np.int64)
            for codes, h, level in zip(frequency.codes, lattice.hierarchies, node, strict=True):
                key = key * h.size(int(level)) + h.maps[level][codes]
            _, inverse = np.unique(key, return_inverse=True)
            np.bincount(inverse, weights=frequency.rows)
    return watch.cpu / SAMPLE * nodes


def solve(problem: Problem, seconds: float | None = None, recorded: str = "") -> Measured:
    """Search a problem, and say what counting as many nodes costs without roll-up."""
    from discreet.algorithms.optimal.optimal import Optimal

    started = time.perf_counter()
    with Watch() as watch:
        found = Optimal()(problem, seconds)
    whole, wall, peak = time.process_time(), time.perf_counter() - started, own_peak()
    score = found.measures[problem.measure.name]
    result = f"{len(problem.frequency):,} tuples, {problem.measure.name} {score:.6f}, "
    result += f"{found.suppressed:,} rows suppressed, "
    if found.search.proven:
        result += "proven"
    else:
        bound = found.search.bound
        result += f"bound {bound:.6f}, gap {(score - bound) / score:.1%}"
    return Measured(
        watch.cpu,
        whole,
        wall,
        peak,
        found.search.nodes_checked,
        found.search.nodes,
        result,
        "numpy, no roll-up",
        numpy_seconds(problem, found.search.nodes_checked),
        watch.cpu,
        recorded,
    )


def search(
    table: str, suppress: float, models: list[Any], sensitive: str | None, recorded: str
) -> Measured:
    """Read, count and search one of the known tables."""
    path = file_of(table)
    from discreet.frequency.count import count
    from discreet.pipeline.plan import list_promised_columns, plan_problem
    from discreet.table.read import read

    policy = policy_of(table, suppress, models, sensitive)
    counted = count(read(path), policy.quasi, list_promised_columns(policy))
    return solve(plan_problem(policy, counted.frequency), recorded=recorded)


def _case(
    name: str,
    table: str,
    suppress: float,
    recorded: str,
    models: tuple[dict[str, Any], ...] = (),
    sensitive: str | None = None,
) -> Case:
    return Case(name, partial(search, table, suppress, [K5, *models], sensitive, recorded))


BENCHMARK = Benchmark(
    "search",
    "Best node of the lattice, measure loss, k = 5. search: the search alone; whole: with\n"
    "imports, reading and counting. Peer: as many nodes counted with numpy, from a sample.\n"
    "* ARX: CPU seconds of its search as recorded elsewhere, not measured in this run.",
    (
        _case("adult, suppress 0", "adult", 0.0, "0.04"),
        _case("adult, suppress 4 %", "adult", 0.04, "1.1"),
        _case("adult, suppress 100 %", "adult", 1.0, "3.9"),
        _case("adult, 4 %, l = 3", "adult", 0.04, "0.5", (L3,), "occupation"),
        _case("adult, 4 %, t = 0.2", "adult", 0.04, "1.1", (T2,), "occupation"),
        _case("cup, suppress 0", "cup", 0.0, "0.3"),
        _case("cup, suppress 4 %", "cup", 0.04, "11"),
        _case("cup, suppress 100 %", "cup", 1.0, "47"),
    ),
)
