"""From a table and a policy to a release."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.algorithms.claims import require_claimed
from discreet.pipeline.part import Part, asked_for, no_count
from discreet.pipeline.plan import problem_for
from discreet.pipeline.prepare import open_for, prepared
from discreet.pipeline.release import Release
from discreet.pipeline.search import counted_for, solved
from discreet.policy.at_level import at_level
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
    asked = asked_for(open_for(table, policy), policy, part)
    source = prepared(asked.table, asked.policy, asked.whole)
    if policy.people is not None:
        from discreet.pipeline.people.people_release import anonymize_people

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
