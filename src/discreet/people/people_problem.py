"""What an algorithm is asked to solve where people are counted and columns are of rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from discreet.algorithms.problem import Problem
from discreet.frequency.class_counter import Groups
from discreet.frequency.classes import Floats, Ints, add_up
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.lattice import Lattice
from discreet.measures import ColumnCost, Measure, MeasuredTable
from discreet.models.model import Model
from discreet.people.people_counter import PeopleCounter
from discreet.people.records import Records


class PeopleProblem(Problem):
    """Classes and the limit are of people; measures of columns are over the rows of each table.

    A suppressed person costs what all rows of that person cost. Measures of class sizes count
    people.
    """

    unit: ClassVar[str] = "people"

    def __init__(
        self,
        records: Records,
        hierarchies: Sequence[Hierarchy],
        models: Sequence[Model],
        measure: Measure,
        limit: int,
        weights: Sequence[float],
        prefer: Sequence[str],
        once: bool,
    ) -> None:
        self.people = PeopleCounter(records, Lattice(tuple(hierarchies)), once)
        frequency = self.people.frequency
        super().__init__(
            frequency,
            hierarchies,
            models,
            measure,
            weights=weights,
            prefer=prefer,
            counter=self.people,
        )
        self.limit = limit

    @property
    def unweighted(self) -> bool:
        """People have different numbers of rows, so they do not count alike in the measures."""
        return False

    @cached_property
    def table(self) -> MeasuredTable:
        """What the measures need to know: the rows by value, of the column's own table."""
        records = self.people.records
        rows = records.rows_by_tuple()
        marginals = []
        for codes, hierarchy in zip(records.codes.T, self.lattice.hierarchies, strict=True):
            own = codes >= 0
            marginals.append(add_up(codes[own], rows[own], hierarchy.size(0)))
        return MeasuredTable(self.lattice.hierarchies, tuple(marginals), self._weights)

    @cached_property
    def _scale(self) -> Floats:
        """Costs are divided by the rows of the first column's table, and should be by their own."""
        own = np.array([max(marginal.sum(), 1.0) for marginal in self.table.marginals])
        return np.asarray(self.table.total / own, dtype=np.float64)

    def risen(self, groups: Groups, dropped: Ints, cost: ColumnCost) -> Floats:
        """What suppressing ``dropped`` people of each class adds to each column's cost."""
        costs = [cost.rise[c][level] for c, level in enumerate(groups.node)]
        return self.people.priced(groups, dropped, costs) * self._scale
