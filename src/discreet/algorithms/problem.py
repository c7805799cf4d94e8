"""The problem an algorithm solves: a counted table, promises to keep, a measure of loss."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.frequency import kernels
from discreet.frequency.class_counter import ClassCounter, Groups
from discreet.frequency.classes import Floats, Ints, Reference, add_up
from discreet.frequency.frequency_list import Entries, FrequencyList
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.lattice import Lattice, Node
from discreet.measures import ClassMeasure, ColumnCost, ColumnMeasure, Measure, MeasuredTable
from discreet.models.model import Model
from discreet.models.requirement import Requirement
from discreet.models.wildcard import keeps_missing

NOTHING = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Attempt:
    """A counted node: its suppressed rows, its score, and lower bounds for finer nodes.

    A lower ``score`` is better; it is None if too many rows would be suppressed. Every node finer
    than this one suppresses at least ``least_suppressed`` rows; ``risen`` is what the rows
    suppressed here add to each column's cost, and ``failing`` are the sizes of their classes, if
    those classes fail at every finer node too.
    """

    node: Node
    suppressed: int
    least_suppressed: int
    score: float | None
    risen: Floats
    failing: Ints


class Problem:
    """A frequency list with hierarchies, promises, a measure and a limit on suppressed rows."""

    unit: ClassVar[str] = "rows"
    """The unit that is counted, for messages."""

    def __init__(
        self,
        frequency: FrequencyList,
        hierarchies: Sequence[Hierarchy],
        models: Sequence[Model],
        measure: Measure,
        suppress: float = 0.0,
        weights: Sequence[float] | None = None,
        references: Mapping[str, Reference] | None = None,
        prefer: Sequence[str] = (),
        wildcard: bool = False,
        floor: Node | None = None,
        counter: ClassCounter | None = None,
    ) -> None:
        self.frequency = frequency
        self.lattice = Lattice(tuple(hierarchies))
        self.measure = measure
        self.total = frequency.total
        self.limit = math.floor(suppress * self.total + 1e-9)
        self.counter = counter or ClassCounter(frequency, self.lattice, references or {})
        nested = not wildcard or keeps_missing(hierarchies)
        self.requirement = Requirement(models, frequency.columns, wildcard, nested, floor)
        self.prefer = tuple(frequency.columns.index(name) for name in prefer)
        self._weights = np.array(weights if weights else [1.0] * len(hierarchies), dtype=np.float64)

    def with_sensitive(
        self, sensitive: Mapping[str, Entries], models: Sequence[Model] | None = None
    ) -> Problem:
        """The same problem with other sensitive values for the same people (and other promises).

        Each value must occur as often as before, since promises compare classes with the whole
        table.
        """
        other = copy.copy(self)
        other.frequency = replace(self.frequency, sensitive=dict(sensitive))
        other.counter = ClassCounter(other.frequency, self.lattice, self.counter.references)
        if models is not None:
            own = self.requirement
            other.requirement = Requirement(
                models, own.columns, own.wildcard, own.nested, own.floor
            )
        return other

    @property
    def unweighted(self) -> bool:
        """Whether all rows have equal weight in the measures."""
        return "weight" not in self.frequency.tallies

    @cached_property
    def table(self) -> MeasuredTable:
        """The facts that the measures need."""
        mass = self.frequency.tallies.get("weight")
        marginals = []
        for codes, hierarchy in zip(self.frequency.codes, self.lattice.hierarchies, strict=True):
            amount = self.frequency.rows if mass is None else mass
            marginals.append(add_up(codes, amount, hierarchy.size(0)))
        return MeasuredTable(self.lattice.hierarchies, tuple(marginals), self._weights)

    @cached_property
    def cost(self) -> ColumnCost | None:
        """The measure prepared for this table, if it is a sum over columns."""
        return self.measure.on(self.table) if isinstance(self.measure, ColumnMeasure) else None

    @property
    def class_measure(self) -> ClassMeasure:
        """The measure, if it is about classes instead of columns."""
        assert isinstance(self.measure, ClassMeasure)
        return self.measure

    def attempt(self, node: Node) -> Attempt:
        """Count a node, decide what it suppresses, and score it."""
        groups = self.counter.groups(node)
        verdict = self.requirement.judge(self.counter, groups)
        allowed = verdict.suppressed <= self.limit
        score, risen, failing = None, np.zeros(len(node)), NOTHING
        if self.cost is not None:
            if verdict.suppressed:
                risen = self.price_suppressed(
                    groups, np.where(verdict.fails, groups.rows, 0), self.cost
                )
            score = self.cost.score(node, risen) if allowed else None
        else:
            failing = groups.rows[verdict.fails] if self.requirement.hereditary else NOTHING
            if allowed:
                kept = groups.rows[~verdict.fails & (groups.rows > 0)]
                score = self.class_measure.score(kept, verdict.suppressed)
        least = verdict.least_suppressed
        return Attempt(node, verdict.suppressed, least, score, risen, failing)

    def price_suppressed(self, groups: Groups, dropped: Ints, cost: ColumnCost) -> Floats:
        """The cost that suppressing ``dropped`` rows of each class adds in each column."""
        tables = [cost.rise[c][level] for c, level in enumerate(groups.node)]
        mass = dropped.astype(np.float64)
        if not self.unweighted:
            weight = groups.tallies[list(self.frequency.tallies).index("weight")]
            mass = mass * weight / np.maximum(groups.rows, 1)
        packing = self.counter.packing
        result: Floats = kernels.price(
            groups.keys,
            mass,
            packing.word,
            packing.shift,
            packing.bits,
            np.concatenate(tables),
            np.cumsum([0, *map(len, tables)])[:-1],
        )
        return result

    def score(self, measure: Measure, groups: Groups, dropped: Ints) -> float:
        """Any measure of a node from which ``dropped`` rows of each class are left out."""
        if isinstance(measure, ColumnMeasure):
            cost = measure.on(self.table)
            return cost.score(groups.node, self.price_suppressed(groups, dropped, cost))
        kept = groups.rows - dropped
        return measure.score(kept[kept > 0], int(dropped.sum()))
