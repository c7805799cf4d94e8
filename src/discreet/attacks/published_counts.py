"""Published counts of a private table: how often each value of a column occurs, or two together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import pyarrow as pa

from discreet.attacks.coded_rows import CodedRows
from discreet.attacks.meaning import Meaning
from discreet.display import dataclass
from discreet.errors import AttackError
from discreet.frequency.classes import Ints, Mask
from discreet.hierarchy.hierarchy import SUPPRESSED
from discreet.policy.changed_table import change_as_released
from discreet.table.read import read

ONE, TWO = ("column", "value", "count"), ("column1", "value1", "column2", "value2", "count")
SHAPES = "Give lines of column,value,count, or of column1,value1,column2,value2,count."

Key = tuple[str, ...]
Value = tuple[str | None, ...]


class SummaryError(AttackError):
    """Summary counts cannot be read, or cannot be those of the released table."""


ASSUMED = "assumed counts of the private table"
"""The name of counts that nobody is known to have: the worst case, tried where none are given."""


@dataclass(frozen=True)
class SummaryCounts:
    """For each column or pair of columns, the listed values and their numbers of rows.

    >>> import pyarrow as pa
    >>> table = pa.table({"column": ["sex", "sex"], "value": ["m", "f"], "count": ["6", "4"]})
    >>> SummaryCounts.of(table).total
    10
    """

    name: str
    tables: Mapping[Key, Mapping[Value, int]]

    @property
    def total(self) -> int:
        """The rows of the private table, according to the counts."""
        return max(sum(counts.values()) for counts in self.tables.values())

    @classmethod
    def of(cls, source: Any) -> SummaryCounts:
        """Read a file or a frame of counts."""
        table = CodedRows.of(source)
        names = {name.strip().casefold(): name for name in table.columns}
        shape = TWO if set(TWO) <= names.keys() else ONE
        if not set(shape) <= names.keys():
            lacking = next(name for name in shape if name not in names)
            raise SummaryError(table.name, f"there is no column '{lacking}'", SHAPES)
        rows = [table.cells(names[name]) for name in shape]
        found: dict[Key, dict[Value, int]] = {}
        for line, (*cells, number) in enumerate(zip(*rows, strict=True), start=2):
            key, value = _read_line(cells, table.name, line)
            counts = found.setdefault(key, {})
            if value in counts:
                raise SummaryError(table.name, f"line {line} gives a value again", "Drop one.")
            counts[value] = _count(number, table.name, line)
        return cls(table.name, found)

    def as_released(self, policy: Any) -> tuple[SummaryCounts, dict[str, str]]:
        """The counts after the changes that a policy makes to values.

        Counts of columns that cannot be changed in the same way are left out: the second part says
        why.
        """
        values: dict[str, dict[str | None, str | None]] = {}
        unusable: dict[str, str] = {}
        for key, counts in self.tables.items():
            for place, column in enumerate(key):
                known = values.setdefault(column, {})
                known.update((value[place], value[place]) for value in counts)
        for column, known in values.items():
            table = read(pa.table({column: pa.array(list(known), pa.string())}))
            found = change_as_released(policy, table, {column: column})
            unusable |= found.unusable
            if column in found.pairs and found.table is not table:
                texts = found.table.scan(text=[found.pairs[column]]).read_all().column(0)
                values[column] = dict(zip(known, texts.to_pylist(), strict=True))
        tables: dict[Key, dict[Value, int]] = {}
        for key, counts in self.tables.items():
            if unusable.keys().isdisjoint(key):
                merged = tables.setdefault(key, {})
                for value, number in counts.items():
                    new = tuple(values[c][v] for c, v in zip(key, value, strict=True))
                    merged[new] = merged.get(new, 0) + number
        return SummaryCounts(self.name, tables), unusable


def _read_line(cells: list[str | None], name: str, line: int) -> tuple[Key, Value]:
    """The columns and values of a line; where the second column is empty it counts one."""
    told = [(c, v) for c, v in zip(cells[::2], cells[1::2], strict=True) if c is not None]
    if not told or cells[0] is None:
        raise SummaryError(name, f"line {line} names no column", SHAPES)
    told.sort(key=lambda pair: pair[0])
    if len({column for column, _ in told}) < len(told):
        raise SummaryError(name, f"line {line} names one column twice", "Name two columns.")
    return tuple(column for column, _ in told), tuple(value for _, value in told)


def _count(text: str | None, name: str, line: int) -> int:
    try:
        number = int(text or "")
    except ValueError:
        number = -1
    if number < 0:
        what = f"the count of line {line} is not a whole number from 0"
        raise SummaryError(name, what, "Give counts of rows.")
    return number


# What published counts reveal about the hidden cells of one column.


Texts: TypeAlias = tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class InferredCells:
    """What is known of one column after subtraction.

    ``rows`` marks the released rows whose hidden cell has one possible value; ``left_out`` says
    that all rows left out have one value, ``left_out_counted`` that it is known how many have
    which. ``counted`` says that the latter is known of suppressed cells but not which cell is
    which. ``known`` has the set of values that is left for each text.
    """

    column: str
    rows: Mask
    hidden: int
    left_out: bool
    left_out_counted: bool
    counted: bool
    known: Ints
    meaning: Meaning


def mark_suppressed(
    texts: Sequence[str | None], values: Sequence[str | None]
) -> tuple[str | None, ...]:
    """The released texts; a missing one is suppressed unless missing values are counted."""
    if None in values:
        return tuple(texts)
    return tuple(SUPPRESSED if text is None else text for text in texts)
