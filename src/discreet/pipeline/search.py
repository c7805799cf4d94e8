"""Counts what a policy looks at, and runs its algorithm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from discreet.algorithms import Problem, Solution
from discreet.algorithms.blind_choice import choose_blind
from discreet.algorithms.solution import CellSolution
from discreet.errors import EmptyTableError, ReleaseError, TooFewRowsError
from discreet.frequency.count import Counted, count
from discreet.models import KAnonymity
from discreet.pipeline.interrupts import defer_interrupts
from discreet.pipeline.plan import count_registers, list_promised_columns
from discreet.policy.at_level import UNKNOWN
from discreet.policy.policy import Policy
from discreet.table.table import Table


def count_for_policy(source: Table, policy: Policy) -> Counted:
    """Count what the policy looks at, and refuse a table that it cannot be kept for."""
    if policy.people is not None:
        what = "rows would be counted here, and the policy is about people"
        raise ReleaseError(
            "policy, people", what, "Release with 'discreet anonymize', without a ledger."
        )
    with defer_interrupts() as check:
        counted = count(
            source,
            policy.quasi,
            list_promised_columns(policy),
            policy.row_weight,
            lambda rows: check(),
        )
    rows = counted.frequency.total
    if not rows:
        raise EmptyTableError(source.name, "there are column names but no rows")
    for model in policy.require:
        if isinstance(model, KAnonymity) and UNKNOWN > model.k > rows:
            raise TooFewRowsError(source.name, rows, model.k)
    return count_registers(source, policy, counted)


def run_algorithm(
    problem: Problem, policy: Policy, progress: Callable[..., None] | None = None
) -> Solution | CellSolution:
    """Run the policy's algorithm; Ctrl-C ends it between two of its steps."""
    with defer_interrupts() as check:

        def watched(*how_far: Any) -> None:
            check()
            if progress is not None:
                progress(*how_far)

        if policy.choice == "blind" and problem.frequency.sensitive:
            return choose_blind(problem, policy.algorithm, policy.time_limit, watched)
        found: Solution | CellSolution = policy.algorithm(problem, policy.time_limit, watched)
        return found
