"""A table as small integers, column by column, for the search for keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import EmptyTableError, UnknownColumnError
from discreet.identification.keys.kernels import refine_labels
from discreet.input_file import check_column_count
from discreet.table.dictionary import Dictionary
from discreet.table.read import read
from discreet.table.row_counts import read_in_any_order
from discreet.table.table import Table, make_changed_error

Codes = npt.NDArray[np.int32]

AT_ONCE = 1000
"""Most columns that are read in one pass; a wider table is read in several passes."""


def _read_rows(table: Table, some: Sequence[str], columns: int) -> Iterator[pa.RecordBatch]:
    """Rows in any order, but in table order if columns are read in several passes."""
    return iter(table.scan(text=some) if columns > AT_ONCE else read_in_any_order(table, some))


@dataclass(frozen=True, eq=False)
class CodedTable:
    """All rows of a table in memory, each value a number; rows are equal where their codes are.

    ``codes[c]`` are the codes of column c, from 0 to ``sizes[c] - 1``. A missing value is a value
    of its own. The values are not kept.

    >>> import pyarrow as pa
    >>> table = CodedTable.of(pa.table({"age": [20, 30, 20], "sex": ["F", None, "F"]}))
    >>> table.codes.tolist(), table.sizes
    ([[0, 1, 0], [0, 1, 0]], (2, 2))
    >>> CodedTable.of(pa.table({"age": [20, 30, 20]}), drop_duplicates=True).duplicates_removed
    1

    Notes
    -----
    *Cost*: one pass over the rows (up to 1,000 columns); four bytes per cell. A table that does not
    fit in memory is read as a stream (`discreet.identification.keys.stream`).
    """

    columns: tuple[str, ...]
    codes: Codes = field(repr=False)
    sizes: tuple[int, ...] = field(repr=False)
    duplicates_removed: int = 0
    name: str = field(default="the table", repr=False)

    @classmethod
    def of(
        cls,
        table: Any,
        columns: Sequence[str] | None = None,
        drop_duplicates: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> CodedTable:
        """Code a Table, or anything that `discreet.read` takes.

        ``columns`` are the columns to use, all if absent; ``drop_duplicates`` keeps the first of
        rows that are equal in all of these. ``progress`` gets the number of rows read so far.
        """
        source = table if isinstance(table, Table) else read(table)
        names = select_columns(source.name, source.columns, columns)
        fix = "Name the columns that are about people, or save them in a file of their own."
        check_column_count(source.name, len(names), "searched for keys", fix)
        parts: list[list[Codes]] = []
        sizes: list[int] = []
        rows = 0
        for first in range(0, len(names), AT_ONCE):
            some = names[first : first + AT_ONCE]
            dictionaries = [Dictionary() for _ in some]
            found: list[list[Codes]] = [[] for _ in some]
            rows = 0
            for batch in _read_rows(source, some, len(names)):
                for place, dictionary in enumerate(dictionaries):
                    found[place].append(dictionary.encode(batch.column(place)))
                rows += batch.num_rows
                if progress is not None:
                    progress(rows)
            parts += found
            sizes += [max(1, len(dictionary)) for dictionary in dictionaries]
            if parts and sum(map(len, parts[0])) != rows:
                raise make_changed_error(source.name)
        if not rows:
            raise EmptyTableError(source.name, "the table has no rows")
        codes = np.empty((len(names), rows), dtype=np.int32)
        for place in range(len(names)):
            np.concatenate(parts[place], out=codes[place])
            parts[place] = []
        coded = cls(names, codes, tuple(sizes), 0, source.name)
        return coded.without_duplicates() if drop_duplicates else coded

    @classmethod
    def of_codes(cls, columns: Sequence[str], codes: Any, name: str = "the table") -> CodedTable:
        """Use existing codes: an array of columns by rows, without negative codes."""
        whole = np.ascontiguousarray(codes, dtype=np.int32)
        if whole.ndim != 2 or not whole.shape[1] or not whole.shape[0]:
            raise EmptyTableError(name, "the table has no rows")
        sizes = tuple(int(column.max()) + 1 for column in whole)
        return cls(tuple(columns), whole, sizes, 0, name)

    def __len__(self) -> int:
        return int(self.codes.shape[1])

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self)

    def positions(self, columns: Sequence[str]) -> tuple[int, ...]:
        """The positions of columns; the error for an unknown name suggests similar names."""
        names = select_columns(self.name, self.columns, columns, empty=True)
        return tuple(self.columns.index(name) for name in names)

    def take(self, rows: npt.NDArray[np.int64]) -> CodedTable:
        """Some of the rows, with the same codes."""
        return CodedTable(
            self.columns, np.ascontiguousarray(self.codes[:, rows]), self.sizes, 0, self.name
        )

    def select(self, columns: Sequence[str]) -> CodedTable:
        """Some of the columns, with the same codes."""
        places = self.positions(columns)
        names = tuple(self.columns[place] for place in places)
        sizes = tuple(self.sizes[place] for place in places)
        return CodedTable(names, self.codes[list(places)], sizes, 0, self.name)

    def without_duplicates(self) -> CodedTable:
        """The table without rows that repeat an earlier one in every column."""
        first = self.first_rows()
        removed = len(self) - len(first)
        codes = self.codes if not removed else np.ascontiguousarray(self.codes[:, first])
        removed += self.duplicates_removed
        return CodedTable(self.columns, codes, self.sizes, removed, self.name)

    @property
    def duplicates(self) -> int:
        """How many rows repeat an earlier one in all columns; if any do, there is no key."""
        return len(self) - len(self.first_rows())

    def first_rows(self) -> npt.NDArray[np.int64]:
        """The first row of each combination of values, in file order."""
        labels = np.zeros(len(self), dtype=np.int32)
        classes = 1
        for column, size in zip(self.codes, self.sizes, strict=True):
            if classes == len(self):
                break
            labels, classes = refine_labels(labels, column, classes, size)
        first = np.full(classes, -1, dtype=np.int64)
        first[labels[::-1]] = np.arange(len(self) - 1, -1, -1)
        return np.sort(first)


def select_columns(
    table: str, known: Sequence[str], columns: Sequence[str] | None, empty: bool = False
) -> tuple[str, ...]:
    """The requested columns, each once, or all if none were named."""
    if columns is None:
        return tuple(known)
    names = (columns,) if isinstance(columns, str) else tuple(dict.fromkeys(columns))
    there = set(known)
    for name in names:
        if name not in there:
            raise UnknownColumnError(table, name, known)
    if not names and not empty:
        raise EmptyTableError(table, "no column was chosen")
    return names
