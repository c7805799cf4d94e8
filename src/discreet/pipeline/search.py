"""Counts what a policy looks at, and runs its algorithm."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.algorithms import Problem, Solution
from discreet.algorithms.blind_choice import choose_blind
from discreet.algorithms.solution import CellSolution
from discreet.errors import EmptyTableError, InternalError, TooFewRowsError
from discreet.frequency.count import Counted, count, put_in_value_order
from discreet.models import KAnonymity
from discreet.pipeline.plan import count_registers, list_promised_columns
from discreet.pipeline.progress import Progress, SearchStep, defer_interrupts, find_row_count
from discreet.policy.anonymity_level import UNKNOWN
from discreet.policy.policy import Policy
from discreet.table.table import Table

CHOOSING_BY_PLACE = ("local", "exact")
"""Algorithms that choose among equally good cells by the place of their tuples."""

MOST_ORDERED = 1_000_000
"""Tuples up to which all algorithms get them in their own order: more take seconds to sort."""


def count_rows(
    source: Table,
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    weight: str | None = None,
    progress: Progress | None = None,
) -> Counted:
    """Count the rows of a table in one pass; Ctrl-C ends it between two batches."""
    with defer_interrupts(progress) as tell:
        tell("counting")
        total = find_row_count(source)

        def tell_rows(rows: int) -> None:
            if total:
                tell(f"counting, {rows:,} of {total:,} rows", min(1.0, rows / total))
            else:
                tell(f"counting, {rows:,} rows")

        counted = count(source, quasi, sensitive, weight, tell_rows)
    if not counted.total:
        raise EmptyTableError(source.name, "there are column names but no rows")
    return counted


def count_for_policy(source: Table, policy: Policy, progress: Progress | None = None) -> Counted:
    """Count what the policy looks at, and refuse a table that it cannot be kept for."""
    if policy.people is not None:
        raise InternalError("rows were to be counted for a policy that counts people")
    promised = list_promised_columns(policy)
    counted = count_rows(source, policy.quasi, promised, policy.row_weight, progress)
    return complete_count(source, policy, counted, progress)


def complete_count(
    source: Table, policy: Policy, counted: Counted, progress: Progress | None = None
) -> Counted:
    """The count of a table with all that a policy looks at; refused where it cannot be kept."""
    require_enough_rows(policy, counted.total, source.name)
    few = len(counted.frequency) <= MOST_ORDERED
    if few or policy.algorithm.name in CHOOSING_BY_PLACE:
        counted = put_in_value_order(counted)
    return count_registers(source, policy, counted, progress)


def require_enough_rows(policy: Policy, rows: int, table: str) -> None:
    """Refuse a table with fewer rows than one class needs."""
    for model in policy.require:
        if isinstance(model, KAnonymity) and UNKNOWN > model.k > rows:
            raise TooFewRowsError(table, rows, model.k)


def run_algorithm(
    problem: Problem, policy: Policy, progress: Progress | None = None
) -> Solution | CellSolution:
    """Run the policy's algorithm; Ctrl-C ends it between two of its steps."""
    with defer_interrupts(progress) as tell:

        def report_nodes(
            checked: int, bound: float | None = None, best: float | None = None
        ) -> None:
            tell(SearchStep.of(problem.measure.name, checked, bound, best))

        tell("searching")
        if policy.choice == "blind" and problem.frequency.sensitive:
            return choose_blind(problem, policy.algorithm, policy.time_limit, report_nodes)
        found: Solution | CellSolution = policy.algorithm(problem, policy.time_limit, report_nodes)
        return found
