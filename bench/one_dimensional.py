"""One-dimensional masking of 250,000 rows, ten columns, into 25 buckets each."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from bench.case import Benchmark, Case, Measured, Watch, own_peak

ROWS, COLUMNS, BUCKETS = 250_000, 10, 25
PEOPLE = 6 * BUCKETS**COLUMNS
"""A population so large that pairs of people leave about that many values to each column."""


def made(repeats: bool) -> Any:
    """Ten columns of amounts as a bank has them, whole or in cents, seldom twice the same."""
    import numpy as np

    random = np.random.default_rng(0)
    amounts = random.lognormal(8.0, 1.0, (COLUMNS, ROWS))
    if repeats:
        return amounts.round(0)
    return amounts


def masked(method: str, columns: int, repeats: bool) -> Measured:
    """Sort or sample each column, part it, and put every row into its bucket."""
    import numpy as np

    from discreet.algorithms.probabilistic.clusters import cluster_values
    from discreet.algorithms.probabilistic.column_mask import cut_quantiles
    from discreet.algorithms.probabilistic.quantile_sample import QuantileSample, find_buckets

    table = made(repeats)[:columns]
    k = ROWS // BUCKETS

    def mask(column: Any) -> Any:
        if method == "sample":
            sample = QuantileSample(0.01, 0.05, seed=1)
            sample.add(column)
            return find_buckets(column, sample.cuts(BUCKETS))
        values, place, counts = np.unique(column, return_inverse=True, return_counts=True)
        found: Any = (
            cut_quantiles(values, counts, k)
            if method == "quantiles"
            else cluster_values(values, counts, k, method)  # type: ignore[arg-type]
        )
        return np.searchsorted(found.starts, place, side="right") - 1

    mask(table[0][:20_000].copy() if method == "sample" else table[0])  # compiled once, kept
    started = time.perf_counter()
    with Watch() as watch:
        buckets = [mask(column) for column in table]
    wall = time.perf_counter() - started
    errors = [_error(column, into) for column, into in zip(table, buckets, strict=True)]
    sizes = [np.bincount(into) for into in buckets]
    result = f"{max(map(len, sizes))} buckets of {min(s.min() for s in sizes):,} rows or more, "
    result += f"squared error {np.mean(errors):.4f}"
    return Measured(watch.cpu, time.process_time(), wall, own_peak(), result=result)


def from_file() -> Measured:
    """As an algorithm: a CSV file read and counted, and every distinct row masked and measured."""
    import tempfile
    from pathlib import Path

    import pyarrow as pa
    from pyarrow import csv

    from discreet.algorithms.probabilistic.probabilistic import Probabilistic
    from discreet.frequency.count import count
    from discreet.pipeline.plan import plan_problem
    from discreet.policy.policy import Policy
    from discreet.table.read import read

    names = tuple(f"amount_{at}" for at in range(COLUMNS))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bank.csv"
        columns = [pa.array(column.astype("int64")) for column in made(True)]
        csv.write_csv(pa.table(dict(zip(names, columns, strict=True))), path)
        policy = Policy(
            columns={name: {"role": "quasi"} for name in names},
            require=[{"k_anonymity": {"k": 1}}],
        )
        started, began = time.perf_counter(), time.process_time()
        problem = plan_problem(policy, count(read(path), names).frequency)
        with Watch() as watch:
            found = Probabilistic(PEOPLE, 2, ranges=names)(problem)
        whole, wall = time.process_time() - began, time.perf_counter() - started
    counts = [len(set(codes.tolist())) for codes in found.recoding.codes]
    result = f"{min(counts)} to {max(counts)} values a column"
    return Measured(watch.cpu, whole, wall, own_peak(), result=result)


def _error(column: Any, buckets: Any) -> float:
    """The squared error of putting each row's bucket's mean in its place, as a share of all."""
    import numpy as np

    rows = np.bincount(buckets)
    means = np.bincount(buckets, weights=column) / rows
    return float(((column - means[buckets]) ** 2).sum() / ((column - column.mean()) ** 2).sum())


def _case(method: str, columns: int = COLUMNS, repeats: bool = False) -> Case:
    name = f"{method}, {columns} columns{', values repeat' if repeats else ''}"
    return Case(name, partial(masked, method, columns, repeats))


BENCHMARK = Benchmark(
    "one_dimensional",
    "250,000 made rows, 25 buckets a column. search: sorting or sampling, parting, and putting "
    "rows into buckets.\nThe authors' times, with reading from a database, at 2.66 GHz: "
    "10 s a column, 100 s for ten.",
    (
        _case("sample"),
        _case("quantiles"),
        _case("quantiles", repeats=True),
        _case("distances"),
        _case("distances", repeats=True),
        _case("radius"),
        _case("cellular", 1, repeats=True),
        Case("a file, 10 columns, all measures", from_file),
    ),
)
