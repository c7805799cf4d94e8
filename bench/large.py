"""The search on 1.2 million rows made from adult."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bench.case import Benchmark, Case, Measured
from bench.data import columns_of, file_of, policy_of

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 1_200_000
DRAWN = 0.05
"""Share of cells that are drawn anew from their column, so that new combinations appear."""


def more_adults() -> pa.Table:
    """Adult's rows drawn with replacement; ages moved by some years, some cells drawn anew."""
    import numpy as np
    import pyarrow as pa
    from pyarrow import csv

    options = csv.ConvertOptions(column_types=dict.fromkeys(columns_of("adult"), pa.string()))
    adult = csv.read_csv(file_of("adult"), None, csv.ParseOptions(delimiter=";"), options)
    random = np.random.default_rng(7)
    drawn = random.integers(0, len(adult), ROWS)
    made = {}
    for name in adult.column_names:
        place = np.where(random.random(ROWS) < DRAWN, random.permutation(drawn), drawn)
        if name == "age":
            ages = np.array(adult.column(name).to_pylist(), dtype=np.int64)
            moved = np.clip(ages[place] + random.integers(-3, 4, ROWS), 17, 90)
            made[name] = pa.array(np.array([str(age) for age in range(91)])[moved])
        else:
            made[name] = adult.column(name).take(pa.array(place)).combine_chunks()
    return pa.table(made)


def large(suppress: float, recorded: str) -> Measured:
    """Make, count and search."""
    file_of("adult")
    from bench.search import K5, solve
    from discreet.frequency.count import count
    from discreet.pipeline.plan import plan_problem
    from discreet.table.read import read

    policy = policy_of("adult", suppress, [K5])
    counted = count(read(more_adults()), policy.quasi)
    return solve(plan_problem(policy, counted.frequency), recorded=recorded)


BENCHMARK = Benchmark(
    "large",
    f"{ROWS:,} rows drawn from adult with ages moved and cells drawn anew, k = 5, measure loss.\n"
    "whole: with imports, making the rows in memory and counting them. Columns as in search.\n"
    "* ARX: recorded elsewhere, on its own 1.2 million rows made from adult, 4 %.",
    (
        Case("1.2 M rows, suppress 0", partial(large, 0.0, "")),
        Case("1.2 M rows, suppress 4 %", partial(large, 0.04, "5.4")),
    ),
)
