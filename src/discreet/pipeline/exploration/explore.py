"""Counts a table once, then says at once what any choice of levels, roles or k would come to."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

import numpy as np

from discreet.algorithms.fixed import Fixed
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Solution
from discreet.display import dataclass, format_count, render_html_table
from discreet.engines.read import read
from discreet.errors import ArgumentError, argument, did_you_mean
from discreet.hierarchy.lattice import Node
from discreet.models import KAnonymity, SafeHarbor
from discreet.pipeline.anonymize import Release
from discreet.pipeline.description.alternatives import SIZES, ReleaseForK, release_each_k
from discreet.pipeline.exploration.nodes import (
    NodeFilter,
    choose_axes,
    describe_around,
    describe_node,
    describe_solution,
    list_nearest,
    name_levels,
    pick_risk,
    read_node,
)
from discreet.pipeline.exploration.tree import describe_tree
from discreet.pipeline.exploration.view import View
from discreet.pipeline.exploration.wide_count import WideCount
from discreet.pipeline.people.people import People
from discreet.pipeline.plan import list_promised_columns
from discreet.pipeline.prepare import Prepared, prepare
from discreet.pipeline.progress import Progress
from discreet.pipeline.rows import Rows
from discreet.pipeline.search import complete_count, count_rows, run_algorithm
from discreet.pipeline.stages import Unit
from discreet.policy.anonymity_level import fill_in_k
from discreet.policy.policy import Policy, settle_policy
from discreet.risks.table_risk import TableRisk
from discreet.table.table import Role, Table

Levels = Mapping[str, int] | Sequence[int]

NEAREST, CHECKS, LABELS = 20, 400, 60


def explore(
    table: Any,
    policy: Policy | Mapping[str, Any] | str | Path,
    *,
    candidates: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Exploration:
    """Count a table once, to see at once what any levels, roles or class size would come to.

    Parameters
    ----------
    table
        A :class:`Table`, or anything that :func:`discreet.read` takes.
    policy
        What leaves the house, and under which promises: a Policy, a dict or a policy file.
    candidates
        Columns that may get another role later, and are counted now for that; all that the policy
        releases without it. Leave out columns of which nearly every row has a value of its own:
        memory grows with the different combinations.
    progress
        Called as :func:`anonymize` does.

    >>> import pyarrow as pa
    >>> ages = pa.table({"age": [str(20 + n // 2) for n in range(40)]})
    >>> aged = {"role": "quasi", "hierarchy": {"intervals": [5, 10]}}
    >>> told = explore(ages, {"columns": {"age": aged}, "require": [{"k_anonymity": {"k": 10}}]})
    >>> told
    Exploration(40 rows, 1 quasi column, 4 nodes)
    >>> told.best().facts()["levels"], told.node({"age": 0}).facts()["allowed"]
    ({'age': 1}, False)

    Notes
    -----
    *Cost*: one pass over the rows. Then a node costs one roll-up of the frequency list, a few
    milliseconds on tens of thousands of different combinations.
    """
    asked = settle_policy(policy, table)
    opened = table if isinstance(table, Table) else read(table)
    return _explore(opened, asked, None, candidates, progress)


@dataclass(frozen=True, eq=False)
class Exploration:
    """A counted table that answers what a release at any node of the lattice would be like.

    Nothing but :meth:`release` touches a row again. Answers are facts about the private table, for
    whoever holds it: not for those who get a release.
    """

    asked: Policy
    """The policy as it was given; :attr:`policy` has the k of its level and all hierarchies."""
    policy: Policy
    source: Prepared
    unit: Unit
    counted: Any
    problem: Problem
    _table: Table
    _wide: WideCount | None
    _known: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        rows = format_count(self.problem.total, self.problem.unit.removesuffix("s"))
        if self.problem.unit == "people":
            rows = f"{self.problem.total:,} people"
        columns = format_count(len(self.columns), "quasi column")
        return f"Exploration({rows}, {columns}, {format_count(self.problem.lattice.nodes, 'node')})"

    def _repr_html_(self) -> str:
        lines = [(one.column, one.height + 1, one.size(0)) for one in self._hierarchies]
        return render_html_table(repr(self), ("quasi column", "levels", "different values"), lines)

    @property
    def columns(self) -> tuple[str, ...]:
        """The quasi columns, in the order of levels."""
        return tuple(one.column for one in self._hierarchies)

    @property
    def heights(self) -> dict[str, int]:
        """The highest level of each quasi column."""
        return {one.column: one.height for one in self._hierarchies}

    @property
    def candidates(self) -> tuple[str, ...]:
        """The columns that were counted, for other roles."""
        return () if self._wide is None else self._wide.columns

    @property
    def _hierarchies(self) -> Any:
        return self.problem.lattice.hierarchies

    # Answers

    def best(self, progress: Progress | None = None) -> View:
        """The node that ``optimal`` finds, with its proof or its bound; searched once.

        Raises a :class:`~discreet.errors.ReleaseError` where no node is allowed.
        """
        solution = self._find_best(progress)
        search, facts = solution.search, describe_solution(self.problem, solution)
        gap = None if search.bound is None else abs(facts["score"] - search.bound)
        return View("node", facts | {"optimal": {**vars(search), "gap": gap}})

    def node(self, levels: Levels) -> View:
        """What a release at these levels would be like, allowed or not."""
        node = read_node(self.problem, levels)
        return View("node", describe_node(self.problem, node))

    def around(
        self,
        node: Levels | None = None,
        columns: Sequence[str] | None = None,
        progress: Progress | None = None,
    ) -> View:
        """Every level of two columns, the others as they are at a node, the best one without it."""
        axes = choose_axes(self.problem, columns)
        return View("around", describe_around(self.problem, self._choose(node), axes, progress))

    def nearest(
        self,
        node: Levels | None = None,
        *,
        most: int = NEAREST,
        at_least: Mapping[str, int] | None = None,
        at_most: Mapping[str, int] | None = None,
        suppressed: int | None = None,
        checks: int = CHECKS,
        progress: Progress | None = None,
    ) -> View:
        """The allowed nodes with the fewest steps from a node, or from the best one.

        ``at_least`` and ``at_most`` limit levels by column, ``suppressed`` the rows left out;
        ``checks`` is how many nodes are counted at most.
        """
        wanted = NodeFilter(self.problem, at_least or {}, at_most or {}, suppressed)
        here = self._choose(node)
        return View("nearest", list_nearest(self.problem, here, wanted, most, checks, progress))

    def risk(self, quasi: Sequence[str] | None = None, threshold: float = 0.2) -> View:
        """How likely somebody is named by the values as found, were these the quasi columns.

        A column that is no candidate costs another pass over the rows, once.
        """
        names = tuple(self.columns if quasi is None else dict.fromkeys(quasi))
        for name in names:
            if name not in self.source.table.columns:
                hint = did_you_mean(name, self.source.table.columns)
                raise ArgumentError("quasi", f"the table has no column '{name}'", hint)
        if self._wide is None:
            what = "people are counted by whole records, not by sets of columns"
            raise ArgumentError("quasi", what, "Use discreet.risk, which counts people.")
        if not names:
            raise ArgumentError(
                "quasi", "no column is named", f"Give {argument('quasi', '[age]')}."
            )
        found = TableRisk(threshold)(self._cover(names).count_rows(names)).facts()
        keys = ("columns", "rows", "classes", "smallest_class", "rows_by_class_size")
        return View("risk", {key: found[key] for key in keys} | pick_risk(found))

    def cost_of_k(self, ks: Sequence[int] = SIZES, progress: Progress | None = None) -> View:
        """What each class size costs at its best node, all else alike."""
        if sum(isinstance(model, KAnonymity) for model in self.policy.require) != 1:
            what = "the policy does not promise one k, so there is none to change"
            raise ArgumentError("policy", what, "Add - k_anonymity: {k: 5}.")
        policy = self.policy.replace(algorithm="optimal", anonymity=None)
        made = release_each_k(self.unit, self.source, policy, self.counted, ks, progress)
        costs = [self._describe_cost(one) for one in made]
        return View("cost_of_k", {"measure": self.problem.measure.name, "costs": costs})

    def hierarchy(self, column: str, most: int = LABELS) -> View:
        """The labels of a quasi column level by level, with their rows: for the holder alone.

        Labels of few rows may name somebody. ``most`` are shown of a level, the rest added up.
        """
        names = self.columns
        if column not in names:
            what = f"'{column}' is not a quasi column"
            raise ArgumentError("column", what, did_you_mean(column, names))
        place = names.index(column)
        rows = np.round(self.problem.table.marginals[place]).astype(np.int64)
        return View("hierarchy", describe_tree(self._hierarchies[place], rows, most))

    # What is made of a choice

    def policy_at(self, levels: Levels | None = None) -> Policy:
        """The policy that releases just this node, to be saved and run anywhere."""
        named = name_levels(self.problem, self._choose(levels))
        return self.asked.replace(algorithm=Fixed(named))

    def release(self, levels: Levels | None = None, progress: Progress | None = None) -> Release:
        """The release at a node, or at the best one; refused where the policy does not allow it."""
        started = time.perf_counter()
        named = name_levels(self.problem, self._choose(levels))
        policy = self.policy.replace(algorithm=Fixed(named))
        solution = run_algorithm(self.problem, policy, progress)
        answer = self.unit.answer(self.source, policy, self.counted, self.problem, solution)
        seconds = time.perf_counter() - started
        return Release(self.source, policy, answer, seconds, self.source.notes)

    def change(
        self,
        policy: Policy | Mapping[str, Any] | str | Path,
        *,
        candidates: Sequence[str] | None = None,
        progress: Progress | None = None,
    ) -> Exploration:
        """The same table under another policy; rows are counted again only if they have to be.

        They have to be where the policy counts a column that is no candidate, treats values in
        another way, runs techniques, or counts people.
        """
        return _explore(self._table, settle_policy(policy, None), self, candidates, progress)

    # Steps

    def _choose(self, levels: Levels | None) -> Node:
        return self._find_best(None).node if levels is None else read_node(self.problem, levels)

    def _find_best(self, progress: Progress | None) -> Solution:
        if "best" not in self._known:
            policy = self.policy.replace(algorithm="optimal")
            self._known["best"] = run_algorithm(self.problem, policy, progress)
        found = self._known["best"]
        assert isinstance(found, Solution)
        return found

    def _cover(self, names: Sequence[str]) -> WideCount:
        """A count of these columns, made anew with them if it has to be, and then kept."""
        for wide in (self._wide, self._known.get("wide")):
            if wide is not None and wide.covers(names):
                return wide
        found = WideCount.of(count_rows(self.source.table, names))
        self._known["wide"] = found
        return found

    def _describe_cost(self, one: ReleaseForK) -> dict[str, Any]:
        reached = one.release if one.release is not None and one.release.holds else None
        facts: dict[str, Any] = {
            "k": one.k,
            "chosen": one.chosen,
            "reachable": reached is not None,
            "why_not": one.refused,
        }
        keys = ("levels", "score", "granularity", "rows_suppressed", "share_suppressed", "proven")
        if reached is None:
            return facts | dict.fromkeys(keys)
        solution = reached.solution
        suppressed = solution.suppressed
        return facts | {
            "levels": dict(reached.levels),
            "score": solution.measures[self.problem.measure.name],
            "granularity": solution.measures["granularity"],
            "rows_suppressed": suppressed,
            "share_suppressed": suppressed / self.problem.total,
            "proven": solution.search.proven,
        }


# Counting, or doing without it.


def _explore(
    table: Table,
    asked: Policy,
    before: Exploration | None,
    candidates: Sequence[str] | None,
    progress: Progress | None,
) -> Exploration:
    policy = asked.for_recipient()
    unit: Unit = Rows() if policy.people is None else People.of(policy)
    source = prepare(table, policy, progress=progress)
    wide = None
    if policy.people is not None:
        counted = unit.count(source, progress)
    else:
        needed = [*policy.quasi, *list_promised_columns(policy)]
        if before is not None and candidates is None and before.candidates:
            there = set(source.table.columns)  # with techniques, only those that are released
            candidates = [name for name in before.candidates if name in there]
        named = _list_candidates(policy, needed, candidates)
        wide = _find_known(before, policy, named) or _count_wide(source, policy, named, progress)
        narrow = wide.narrow(policy.quasi, list_promised_columns(policy))
        counted = complete_count(source.table, policy, narrow, progress)
    policy = unit.settle(fill_in_k(policy, counted.total, source.table.name), counted)
    source = replace(source, policy=policy)
    problem = unit.plan(policy, counted)
    return Exploration(asked, policy, source, unit, counted, problem, table, wide)


def _list_candidates(
    policy: Policy, needed: Sequence[str], candidates: Sequence[str] | None
) -> tuple[str, ...]:
    """The columns to count: those that are needed, then those that may be."""
    released = policy.with_role(Role.quasi, Role.sensitive, Role.other)
    more = released if candidates is None else candidates
    return tuple(dict.fromkeys([*needed, *more]))


def _count_wide(
    source: Prepared, policy: Policy, named: Sequence[str], progress: Progress | None
) -> WideCount:
    table = source.table
    for name in named:
        if name not in table.columns:
            hint = did_you_mean(name, table.columns)
            raise ArgumentError("candidates", f"the table has no column '{name}'", hint)
    return WideCount.of(count_rows(table, named, (), policy.row_weight, progress))


def _find_known(
    before: Exploration | None, policy: Policy, named: Sequence[str]
) -> WideCount | None:
    """What was counted before, if the values would be the same now."""
    if before is None or before._wide is None or not before._wide.covers(named):
        return None
    one, other = _find_values_key(before.policy, named), _find_values_key(policy, named)
    return before._wide if one is not None and one == other else None


def _find_values_key(policy: Policy, named: Sequence[str]) -> Any:
    """What decides which values are counted; None where that is more than cleaning."""
    columns = policy.columns.values()
    changed = any(one.technique or one.scrub or one.replace for one in columns)
    checked = any(isinstance(model, SafeHarbor) for model in policy.require)
    if changed or checked or policy.techniques or policy.quoted or policy.people:
        return None
    return policy.cleanings(named), policy.row_weight
