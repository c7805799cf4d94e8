"""A file as an intruder has it: every row, with a small number for the text of each cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import EmptyTableError, UnknownColumnError
from discreet.frequency.classes import Ints
from discreet.frequency.frequency_list import AnyCodes
from discreet.table.dictionary import Dictionary
from discreet.table.read import read
from discreet.table.table import Table


@dataclass(frozen=True, eq=False)
class CodedRows:
    """The rows of a file in order, with the texts of each column numbered from 0.

    >>> import pyarrow as pa
    >>> rows = CodedRows.of(pa.table({"zip": ["02138", "02139", "02138"]}))
    >>> rows.codes["zip"].tolist(), rows.rows
    ([0, 1, 0], 3)

    Notes
    -----
    *Cost*: one pass over the file; four bytes per cell.
    """

    name: str
    columns: tuple[str, ...]
    texts: Mapping[str, tuple[str | None, ...]] = field(repr=False)
    codes: Mapping[str, Ints] = field(repr=False)
    rows: int

    @classmethod
    def of(cls, source: Any, columns: Sequence[str] | None = None) -> CodedRows:
        """Read a file, a Table or a frame; all columns, or those of the named ones that it has."""
        if isinstance(source, CodedRows):
            return source
        table = source if isinstance(source, Table) else read(source)
        names = [c for c in table.columns if columns is None or c in columns]
        if not names:
            raise UnknownColumnError(table.name, (columns or ("?",))[0], table.columns)
        dictionaries = {name: Dictionary() for name in names}
        parts: dict[str, list[Any]] = {name: [] for name in names}
        for batch in _scan_text(source, table, names):
            for place, name in enumerate(names):
                parts[name].append(dictionaries[name].encode(batch.column(place)))
        codes = {name: np.concatenate([NONE, *parts[name]]) for name in names}
        rows = len(codes[names[0]])
        if not rows:
            raise EmptyTableError(table.name, "there are column names but no rows")
        texts = {name: dictionaries[name].values for name in names}
        return cls(table.name, tuple(names), texts, codes, rows)

    def rename_columns(self, names: Mapping[str, str]) -> CodedRows:
        """The same rows with other names for some columns."""
        return replace(
            self,
            columns=tuple(names.get(name, name) for name in self.columns),
            texts={names.get(name, name): texts for name, texts in self.texts.items()},
            codes={names.get(name, name): codes for name, codes in self.codes.items()},
        )

    def classes(self, columns: Sequence[str]) -> Ints:
        """One number per row, the same for rows that are equal on these columns."""
        return number_rows([self.codes[name] for name in columns], self.rows)

    def cells(self, column: str) -> list[str | None]:
        """The texts of a column, row by row."""
        return [self.texts[column][code] for code in self.codes[column].tolist()]

    def require(self, columns: Sequence[str]) -> None:
        """Refuse columns that the file does not have."""
        for name in columns:
            if name not in self.columns:
                raise UnknownColumnError(self.name, name, self.columns)


NONE = np.zeros(0, dtype=np.int64)


def _scan_text(source: Any, table: Table, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """The cells as text; a frame that has only text is used as it is, which is faster."""
    if not isinstance(source, pa.Table) or {*source.schema.types} != {pa.string()}:
        yield from table.scan(text=names)
        return
    for batch in source.select(names).to_batches():
        columns = [pc.if_else(pc.equal(c, ""), None, c) for c in batch.columns]
        yield pa.RecordBatch.from_arrays(columns, names=list(names))


DENSE = 16
"""Numbers for each row up to which a table of them is quicker than a sort."""


def number_rows(columns: Sequence[AnyCodes], rows: int) -> Ints:
    """One number per row, from 0, the same for rows with equal codes.

    Notes
    -----
    *Cost*: no sort while the combinations so far times the values of a column are few for the rows.
    """
    found, room = np.zeros(rows, dtype=np.int64), 1
    for codes in columns:
        size = int(codes.max(initial=0)) + 1
        if room * size > DENSE * rows:
            found = _close_gaps(found, room)
            room = int(found.max(initial=0)) + 1
        found, room = found * size + codes, room * size
    return _close_gaps(found, room)


def _close_gaps(numbers: Ints, room: int) -> Ints:
    """The numbers below ``room`` that there are, counted from 0 in the same order."""
    if room > DENSE * len(numbers):
        return np.unique(numbers, return_inverse=True)[1].reshape(-1).astype(np.int64)
    there = np.zeros(room, dtype=np.bool_)
    there[numbers] = True
    return (np.cumsum(there) - 1)[numbers]


@dataclass(frozen=True, eq=False)
class Grouped:
    """The distinct rows of a file on some columns: the number of each, and the first one."""

    of_row: Ints
    first: Ints
    rows: Ints

    @classmethod
    def by(cls, numbers: Ints) -> Grouped:
        """Groups from one number per row."""
        _, first, of_row, rows = np.unique(
            numbers, return_index=True, return_inverse=True, return_counts=True
        )
        return cls(of_row.astype(np.int64), first.astype(np.int64), rows.astype(np.int64))

    def __len__(self) -> int:
        return len(self.rows)


# The people of a file, each with all of their rows.


@dataclass(frozen=True, eq=False)
class ShownPeople:
    """The people of a file as seen by somebody who knows which rows belong together.

    ``person`` is the person of each row, ``rows`` how many rows each person has, ``classes`` the
    class of each person: all people whose whole records are equal on some columns.
    """

    file: CodedRows
    column: str
    person: Ints
    rows: Ints
    classes: Grouped

    @classmethod
    def of(
        cls,
        file: Any,
        column: str,
        columns: Sequence[str],
        counts: bool,
        more: Sequence[str] = (),
    ) -> ShownPeople:
        """Read a file and group its people, identified by ``column``, by their records.

        With ``counts``, records are equal if every row occurs equally often in both. ``more``
        columns are read too.
        """
        shown = CodedRows.of(file, [column, *columns, *more])
        shown.require([column, *columns])
        person = shown.codes[column].astype(np.int64)
        rows = np.bincount(person, minlength=len(shown.texts[column])).astype(np.int64)
        records = _number_records(person, shown.classes(columns), len(rows), counts)
        return cls(shown, column, person, rows, Grouped.by(records))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def nameless(self) -> int:
        """How many rows do not say whose they are; spaces count as nothing."""
        blank = [
            code
            for code, text in enumerate(self.file.texts[self.column])
            if text is None or not text.strip()
        ]
        return int(self.rows[blank].sum())

    @property
    def sizes(self) -> Ints:
        """The number of people in the class of each person."""
        return self.classes.rows[self.classes.of_row]

    def count_holders(self, column: str) -> tuple[Ints, Ints, Ints]:
        """Class, value and the number of people of the class who have it in some row."""
        values = len(self.file.texts[column])
        pairs = np.unique(self.person * values + self.file.codes[column])
        owner = self.classes.of_row[pairs // values]
        held, people = np.unique(owner * values + pairs % values, return_counts=True)
        return held // values, held % values, people.astype(np.int64)


def _number_records(person: Ints, kinds: Ints, people: int, counts: bool) -> Ints:
    """One number per person, the same for people whose rows are of the same kinds.

    Rows are sorted and taken in turn: the first of everybody, the second of those who have one.
    """
    wide = int(kinds.max(initial=0)) + 1
    pairs = np.sort(person * wide + kinds) if counts else np.unique(person * wide + kinds)
    owner, kind = pairs // wide, pairs % wide
    length = np.bincount(owner, minlength=people)
    first = np.cumsum(length) - length
    state = np.zeros(people, dtype=np.int64)
    for turn in range(int(length.max(initial=0))):
        those = np.nonzero(length > turn)[0]
        state[those] = number_rows([state[those], kind[first[those] + turn]], len(those))
    return number_rows([length, state], people)


def list_row_numbers(rows: Any) -> tuple[int, ...]:
    """The numbers of marked rows, counted from 1."""
    return tuple((np.nonzero(rows)[0] + 1).tolist())
