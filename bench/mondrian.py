"""Mondrian on adult and on 1.2 million rows made from it."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.case import Benchmark, Case, Measured, Watch, own_peak
from bench.data import file_of, policy_facts
from bench.large import more_adults
from bench.search import K5, L3

if TYPE_CHECKING:
    from discreet.algorithms.problem import Problem

EIGHT = "salary-class"
"""The column that is left out of the quasi columns where there are eight."""


def problem_of(large: bool, models: list[Any], sensitive: str) -> Problem:
    """Adult, or more of it, counted; one column is sensitive, the other eight are quasi."""
    path = file_of("adult")
    from discreet.frequency.count import count
    from discreet.pipeline.plan import list_promised_columns, plan_problem
    from discreet.policy.policy import Policy
    from discreet.table.read import read

    policy = Policy(**policy_facts("adult", 0.0, models, sensitive))
    counted = count(
        read(more_adults() if large else path), policy.quasi, list_promised_columns(policy)
    )
    return plan_problem(policy, counted.frequency)


def cut(
    kind: Any, ranges: tuple[str, ...], large: bool, models: list[Any], sensitive: str
) -> Measured:
    """Read or make, count and cut."""
    from discreet.algorithms.mondrian.mondrian import Mondrian

    problem = problem_of(large, models, sensitive)
    started = time.perf_counter()
    with Watch() as watch:
        found = Mondrian(kind, ranges)(problem)
    whole, wall, peak = time.process_time(), time.perf_counter() - started, own_peak()
    result = f"{len(problem.frequency):,} tuples, {len(found.class_sizes):,} classes, "
    result += f"loss {found.measures['loss']:.4f}"
    checked = found.search.nodes_checked
    return Measured(watch.cpu, whole, wall, peak, checked, result=result)


def _case(
    name: str,
    kind: str = "strict",
    ranges: tuple[str, ...] = (),
    large: bool = False,
    models: tuple[dict[str, Any], ...] = (),
    sensitive: str = EIGHT,
) -> Case:
    return Case(name, partial(cut, kind, ranges, large, [K5, *models], sensitive))


BENCHMARK = Benchmark(
    "mondrian",
    "Eight quasi columns of adult, k = 5. search: cuts and measures; checked: cuts tried.\n"
    "Recorded elsewhere, not measured in this run: anonypy, 52 s for 3,816 classes.",
    (
        _case("adult"),
        _case("adult, age in ranges", ranges=("age",)),
        _case("adult, relaxed", "relaxed", ("age",)),
        _case("adult, l = 3", ranges=("age",), models=(L3,), sensitive="occupation"),
        _case("1.2 M rows, age in ranges", ranges=("age",), large=True),
    ),
)
