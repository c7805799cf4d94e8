"""A table counted for its description: every figure of a report is made from these counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from discreet.attacks.coded_rows import number_rows
from discreet.display import dataclass
from discreet.engines.table import find_engine_source
from discreet.frequency.classes import Ints
from discreet.frequency.count import count
from discreet.frequency.frequency_list import AnyCodes, FrequencyList
from discreet.table.dictionary import Dictionary
from discreet.table.table import Table

Labels = tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class ColumnCounts:
    """The different values of a column, and how many rows have each."""

    values: Labels
    rows: Ints


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A column of the counted combinations: a label for each, and its number; -1 is left out."""

    labels: Labels
    codes: AnyCodes

    def count(self, rows: Ints) -> ColumnCounts:
        """The rows of each label."""
        there = self.codes >= 0
        found = np.bincount(self.codes[there], weights=rows[there], minlength=len(self.labels))
        return ColumnCounts(self.labels, found.astype(np.int64))


@dataclass(frozen=True, eq=False)
class CountedTable:
    """The combinations of the columns that have a role, and the values of the others one by one."""

    joint: FrequencyList
    single: Mapping[str, ColumnCounts]
    rows: int

    @property
    def columns(self) -> tuple[str, ...]:
        """All that was counted."""
        return (*self.joint.columns, *self.single)

    def code(self, column: str) -> CodedColumn:
        """A column of the combinations."""
        place = self.joint.columns.index(column)
        return CodedColumn(self.joint.values[column], self.joint.codes[place].astype(np.int64))

    def count_column(self, column: str) -> ColumnCounts:
        """The rows of each value of a column."""
        if column in self.single:
            return self.single[column]
        return self.code(column).count(self.joint.rows)

    def count_classes(self, columns: Sequence[str]) -> Ints:
        """The sizes of the classes of some of the combined columns."""
        if not columns:
            return np.array([self.rows] if self.rows else [], dtype=np.int64)
        numbers = number_rows([self.code(name).codes for name in columns], len(self.joint))
        return np.bincount(numbers, weights=self.joint.rows).astype(np.int64)


def count_table(table: Table, joint: Sequence[str], single: Sequence[str]) -> CountedTable:
    """Count a table for its description, columns that it lacks left out.

    Notes
    -----
    *Cost*: one pass for the combinations, and one for the columns that are counted one by one;
    memory grows with what is different.
    """
    together = [name for name in joint if name in table.columns]
    apart = [name for name in single if name in table.columns]
    alone, seen = _count_single(table, apart)
    if not together:
        rows = seen if apart else sum(batch.num_rows for batch in table.scan(text=()))
        return CountedTable(FrequencyList((), (), np.array([rows]), {}), alone, rows)
    found = count(table, together).frequency
    return CountedTable(found, alone, found.total)


def _count_single(table: Table, names: Sequence[str]) -> tuple[dict[str, ColumnCounts], int]:
    if not names:
        return {}, 0
    if find_engine_source(table) is not None:  # counted where the rows are
        counted = {name: count(table, [name]).frequency for name in names}
        there = {
            name: CodedColumn(one.values[name], one.codes[0].astype(np.int64)).count(one.rows)
            for name, one in counted.items()
        }
        return there, counted[names[0]].total
    values = {name: Dictionary() for name in names}
    rows = {name: np.zeros(0, dtype=np.int64) for name in names}
    seen = 0
    for batch in table.scan(text=names, coded=True):
        seen += batch.num_rows
        for place, name in enumerate(names):
            codes = values[name].encode(batch.column(place))
            found = np.bincount(codes, minlength=len(values[name]))
            found[: len(rows[name])] += rows[name]
            rows[name] = found
    return {name: ColumnCounts(values[name].values, rows[name]) for name in names}, seen
