"""The result of an algorithm: the rows and levels to release, and how close to optimal it is."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.frequency.class_counter import Groups
from discreet.frequency.classes import Ints
from discreet.hierarchy.lattice import Node
from discreet.measures import ALL, Measure
from discreet.models.verdict import Verdict


@dataclass(frozen=True)
class Search:
    """How an answer was found: proven optimal or not, and a bound on better ones.

    ``bound`` is in the policy's measure as shown to people, and None if nothing is known.
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
        """0: whole rows are left out, never single cells."""
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


def build_solution_at(
    problem: Problem, algorithm: str, node: Node, dropped: Ints | None, search: Search
) -> Solution:
    """Compute verdicts and all measures for a node; ``dropped`` None means only failing rows."""
    groups = problem.counter.groups(node)
    if dropped is None:
        fails = problem.requirement.judge(problem.counter, groups).fails
        dropped = np.where(fails, groups.rows, 0)
    released = Groups(
        groups.node, groups.keys, groups.rows - dropped, groups.tallies, groups.entries
    )
    verdicts = problem.requirement.list_verdicts(problem.counter, released, dropped < groups.rows)
    every: list[Measure] = [measure() for measure in ALL if measure.name != problem.measure.name]
    measures = {
        measure.name: measure.convert_score(problem.score(measure, groups, dropped))
        for measure in (problem.measure, *every)
    }
    return Solution(algorithm, node, groups, dropped, verdicts, measures, search)


# The result of an algorithm that decides cell by cell.


@dataclass(frozen=True, eq=False)
class CellSolution:
    """The recoding of every cell, the resulting classes, and their measures."""

    algorithm: str
    recoding: CellRecoding
    class_sizes: Ints
    verdicts: tuple[Verdict, ...]
    measures: Mapping[str, float]
    search: Search
    notes: tuple[str, ...] = ()

    @property
    def levels(self) -> tuple[int | None, ...]:
        """The level of each column, or None if its cells (except suppressed ones) differ."""
        return self.recoding.levels

    @property
    def suppressed(self) -> int:
        """Rows that are left out."""
        return self.recoding.suppressed

    @property
    def cells_suppressed(self) -> int:
        """Suppressed cells in released rows, except in a column generalized to ``*``."""
        return self.recoding.cells_suppressed

    @property
    def holds(self) -> bool:
        """Whether every promise is kept."""
        return all(verdict.holds for verdict in self.verdicts)


def build_cell_solution(
    problem: Problem,
    algorithm: str,
    recoding: CellRecoding,
    search: Search,
    notes: tuple[str, ...] = (),
) -> CellSolution:
    """Count the released classes, and compute verdicts and all measures."""
    counter = recoding.counter(problem)
    everything = np.ones(len(counter.base), dtype=np.bool_)
    verdicts = problem.requirement.list_verdicts(counter, counter.base, everything)
    sizes = counter.base.rows
    every: list[Measure] = [measure() for measure in ALL if measure.name != problem.measure.name]
    measures = {
        measure.name: measure.convert_score(recoding.score(problem, measure, sizes))
        for measure in (problem.measure, *every)
    }
    return CellSolution(algorithm, recoding, sizes, verdicts, measures, search, notes)
