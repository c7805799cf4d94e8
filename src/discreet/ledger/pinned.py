"""The release that leaves old rows as they are: columns released before keep their levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from discreet.algorithms.datafly import Datafly, suppress
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Search, Solution, solution_at
from discreet.frequency.class_counter import Groups
from discreet.frequency.classes import Ints
from discreet.hierarchy.lattice import Node
from discreet.ledger.split import Split


def pinned(
    problem: Problem,
    algorithm: Any,
    levels: Mapping[str, int],
    divided: Sequence[Split] = (),
    k: int = 1,
) -> Solution | None:
    """The best release at these levels that keeps the promises, or None.

    Columns without a level are new; every combination of theirs is tried. They divide the classes
    of earlier releases: each part must have k of the old rows, whichever rows are new, and the
    parts of a class are left out all or none, else those left out would be known by what the
    others say.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.3: new rows are added without changing the old ones. *Cost*: one
    roll-up for each node of the new columns.
    """
    columns, top = problem.frequency.columns, problem.lattice.top
    ranges = [
        [levels[name]] if name in levels else range(height + 1)
        for name, height in zip(columns, top, strict=True)
    ]
    best: tuple[float, Node, Ints] | None = None
    checked = 0
    for node in product(*ranges):
        checked += 1
        dropped = _left_out(problem, algorithm, node, divided, k)
        if dropped is None:
            continue
        groups = problem.counter.groups(node)
        score = problem.score(problem.measure, groups, dropped)
        if best is None or score < best[0]:
            best = score, node, dropped
    if best is None:
        return None
    search = Search(False, None, problem.lattice.nodes, checked)
    return solution_at(problem, algorithm.name, best[1], best[2], search)


def _left_out(
    problem: Problem, algorithm: Any, node: Node, divided: Sequence[Split], k: int
) -> Ints | None:
    """Rows of each class to leave out at a node, or None if they are too many."""
    groups = problem.counter.groups(node)
    if isinstance(algorithm, Datafly):
        dropped = suppress(problem, node)
    else:
        judged = problem.requirement.judge(problem.counter, groups)
        allowed = judged.suppressed <= problem.limit
        dropped = np.where(judged.fails, groups.rows, 0) if allowed else None
    if dropped is None or not divided:
        return dropped
    dropped = _undivided(problem, groups, dropped, divided, k)
    if int(dropped.sum()) > problem.limit or not _holds(problem, groups, dropped):
        return None
    return dropped


def _undivided(
    problem: Problem, groups: Groups, dropped: Ints, divided: Sequence[Split], k: int
) -> Ints:
    """Leave out the earlier classes that are divided badly, until none is left out in part."""
    for split in divided:
        dropped = np.where(split.crowded_out(problem, groups, k), groups.rows, dropped)
    before = -1
    while int(dropped.sum()) != before:
        before = int(dropped.sum())
        for split in divided:
            dropped = split.as_wholes(problem, groups, dropped)
    return dropped


def _holds(problem: Problem, groups: Groups, dropped: Ints) -> bool:
    rest = Groups(groups.node, groups.keys, groups.rows - dropped, groups.tallies, groups.entries)
    verdicts = problem.requirement.verdicts(problem.counter, rest, dropped < groups.rows)
    return all(verdict.holds for verdict in verdicts)
