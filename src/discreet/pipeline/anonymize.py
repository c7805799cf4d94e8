"""From a table and a policy to a release."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.algorithms.claims import require_claimed
from discreet.pipeline.part import Part, hide_counts, take_part
from discreet.pipeline.plan import plan_problem
from discreet.pipeline.prepare import open_for, prepare_table
from discreet.pipeline.release import Release
from discreet.pipeline.search import count_for_policy, run_algorithm
from discreet.policy.at_level import fill_in_k
from discreet.policy.policy import Policy, settle_policy

if TYPE_CHECKING:
    from discreet.pipeline.people.people_release import PeopleRelease


def anonymize(
    table: Any,
    policy: Policy | Mapping[str, Any] | str | Path,
    progress: Callable[..., None] | None = None,
    part: Part | None = None,
) -> Release | PeopleRelease:
    """Find the least damaging release of a table that keeps every promise of a policy.

    Parameters
    ----------
    table
        A :class:`Table`, or anything that :func:`discreet.read` takes.
    policy
        What leaves the house, and under which promises: a Policy, a dict or a policy file.
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
    policy = settle_policy(policy, table).for_recipient()
    require_claimed(policy.algorithm, policy.require)
    asked = take_part(open_for(table, policy), policy, part)
    source = prepare_table(asked.table, asked.policy, asked.whole)
    if policy.people is not None:
        from discreet.pipeline.people.people_release import anonymize_people

        return anonymize_people(source, asked.policy, progress)
    with hide_counts(part, asked.policy):
        counted = count_for_policy(source, asked.policy)
        policy = fill_in_k(asked.policy, counted.frequency.total, source.name)
        problem = plan_problem(policy, counted.frequency)
        solution = run_algorithm(problem, policy, progress)
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
