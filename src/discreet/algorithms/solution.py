"""What an algorithm found: which rows and levels to release, and how sure it is to be the best."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.frequency.class_counter import Groups
from discreet.frequency.classes import Ints
from discreet.hierarchy.lattice import Node
from discreet.measures import ALL, Measure
from discreet.models.verdict import Verdict


@dataclass(frozen=True)
class Search:
    """How an answer was found: proven best or not, and the best that can still be hoped for.

    ``bound`` is in the policy's measure as people know it, and None where nothing is known.
    """

    proven: bool
    bound: float | None
    nodes: int
    nodes_checked: int


@dataclass(frozen=True, eq=False)
class Solution:
    """A node of the lattice and the rows of each of its classes that are left out."""

    algorithm: str
    node: Node
    groups: Groups
    dropped: Ints
    verdicts: tuple[Verdict, ...]
    measures: Mapping[str, float]
    search: Search
    notes: tuple[str, ...] = ()

    @property
    def levels(self) -> tuple[int | None, ...]:
        """The level of each column."""
        return self.node

    @property
    def cells_suppressed(self) -> int:
        """Whole rows are left out, never single cells."""
        return 0

    @property
    def kept(self) -> Ints:
        """Rows of each class that are released."""
        return self.groups.rows - self.dropped

    @property
    def suppressed(self) -> int:
        """Rows that are left out."""
        return int(self.dropped.sum())

    @property
    def class_sizes(self) -> Ints:
        """Sizes of the classes that are released."""
        return self.kept[self.kept > 0]


def solution_at(
    problem: Problem, algorithm: str, node: Node, dropped: Ints | None, search: Search
) -> Solution:
    """Work out verdicts and all measures for a node; ``dropped`` None: just what fails."""
    groups = problem.counter.groups(node)
    if dropped is None:
        fails = problem.requirement.judge(problem.counter, groups).fails
        dropped = np.where(fails, groups.rows, 0)
    released = Groups(
        groups.node, groups.keys, groups.rows - dropped, groups.tallies, groups.entries
    )
    verdicts = problem.requirement.verdicts(problem.counter, released, dropped < groups.rows)
    every: list[Measure] = [measure() for measure in ALL if measure.name != problem.measure.name]
    measures = {
        measure.name: measure.shown(problem.score(measure, groups, dropped))
        for measure in (problem.measure, *every)
    }
    return Solution(algorithm, node, groups, dropped, verdicts, measures, search)
