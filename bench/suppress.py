"""Local suppression on adult: how many cells are blanked, how fast, and how fast it is checked."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.case import Benchmark, Case, Measured, Watch, own_peak
from bench.data import file_of

if TYPE_CHECKING:
    import pyarrow as pa

    from discreet.algorithms.solution import CellSolution

FIVE = ("sex", "age", "race", "marital-status", "education")
EIGHT = (*FIVE, "native-country", "workclass", "occupation")


def suppress(columns: tuple[str, ...], missing: str, recorded: str, **given: Any) -> Measured:
    """Read, count, blank, and verify what would be released."""
    path = file_of("adult")
    from discreet.algorithms.suppress.suppress import Suppress
    from discreet.frequency.count import count
    from discreet.pipeline.plan import plan_problem
    from discreet.pipeline.verify import verify
    from discreet.policy.policy import Policy
    from discreet.table.read import read

    roles = {column: {"role": "quasi"} for column in columns}
    policy = Policy(columns=roles, require=[{"k_anonymity": {"k": 5}}], missing=missing)
    problem = plan_problem(policy, count(read(path), policy.quasi, ()).frequency)
    started = time.perf_counter()
    with Watch() as watch:
        found = Suppress(**given)(problem)
    whole, wall, peak = time.process_time(), time.perf_counter() - started, own_peak()
    with Watch() as check:
        holds = verify(_table(found), policy).holds
    result = (
        f"{found.cells_suppressed:,} cells, {found.notes[0].split('; ')[1].split()[-1]} at least, "
    )
    result += f"verify {check.cpu:.2f} s, {'holds' if holds else 'DOES NOT HOLD'}"
    return Measured(watch.cpu, whole, wall, peak, result=result, recorded=recorded)


def _table(found: CellSolution) -> pa.Table:
    """The released rows."""
    import numpy as np
    import pyarrow as pa

    recoding = found.recoding
    part = np.repeat(np.arange(len(recoding.rows)), recoding.rows)
    columns = {}
    for values, codes in zip(recoding.values, recoding.codes, strict=True):
        texts = np.array(values.labels, dtype=object)[codes[part]]
        columns[values.column] = pa.array(texts, pa.string())
    return pa.table(columns)


def _case(name: str, columns: tuple[str, ...], missing: str, recorded: str, **given: Any) -> Case:
    return Case(name, partial(suppress, columns, missing, recorded, **given))


BENCHMARK = Benchmark(
    "suppress",
    "Single cells of adult blanked, k = 5. search: the search with verdicts and measures; the\n"
    "least number of cells is a bound for each kind of release.\n"
    "* Here sdcMicro's kAnon: seconds as recorded elsewhere, not measured in this run; it blanked\n"
    "7,883 cells of the 5 columns and 26,751 of the 8.",
    (
        _case("5 columns, wildcard", FIVE, "wildcard", "60"),
        _case("8 columns, wildcard", EIGHT, "wildcard", "765"),
        _case("5 columns, without help", FIVE, "wildcard", "", helped=False),
        _case("8 columns, without help", EIGHT, "wildcard", "", helped=False),
        _case("5 columns, value", FIVE, "value", ""),
        _case("8 columns, value", EIGHT, "value", ""),
    ),
)
