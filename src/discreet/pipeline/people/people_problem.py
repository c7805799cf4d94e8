"""What an algorithm is asked to solve where people are counted and columns are of rows."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from discreet.algorithms.problem import Problem
from discreet.errors import InternalError
from discreet.frequency import kernels
from discreet.frequency.class_counter import DROPPED, ClassCounter, Groups
from discreet.frequency.classes import Floats, Ints, Reference, add_up
from discreet.frequency.count import find_distinct
from discreet.frequency.frequency_list import Codes, Entries, FrequencyList, KeyIndex
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.lattice import Lattice
from discreet.measures import ColumnCost, Measure, MeasuredTable
from discreet.models.model import Model
from discreet.models.requirement import Requirement
from discreet.pipeline.people import counted_people
from discreet.pipeline.people.counted_people import Records
from discreet.pipeline.people.people_values import Holders

# The classes of people at any node: those whose whole records look alike there.


Keys = npt.NDArray[np.uint64]


class PeopleCounter(ClassCounter):
    """Counts people instead of rows: a class is all people whose released records are equal.

    A key has one record of the class, then the fingerprint that all of them share.

    Notes
    -----
    Records are compared as multisets of rows: what a recipient sees who knows which rows belong
    together, but no order among them. A coarser record follows from a finer one, so classes roll
    up, as those of rows do, from one record a class. ``once`` compares them as sets. Equal records
    have equal fingerprints; different ones share one with a chance of about 2^-128, and the release
    is checked without fingerprints before it is handed out. *Cost*: a few hashes for each row of
    one person a class of the nearest finer node.
    """

    def __init__(
        self,
        records: Records,
        lattice: Lattice,
        once: bool,
        holders: Mapping[str, Holders] | None = None,
    ) -> None:
        self.records, self.lattice, self._once = records, lattice, once
        keys, people, home = self._group_records(records.everyone, records.people, lattice.bottom)
        columns = tuple(hierarchy.column for hierarchy in lattice.hierarchies)
        references = {name: one.reference for name, one in (holders or {}).items()}
        by_record = {name: one.entries for name, one in (holders or {}).items()}
        entries = _merge_entries(by_record, home, references)
        self.frequency = FrequencyList(columns, (), people, {}, entries)
        super().__init__(self.frequency, lattice, references, keys)

    def merge(
        self,
        finer: Groups,
        node: tuple[int, ...],
        changed: Mapping[int, int],
        space: int,
        inverted: bool,
    ) -> tuple[Groups, npt.NDArray[np.int32]]:
        """Merge classes after some columns changed their level, or were left out."""
        levels = [changed.get(column, level) for column, level in enumerate(node)]
        records = finer.keys[0].astype(np.int64)
        keys, people, inverse = self._group_records(records, finer.rows, levels)
        entries = _merge_entries(finer.entries, inverse, self.references)
        return Groups(node, keys, people, np.zeros((0, len(people))), entries), inverse

    def count_variety(self, groups: Groups) -> list[int]:
        """How many different values each column has among the classes that have people."""
        records = groups.keys[0, groups.rows > 0].astype(np.int64)
        codes = self.records.codes[self.records.tuples_of(records)]
        hierarchies = zip(self.lattice.hierarchies, groups.node, codes.T, strict=True)
        return [len(np.unique(h.maps[level][own[own >= 0]])) for h, level, own in hierarchies]

    def find_record_classes(self, groups: Groups) -> npt.NDArray[np.int32]:
        """The class that each record falls in."""
        marks = self._hash_records(self.records.everyone, groups.node)
        return KeyIndex(np.ascontiguousarray(groups.keys[1:])).find(marks)

    def match_classes(self, known: Groups, groups: Groups) -> npt.NDArray[np.int32]:
        """The class of ``known`` that each of some classes of the same node is."""
        return KeyIndex(np.ascontiguousarray(known.keys[1:])).find(
            np.ascontiguousarray(groups.keys[1:])
        )

    def without_values(self) -> PeopleCounter:
        """The same people, of whose sensitive values nothing is known."""
        return PeopleCounter(self.records, self.lattice, self._once)

    def price_dropped(self, groups: Groups, dropped: Ints, costs: Sequence[Floats]) -> Floats:
        """What the rows of ``dropped`` people of each class cost, a column each."""
        maps, first, _ = self._list_level_maps(groups.node)
        records, mass = groups.keys[0].astype(np.int64), dropped.astype(np.float64)
        if self._once:  # people of a class may have different numbers of rows
            share = dropped / np.maximum(groups.rows, 1)
            records = self.records.everyone
            mass = self.records.people * share[self.find_record_classes(groups)]
        held = self.records
        begin = np.cumsum([0, *map(len, costs)])[:-1]
        every = np.concatenate(costs)
        found: Floats = counted_people.price(
            records, mass, held.start, held.tuples, held.codes, maps, first, every, begin
        )
        return found

    def _group_records(
        self, records: Ints, people: Ints, levels: Sequence[int]
    ) -> tuple[Keys, Ints, npt.NDArray[np.int32]]:
        """Keys and people of the classes that some records fall in, and the class of each."""
        marks, total, inverse = find_distinct(self._hash_records(records, levels), people)
        one = np.empty(len(total), dtype=np.uint64)
        one[inverse[::-1]] = records[::-1]
        return np.vstack([one[None, :], marks]), total, inverse

    def _hash_records(self, records: Ints, levels: Sequence[int]) -> Keys:
        maps, first, used = self._list_level_maps(levels)
        held = self.records
        found: Keys = counted_people.hash_records(
            records, held.start, held.tuples, held.codes, held.table, maps, first, used, self._once
        )
        return found

    def _list_level_maps(
        self, levels: Sequence[int]
    ) -> tuple[npt.NDArray[np.int32], Ints, npt.NDArray[np.bool_]]:
        """The maps of all columns to their levels, where each begins, and who says anything."""
        pairs = list(zip(self.lattice.hierarchies, levels, strict=True))
        maps = [h.maps[max(level, 0)] for h, level in pairs]
        used = [level != DROPPED and h.size(level) > 1 for h, level in pairs]
        first = np.cumsum([0, *map(len, maps)])[:-1].astype(np.int64)
        return np.concatenate(maps), first, np.array(used, dtype=np.bool_)


def _merge_entries(
    entries: Mapping[str, Entries], inverse: Codes, references: Mapping[str, Reference]
) -> dict[str, Entries]:
    """Who has which value, after classes were merged: nobody is in two of them."""
    return {
        name: Entries(
            *kernels.roll_up_values(
                e.owner, e.value, e.count, inverse, len(references[name].counts)
            )
        )
        for name, e in entries.items()
    }


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
        holders: Mapping[str, Holders] | None = None,
    ) -> None:
        self.people = PeopleCounter(records, Lattice(tuple(hierarchies)), once, holders)
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

    def with_sensitive(
        self, sensitive: Mapping[str, Entries], models: Sequence[Model] | None = None
    ) -> PeopleProblem:
        """The same problem without the values of people (and with other promises)."""
        if sensitive:
            raise InternalError("people were to get other sensitive values")
        other = copy.copy(self)
        other.people = self.people.without_values()
        other.counter, other.frequency = other.people, other.people.frequency
        if models is not None:
            other.requirement = Requirement(models, self.requirement.columns)
        return other

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

    def price_suppressed(self, groups: Groups, dropped: Ints, cost: ColumnCost) -> Floats:
        """What suppressing ``dropped`` people of each class adds to each column's cost."""
        costs = [cost.rise[c][level] for c, level in enumerate(groups.node)]
        return self.people.price_dropped(groups, dropped, costs) * self._scale
