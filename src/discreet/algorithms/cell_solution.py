"""What an algorithm found that decides cell by cell."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Search
from discreet.display import dataclass
from discreet.frequency.classes import Ints
from discreet.measures import ALL, Measure
from discreet.models.verdict import Verdict


@dataclass(frozen=True, eq=False)
class CellSolution:
    """What every cell is released as, the classes that come of it, and how good that is."""

    algorithm: str
    recoding: CellRecoding
    class_sizes: Ints
    verdicts: tuple[Verdict, ...]
    measures: Mapping[str, float]
    search: Search
    notes: tuple[str, ...] = ()

    @property
    def levels(self) -> tuple[int | None, ...]:
        """The level of each column, or None where its cells (but suppressed ones) differ."""
        return self.recoding.levels

    @property
    def suppressed(self) -> int:
        """Rows that are left out."""
        return self.recoding.suppressed

    @property
    def cells_suppressed(self) -> int:
        """Cells of released rows that say nothing, but those of a column generalized to ``*``."""
        return self.recoding.cells_suppressed

    @property
    def holds(self) -> bool:
        """Whether every promise is kept."""
        return all(verdict.holds for verdict in self.verdicts)


def cell_solution(
    problem: Problem,
    algorithm: str,
    recoding: CellRecoding,
    search: Search,
    notes: tuple[str, ...] = (),
) -> CellSolution:
    """Count the released classes, and work out verdicts and all measures."""
    counter = recoding.counter(problem)
    everything = np.ones(len(counter.base), dtype=np.bool_)
    verdicts = problem.requirement.verdicts(counter, counter.base, everything)
    sizes = counter.base.rows
    every: list[Measure] = [measure() for measure in ALL if measure.name != problem.measure.name]
    measures = {
        measure.name: measure.shown(recoding.score(problem, measure, sizes))
        for measure in (problem.measure, *every)
    }
    return CellSolution(algorithm, recoding, sizes, verdicts, measures, search, notes)
