"""Disclosure limitation techniques on a made table."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bench.case import Benchmark, Case, Measured, Watch, own_peak

if TYPE_CHECKING:
    from discreet.table.table import Table

ROWS = int(os.environ.get("DISCREET_BENCH_ROWS", "1000000"))
NUMBERS = ("age", "income", "weight")
WORDS = ("zip", "job")


def people(rows: int) -> Table:
    """Ages, skewed incomes that follow them, weights, ZIP codes and jobs."""
    import numpy as np
    import pyarrow as pa

    from discreet.table.read import read

    draw = np.random.default_rng(7)
    age = draw.integers(0, 95, rows)
    income = np.exp(8 + 0.02 * age + draw.normal(0, 0.7, rows))
    numbers = {"age": age, "income": income, "weight": draw.normal(70, 12, rows)}
    zips = pa.array([f"021{n:02d}" for n in range(40)]).take(draw.integers(0, 40, rows))
    jobs = pa.array(["nurse", "clerk", "cook", "judge"]).take(draw.integers(0, 4, rows))
    return read(pa.table({**numbers, "zip": zips, "job": jobs}))


def timed(make: Callable[[], Any]) -> Measured:
    """Compile on a small table, then time one call on the large one."""
    technique, table = make(), people(ROWS)
    technique(people(2000), 1)
    started = time.perf_counter()
    with Watch() as watch:
        released = technique(table, 1)
    wall, whole, peak = time.perf_counter() - started, time.process_time(), own_peak()
    told = [notice.rpartition("; ")[2] for notice in released.notices if "SSE" in notice]
    return Measured(watch.cpu, whole, wall, peak, result=" ".join(told))


def _make(name: str, *given: Any, **more: Any) -> Any:
    return getattr(import_module("discreet.techniques"), name)(*given, **more)


def _case(title: str, *given: Any, **more: Any) -> Case:
    return Case(title, partial(timed, partial(_make, *given, **more)))


BENCHMARK = Benchmark(
    "techniques",
    f"{ROWS:,} made rows in memory, three columns of numbers unless stated. search: one call, the\n"
    "kernels compiled before; whole: with making the rows and compiling.",
    (
        _case("suppress", "SuppressValues", WORDS, rarer_than=5),
        _case("swap a unit", "Swap", ("zip", "age"), share=0.5),
        _case("rank swap, two", "RankSwap", ("age", "income")),
        _case("shuffle", "Shuffle", WORDS),
        _case("shuffle, given", "Shuffle", ("income",), given=("age",)),
        _case("pram, two", "Pram", WORDS, share=0.2),
        _case("sample, stratified", "SampleRows", 0.1, within=("zip",)),
        _case("add tuples", "AddTuples", 0.2),
        _case("scramble", "Scramble"),
        _case("noise", "Noise", NUMBERS),
        _case("noise, correlated", "Noise", NUMBERS, kind="correlated"),
        _case("perturb", "Perturb", NUMBERS),
        _case("round, controlled", "RoundValues", NUMBERS, 5, "controlled"),
        _case("top code", "TopCode", NUMBERS, quantile=0.99),
        _case("outliers", "OutliersToMedian", NUMBERS),
        _case("microaggregate, one", "Microaggregate", ("income",), 5),
        _case("microaggregate, k 3", "Microaggregate", NUMBERS, 3),
        _case("microaggregate, k 5 fixed", "Microaggregate", NUMBERS, 5, "fixed"),
        _case("microaggregate, k 25", "Microaggregate", NUMBERS, 25),
    ),
)
