"""k-anonymity on adult by anjana, with the same hierarchies, next to ours."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from bench.case import Benchmark, Case, Measured, Skip, Watch, own_peak
from bench.data import columns_of, file_of, hierarchy_files, policy_of
from bench.search import K5

if TYPE_CHECKING:
    import pandas as pd

    from discreet.algorithms.problem import Problem


def anjana(suppress: float) -> Measured:
    """Time both from rows in memory to an answer; score both by our measure."""
    path = file_of("adult")
    try:
        from anjana.anonymity import k_anonymity
    except ImportError as error:
        raise Skip("anjana is not installed") from error
    import pandas as pd

    from discreet.algorithms.optimal.optimal import Optimal
    from discreet.frequency.count import count
    from discreet.pipeline.plan import plan_problem
    from discreet.table.read import read

    policy = policy_of("adult", suppress, [K5])
    frame = pd.read_csv(path, sep=";", dtype=str)
    with Watch() as ours:
        problem = plan_problem(policy, count(read(frame), policy.quasi).frequency)
        with Watch() as searching:
            found = Optimal()(problem)
    whole, peak = time.process_time(), own_peak()
    table = _levels(frame)
    with Watch() as theirs:
        released = k_anonymity(frame.copy(), [], columns_of("adult"), 5, 100 * suppress, table)
    return Measured(
        searching.cpu,
        whole,
        ours.wall,
        peak,
        found.search.nodes_checked,
        found.search.nodes,
        f"loss {found.measures['loss']:.4f}; anjana's {_score(problem, released, table)}",
        "anjana",
        theirs.cpu,
        ours.cpu,
    )


def _levels(frame: pd.DataFrame) -> dict[str, dict[int, Any]]:
    """The hierarchy files in the shape that anjana takes: each level of every row of the frame."""
    import pandas as pd

    result = {}
    for column, file in hierarchy_files("adult").items():
        lines = pd.read_csv(file, sep=";", header=None, dtype=str, keep_default_na=False)
        known = lines[lines[0].isin(frame[column].unique())]
        result[column] = {level: known[level].to_numpy() for level in range(known.shape[1])}
    return result


def _score(problem: Problem, released: pd.DataFrame, table: dict[str, dict[int, Any]]) -> str:
    """Loss of a release, where all rows of a column are at one level."""
    import numpy as np

    node = []
    for column in problem.frequency.columns:
        shown = set(released[column].astype(str))
        fits = [level for level, names in table[column].items() if shown <= set(names)]
        if not fits:
            return "cannot be scored: it released nothing, or at several levels"
        node.append(fits[0])
    groups = problem.counter.groups(tuple(node))
    dropped = np.where(problem.requirement.judge(problem.counter, groups).fails, groups.rows, 0)
    missing = problem.total - len(released)
    if int(dropped.sum()) != missing:
        return f"cannot be scored: {missing:,} rows are missing at levels {node}"
    score = problem.score(problem.measure, groups, dropped)
    return f"{score:.4f} with {missing:,} rows suppressed"


BENCHMARK = Benchmark(
    "anjana",
    "Adult, k = 5, the same hierarchies, from rows in memory: counting, building hierarchies and\n"
    "searching against anjana's k_anonymity, which looks for a node, not for the best one.",
    (Case("adult, suppress 4 %", lambda: anjana(0.04)),),
)
