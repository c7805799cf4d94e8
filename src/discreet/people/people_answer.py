"""What was found for the people of one or several tables: who is released, and as what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from discreet.algorithms.solution import Solution
from discreet.display import dataclass
from discreet.errors import InternalError
from discreet.models.k_anonymity import KAnonymity
from discreet.models.verdict import Verdict
from discreet.people.counted_people import CountedPeople, PeopleTable, count_people, limit_for
from discreet.people.kept_people import KeptPeople
from discreet.people.people_policy import PeoplePolicy
from discreet.people.people_problem import PeopleProblem
from discreet.people.people_rows import PeopleRows
from discreet.release.plan import hierarchy_of
from discreet.release.policy import Policy
from discreet.release.search import solved
from discreet.replacement_key import ReplacementKey

COUNTED = "people are counted, by their whole records"


@dataclass(frozen=True, eq=False)
class PeopleAnswer:
    """The levels that were found, and the people and rows that they release.

    ``columns`` are the quasi columns of all tables as the policy names them, table after table.
    """

    policy: Policy
    columns: tuple[str, ...]
    counted: CountedPeople
    problem: PeopleProblem
    solution: Solution
    key: ReplacementKey

    @property
    def people_policy(self) -> PeoplePolicy:
        """What the policy says of people."""
        people: PeoplePolicy = self.policy.people
        return people

    @property
    def levels(self) -> Mapping[str, int | None]:
        """The level at which each quasi column is released."""
        return dict(zip(self.columns, self.solution.node, strict=True))

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every promise, measured on the people who are released."""
        return tuple(
            replace(v, note="; ".join(filter(None, (COUNTED, v.note))))
            if v.model == KAnonymity.name
            else v
            for v in self.solution.verdicts
        )

    @cached_property
    def kept(self) -> KeptPeople:
        """The people who are released."""
        random = np.random.default_rng(self.policy.seed)
        return KeptPeople(self.counted, self.problem, self.solution, random, self.key)

    def rows_released(self, place: int) -> int:
        """How many rows of a table are released."""
        return int(self.kept.rows(place).sum())

    def rows_suppressed(self, place: int) -> int:
        """How many rows of a table are of people who are suppressed."""
        return int((~self.kept.kept[self.counted.rows[place].person]).sum())

    def recoded(self, place: int, released: Sequence[str], replaced: bool) -> PeopleRows:
        """The rows of a table as they are released; ``replaced`` if it has pseudonyms already."""
        before = sum(len(one.quasi) for one in self.counted.rows[:place])
        rows = self.counted.rows[place]
        own = slice(before, before + len(rows.quasi))
        return PeopleRows(
            rows,
            released,
            self.problem.lattice.hierarchies[own],
            self.solution.node[own],
            self.kept.rows(place),
            None if replaced else self.kept.pseudonyms,
        )

    def facts(self) -> dict[str, Any]:
        """Everything there is to know of the answer, without a row of it, as plain data."""
        solution, sizes = self.solution, self.solution.class_sizes
        kept, every = self.kept.released, self.counted.people
        if int(sizes.sum()) != kept:
            raise InternalError("the people who are released are not those who were counted")
        return {
            "algorithm": solution.algorithm,
            "measure": self.problem.measure.name,
            "levels": dict(self.levels),
            "heights": self._by_column([h.height for h in self.problem.lattice.hierarchies]),
            "people": every,
            "people_released": kept,
            "people_suppressed": every - kept,
            "cells_suppressed": 0,
            "classes": len(sizes),
            "smallest_class": int(sizes.min()) if len(sizes) else None,
            "profile": self.policy.recipient.facts(),
            "choice": self.policy.choice,
            "anonymity": None,
            "part": None,
            "replaced": {
                name: column.replace.told
                for name, column in self.policy.columns.items()
                if column.replace is not None
            },
            "missing": self.policy.missing,
            "measures": dict(solution.measures),
            "verdicts": [verdict.facts() for verdict in self.verdicts],
            "optimal": {
                "proven": solution.search.proven,
                "bound": solution.search.bound,
                "gap": self._gap(),
                "nodes": solution.search.nodes,
                "nodes_checked": solution.search.nodes_checked,
            },
        }

    def _by_column(self, values: Sequence[int]) -> dict[str, int]:
        return dict(zip(self.columns, values, strict=True))

    def _gap(self) -> float | None:
        """How far the policy's measure is from the best that is not ruled out."""
        bound = self.solution.search.bound
        return (
            None
            if bound is None
            else abs(self.solution.measures[self.problem.measure.name] - bound)
        )


def answered(
    tables: Sequence[PeopleTable],
    columns: Sequence[str],
    policy: Policy,
    progress: Callable[..., None] | None = None,
) -> PeopleAnswer:
    """Count the people of some tables and find the least damaging levels for them.

    ``columns`` are the quasi columns of all tables under the names that the policy has for them.
    """
    people: PeoplePolicy = policy.people
    key = key_of(people)
    counted = count_people(tables, people.records, np.random.default_rng(policy.seed))
    k = max(model.k for model in policy.require if isinstance(model, KAnonymity))
    name = tables[0].table.name if len(tables) == 1 else "The tables together"
    limit = limit_for(counted, people.records, policy.suppress, k, name)
    values = [d.values for rows in counted.rows for d in rows.dictionaries]
    problem = PeopleProblem(
        counted.records,
        [hierarchy_of(policy, c, own) for c, own in zip(columns, values, strict=True)],
        policy.require,
        policy.measure,
        limit,
        [policy.columns[name].weight for name in columns],
        policy.prefer,
        once=not people.records.counts,
    )
    solution = solved(problem, policy, progress)
    if not isinstance(solution, Solution):
        raise InternalError(f"{policy.algorithm.name} did not answer with levels")
    return PeopleAnswer(policy, tuple(columns), counted, problem, solution, key)


def key_of(people: PeoplePolicy) -> ReplacementKey:
    """The key of the policy, or one that is drawn for this run."""
    if people.key is None:
        return ReplacementKey.for_this_run()
    from discreet.pseudonyms.key import load_key

    return load_key(people.key)
