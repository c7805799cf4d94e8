"""From a table and a policy to a release."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from discreet.algorithms import Problem, Solution
from discreet.algorithms.cell_solution import CellSolution
from discreet.algorithms.claims import require_claimed
from discreet.errors import EmptyTableError, TooFewRowsError
from discreet.frequency.count import Counted, count
from discreet.models import KAnonymity
from discreet.release.interrupts import deferred
from discreet.release.plan import looked_at, problem_for
from discreet.release.policy import Policy
from discreet.release.registers import beside_registers
from discreet.release.release import Release
from discreet.table.read import read
from discreet.table.table import Table


def anonymize(table: Any, policy: Policy, progress: Callable[..., None] | None = None) -> Release:
    """Find the least damaging release of a table that keeps every promise of a policy.

    Parameters
    ----------
    table
        A :class:`Table`, or anything that :func:`discreet.read` takes.
    policy
        What leaves the house, and under which promises.
    progress
        Called with (nodes counted, bound, best score) while the search runs.

    Notes
    -----
    *Cost*: one pass over the rows here and one when the release is written; between them all work
    is on the frequency list.
    """
    started = time.perf_counter()
    require_claimed(policy.algorithm, policy.require)
    source = table if isinstance(table, Table) else read(table)
    counted = counted_for(source, policy)
    problem = problem_for(policy, counted.frequency)
    solution = solved(problem, policy, progress)
    seconds = time.perf_counter() - started
    return Release(source, policy, counted, problem, solution, seconds)


def counted_for(source: Table, policy: Policy) -> Counted:
    """Count what the policy looks at, and refuse a table that it cannot be kept for."""
    policy.check_columns(source.columns, source.name)
    with deferred() as check:
        counted = count(
            source, policy.quasi, looked_at(policy), policy.row_weight, lambda rows: check()
        )
    rows = counted.frequency.total
    if not rows:
        raise EmptyTableError(source.name, "there are column names but no rows")
    for model in policy.require:
        if isinstance(model, KAnonymity) and model.k > rows:
            raise TooFewRowsError(source.name, rows, model.k)
    return beside_registers(source, policy, counted)


def solved(
    problem: Problem, policy: Policy, progress: Callable[..., None] | None = None
) -> Solution | CellSolution:
    """Run the policy's algorithm; Ctrl-C ends it between two of its steps."""
    with deferred() as check:

        def watched(*how_far: Any) -> None:
            check()
            if progress is not None:
                progress(*how_far)

        found: Solution | CellSolution = policy.algorithm(problem, policy.time_limit, watched)
        return found
