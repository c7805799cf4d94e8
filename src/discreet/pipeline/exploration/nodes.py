"""What a choice of levels would come to: one node of the lattice, and those around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from discreet.algorithms.fixed import Fixed
from discreet.algorithms.optimal.box_search import find_score
from discreet.algorithms.problem import Attempt, Problem
from discreet.algorithms.solution import Search, Solution, build_solution_at
from discreet.errors import ArgumentError, argument, did_you_mean
from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy.lattice import Node
from discreet.pipeline.advice.trials import measure_granularity_by_column
from discreet.pipeline.description.figures import summarize_classes
from discreet.pipeline.progress import Progress
from discreet.risks.table_risk import TableRisk


def name_levels(problem: Problem, node: Node) -> dict[str, int]:
    """The level of each column."""
    names = [one.column for one in problem.lattice.hierarchies]
    return dict(zip(names, node, strict=True))


def read_node(problem: Problem, levels: Mapping[str, int] | Sequence[int]) -> Node:
    """Levels by name, or in the order of the columns, as a node of the lattice."""
    names = [one.column for one in problem.lattice.hierarchies]
    named = levels if isinstance(levels, Mapping) else dict(zip(names, levels, strict=False))
    if len(named) != len(names) or len(levels) != len(names):
        what = f"there are {len(names)} quasi columns, and {len(levels)} levels are given"
        raise ArgumentError("levels", what, f"Give a level for each of {', '.join(names)}.")
    return Fixed(named).find_node(problem.lattice)


def describe_node(problem: Problem, node: Node) -> dict[str, Any]:
    """All that would be known of a release at a node."""
    solution = build_solution_at(problem, Fixed.name, node, None, _count_one(problem))
    return describe_solution(problem, solution)


def _count_one(problem: Problem) -> Search:
    return Search(False, None, problem.lattice.nodes, 1)


def describe_solution(problem: Problem, solution: Solution) -> dict[str, Any]:
    """A release at a node as plain data; whether the policy allows it, and why not."""
    judged = problem.requirement.judge(problem.counter, solution.groups)
    suppressed = min(judged.suppressed, problem.total)
    allowed, levels = judged.suppressed <= problem.limit, name_levels(problem, solution.node)
    whole = problem.requirement.list_verdicts(
        problem.counter, solution.groups, np.ones(len(solution.groups), dtype=np.bool_)
    )
    failing = [one.rows_at_risk for one in whole]
    verdicts = zip(solution.verdicts, failing, strict=True)
    sizes = solution.class_sizes
    classes = summarize_classes(sizes).model_dump()
    return {
        "levels": levels,
        "heights": {one.column: one.height for one in problem.lattice.hierarchies},
        "unit": problem.unit,
        "rows": problem.total,
        "allowed": allowed,
        "why_not": None if allowed else _explain_refusal(problem, suppressed),
        "rows_suppressed": suppressed,
        "share_suppressed": suppressed / problem.total,
        "limit": problem.limit,
        "classes": classes["classes"],
        "smallest_class": classes["smallest"],
        "average_class_size": classes["average"],
        "uniques": classes["unique_rows"],
        "class_sizes": classes["bins"],
        "verdicts": [{**one.facts(), "rows_failing": rows} for one, rows in verdicts],
        "measure": problem.measure.name,
        "score": solution.measures[problem.measure.name],
        "measures": dict(solution.measures),
        "columns": _describe_columns(problem, solution),
        "risk": _describe_risk(problem, solution) if len(sizes) else None,
        "policy": {"algorithm": {Fixed.name: {"levels": levels}}},
    }


def _explain_refusal(problem: Problem, suppressed: int) -> str:
    if suppressed >= problem.total and problem.requirement.floor is not None:
        return "an earlier release or the anonymity level asks for coarser levels"
    return (
        f"{suppressed:,} {problem.unit} would have to be suppressed, and the policy allows "
        f"{problem.limit:,}"
    )


def _describe_columns(problem: Problem, solution: Solution) -> list[dict[str, Any]]:
    left = measure_granularity_by_column(problem, solution)
    return [
        {
            "column": one.column,
            "level": level,
            "height": one.height,
            "labels": one.size(level),
            "granularity": granularity,
            "loss": 1.0 - granularity,
        }
        for one, level, granularity in zip(
            problem.lattice.hierarchies, solution.node, left, strict=True
        )
    ]


def _describe_risk(problem: Problem, solution: Solution) -> dict[str, Any]:
    """The risk of the released rows, or people."""
    columns = tuple(one.column for one in problem.lattice.hierarchies)
    found = TableRisk()(FrequencyList(columns, (), solution.class_sizes, {}))
    return pick_risk(found.facts())


RISK = ("threshold", "uniques", "prosecutor", "journalist", "marketer", "expected_right")


def pick_risk(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The risks alone."""
    return {key: facts[key] for key in RISK}


# The nodes around a node.


def is_lower_better(problem: Problem) -> bool:
    """Whether a low number of the policy's measure is a good one."""
    return problem.measure.convert_score(0.0) <= problem.measure.convert_score(1.0)


def choose_axes(problem: Problem, columns: Sequence[str] | None) -> tuple[int, ...]:
    """The places of one or two columns; those with most levels if none is named."""
    names = [one.column for one in problem.lattice.hierarchies]
    if columns is None:
        tall = sorted(range(len(names)), key=lambda c: -problem.lattice.top[c])
        return tuple(sorted(tall[:2]))
    for name in columns:
        _require_quasi("columns", name, names)
    if not 1 <= len(columns) <= 2 or len(set(columns)) < len(columns):
        raise ArgumentError(
            "columns", "a map has one or two axes", f"Say {argument('columns', '(age, zip)')}."
        )
    return tuple(names.index(name) for name in columns)


def _require_quasi(parameter: str, name: str, names: Sequence[str]) -> None:
    if name not in names:
        raise ArgumentError(parameter, f"'{name}' is not a quasi column", did_you_mean(name, names))


def describe_around(
    problem: Problem, node: Node, axes: Sequence[int], progress: Progress | None
) -> dict[str, Any]:
    """Every level of one or two columns, the others as they are."""
    names = [one.column for one in problem.lattice.hierarchies]
    top = problem.lattice.top
    cells: list[dict[str, Any]] = []
    for levels in product(*(range(top[axis] + 1) for axis in axes)):
        if progress is not None:
            progress(f"counting nodes, {len(cells):,} so far")
        there = list(node)
        for axis, level in zip(axes, levels, strict=True):
            there[axis] = level
        attempt = problem.attempt(tuple(there))
        named = {names[axis]: level for axis, level in zip(axes, levels, strict=True)}
        cells.append({"levels": named, **_describe_attempt(problem, attempt, node)})
    scores = [cell["score"] for cell in cells if cell["score"] is not None]
    lower = is_lower_better(problem)
    return {
        "columns": [names[axis] for axis in axes],
        "node": name_levels(problem, node),
        "heights": {names[axis]: top[axis] for axis in axes},
        "measure": problem.measure.name,
        "lower_is_better": lower,
        "rows": problem.total,
        "limit": problem.limit,
        "cells": cells,
        "best_score": (min if lower else max)(scores, default=None),
    }


def _describe_attempt(problem: Problem, attempt: Attempt, here: Node) -> dict[str, Any]:
    suppressed = min(attempt.suppressed, problem.total)
    return {
        "node": name_levels(problem, attempt.node),
        "allowed": attempt.score is not None,
        "score": find_score(problem, attempt),
        "rows_suppressed": suppressed,
        "share_suppressed": suppressed / problem.total,
        "here": attempt.node == here,
    }


class NodeFilter:
    """Which nodes are of interest: levels from, levels to, rows that may be suppressed."""

    def __init__(
        self,
        problem: Problem,
        at_least: Mapping[str, int],
        at_most: Mapping[str, int],
        suppressed: int | None,
    ) -> None:
        names = [one.column for one in problem.lattice.hierarchies]
        for parameter, asked in (("at_least", at_least), ("at_most", at_most)):
            for name in asked:
                _require_quasi(parameter, name, names)
        top = problem.lattice.top
        self.low = tuple(at_least.get(name, 0) for name in names)
        self.high = tuple(at_most.get(name, top[c]) for c, name in enumerate(names))
        self.suppressed = problem.limit if suppressed is None else suppressed

    def has_levels(self, node: Node) -> bool:
        """Whether each level is within the limits."""
        return all(a <= b <= c for a, b, c in zip(self.low, node, self.high, strict=True))

    def clip(self, node: Node) -> Node:
        """The node nearest to another that is within the limits."""
        return tuple(min(max(b, a), c) for a, b, c in zip(self.low, node, self.high, strict=True))


def list_nearest(
    problem: Problem,
    node: Node,
    wanted: NodeFilter,
    most: int,
    checks: int,
    progress: Progress | None,
) -> dict[str, Any]:
    """The allowed nodes with the fewest steps from a node, itself left out.

    Steps are counted level by level; all nodes of a distance are checked before the next.
    """
    found: list[dict[str, Any]] = []
    checked, complete = 0, True
    here = find_score(problem, problem.attempt(node))
    lower = is_lower_better(problem)
    for distance, ring in _walk_rings(problem, wanted, node):
        if len(found) >= most or not complete:
            break
        for other in ring:
            if checked >= checks:
                complete = False
                break
            if progress is not None:
                progress(f"counting nodes, {checked:,} so far")
            checked += 1
            attempt = problem.attempt(other)
            score = find_score(problem, attempt)
            if score is None or attempt.suppressed > wanted.suppressed:
                continue
            better = here is None or (score < here if lower else score > here)
            found.append({
                "levels": name_levels(problem, other),
                "distance": distance,
                "score": score,
                "better": better,
                "rows_suppressed": attempt.suppressed,
                "share_suppressed": attempt.suppressed / problem.total,
            })  # fmt: skip
    found.sort(key=lambda one: (one["distance"], one["score"] if lower else -one["score"]))
    return {
        "node": name_levels(problem, node),
        "measure": problem.measure.name,
        "lower_is_better": lower,
        "nodes": found[:most],
        "checked": checked,
        "complete": complete,
    }


def _walk_rings(
    problem: Problem, wanted: NodeFilter, node: Node
) -> Iterator[tuple[int, list[Node]]]:
    """The nodes within the limits by their distance, nearest first."""
    start = wanted.clip(node)
    apart = _measure_distance(node, start)
    if start != node:
        yield apart, [start]
    seen, ring, distance = {start, node}, [start], apart
    while ring:
        distance += 1
        near = {
            other for one in ring for other in _list_neighbours(one) if wanted.has_levels(other)
        }
        ring = sorted(near - seen)
        seen |= near
        if ring:
            yield distance, ring


def _measure_distance(one: Node, other: Node) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def _list_neighbours(node: Node) -> Iterable[Node]:
    for column, level in enumerate(node):
        for step in (-1, 1):
            yield (*node[:column], level + step, *node[column + 1 :])
