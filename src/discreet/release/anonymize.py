"""From a table and a policy to a release."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from discreet.algorithms import Problem, Solution
from discreet.algorithms.blind_choice import choose_blind
from discreet.algorithms.cell_solution import CellSolution
from discreet.algorithms.claims import require_claimed
from discreet.errors import EmptyTableError, PeopleError, TooFewRowsError
from discreet.frequency.count import Counted, count
from discreet.models import KAnonymity
from discreet.release.at_level import UNKNOWN, at_level
from discreet.release.interrupts import deferred
from discreet.release.part import Part, asked_for, no_count
from discreet.release.plan import looked_at, problem_for
from discreet.release.policy import Policy
from discreet.release.prepare import open_for, prepared
from discreet.release.registers import beside_registers
from discreet.release.release import Release
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.people.people_release import PeopleRelease


def anonymize(
    table: Any,
    policy: Policy,
    progress: Callable[..., None] | None = None,
    part: Part | None = None,
) -> Release | PeopleRelease:
    """Find the least damaging release of a table that keeps every promise of a policy.

    Parameters
    ----------
    table
        A :class:`Table`, or anything that :func:`discreet.read` takes.
    policy
        What leaves the house, and under which promises.
    progress
        Called with (nodes counted, bound, best score) while the search runs.
    part
        The rows and columns that were asked for; all that the policy releases without one.

    A policy with ``people`` gives a :class:`PeopleRelease`, whose outside is the same.

    Notes
    -----
    *Cost*: one pass over the rows here and one when the release is written; between them all work
    is on the frequency list.
    """
    started = time.perf_counter()
    policy = policy.for_recipient()
    require_claimed(policy.algorithm, policy.require)
    asked = asked_for(open_for(table, policy), policy, part)
    source = prepared(asked.table, asked.policy, asked.whole)
    if policy.people is not None:
        from discreet.people.people_release import anonymize_people

        return anonymize_people(source, asked.policy, progress)
    with no_count(part, asked.policy):
        counted = counted_for(source, asked.policy)
        policy = at_level(asked.policy, counted.frequency.total, source.name)
        problem = problem_for(policy, counted.frequency)
        solution = solved(problem, policy, progress)
    seconds = time.perf_counter() - started
    return Release(
        source,
        policy,
        counted,
        problem,
        solution,
        seconds,
        asked.notes,
        part,
        private=asked.table,
    )


def counted_for(source: Table, policy: Policy) -> Counted:
    """Count what the policy looks at, and refuse a table that it cannot be kept for."""
    if policy.people is not None:
        what = "rows would be counted here, and the policy is about people"
        raise PeopleError(what, "Release with 'discreet anonymize', without a ledger.")
    with deferred() as check:
        counted = count(
            source, policy.quasi, looked_at(policy), policy.row_weight, lambda rows: check()
        )
    rows = counted.frequency.total
    if not rows:
        raise EmptyTableError(source.name, "there are column names but no rows")
    for model in policy.require:
        if isinstance(model, KAnonymity) and UNKNOWN > model.k > rows:
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

        if policy.choice == "blind" and problem.frequency.sensitive:
            return choose_blind(problem, policy.algorithm, policy.time_limit, watched)
        found: Solution | CellSolution = policy.algorithm(problem, policy.time_limit, watched)
        return found
