"""A handle on the private table, wherever its rows are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from discreet.display import dataclass, format_count, hide_credentials, render_html_table
from discreet.errors import (
    EmptyTableError,
    InternalError,
    SourceError,
    UnknownColumnError,
    name_positions,
)
from discreet.table.files.text import Dialect

if TYPE_CHECKING:
    import pyarrow as pa


CELLS = 1 << 24
"""Cells of a batch: more than 128 columns get fewer rows than asked for."""
FEWEST = 2048


class Source(Protocol):
    """What a kind of file must be able to do: give its rows again and again, in order."""

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """A fresh pass over the rows; columns by position, `text` first, then `native`.

        The names in the schema do not matter: the Table puts its own.
        """
        ...


@runtime_checkable
class CodedSource(Protocol):
    """A source that can give its columns as dictionaries, without a text for every cell."""

    def scan_coded(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """As ``scan``; columns of either list may come as dictionaries of what ``scan`` gives.

        A dictionary may differ from batch to batch, and hold missing values, values twice and
        values that no cell has.
        """
        ...


def scan_source(
    source: Source, text: Sequence[int], native: Sequence[int], rows_per_batch: int, coded: bool
) -> pa.RecordBatchReader:
    """A pass over the rows of a source; with ``coded`` as dictionaries, if it has them."""
    if coded and isinstance(source, CodedSource):
        return source.scan_coded(text, native, rows_per_batch)
    return source.scan(text, native, rows_per_batch)


@runtime_checkable
class CountsRows(Protocol):
    """A source that may count its rows where they are, so that they need not be read."""

    def count_rows(self, places: Sequence[int]) -> pa.RecordBatchReader | None:
        """Each different combination of texts of some columns, and its rows as the last column.

        A combination may come several times: its rows add up. None if rows must be read.
        """
        ...


@runtime_checkable
class DrawsRows(Protocol):
    """A source that may draw rows by chance where they are."""

    def draw_rows(self, places: Sequence[int], rows: int) -> pa.RecordBatchReader:
        """The texts of some columns in N rows, drawn evenly; in all rows if there are fewer."""
        ...


@dataclass(frozen=True, eq=False)
class Table:
    """A table as found: its columns are known, its rows stay where they are.

    Rows of CSV, Parquet, Arrow and SQLite files are never held; each scan reads the file again.
    An Excel sheet (at most 1,048,576 rows) is held in memory, a frame is the caller's own.
    `notices` says what was assumed about the file and should be shown to the data holder.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"zip": ["02138", "02139"], "age": [31, None]}))
    >>> table.columns
    ('zip', 'age')
    >>> table.scan(text=["age"]).read_all().to_pydict()
    {'age': ['31', None]}
    """

    name: str
    columns: tuple[str, ...]
    source: Source = field(repr=False)
    path: Path | None = None
    dialect: Dialect | None = None
    notices: tuple[str, ...] = ()
    first_line: tuple[str, ...] = field(default=(), repr=False)
    """What the first line holds, if it is in doubt whether these are names; never shown."""

    def __repr__(self) -> str:
        columns = format_count(len(self.columns), "column")
        return f"{type(self).__name__}({hide_credentials(self.name)}, {columns})"

    def _repr_html_(self) -> str:
        return render_html_table(repr(self), ("column",), [(name,) for name in self.columns])

    def scan(
        self,
        text: Sequence[str] = (),
        native: Sequence[str] = (),
        rows_per_batch: int = 131_072,
        coded: bool = False,
    ) -> pa.RecordBatchReader:
        """A fresh pass over all rows, in file order, in batches of bounded size.

        First come the `text` columns: utf8 exactly as found, null where missing (an empty text is
        missing). Then the `native` columns in the types of the source (CSV: utf8). A
        column may be in both lists: positions decide. With `coded` columns of either list may come
        as dictionaries, for callers that look at a value and not at each of its cells.
        """
        if not text and not native:
            raise InternalError("a scan of no columns was asked for")
        if isinstance(text, str) or isinstance(native, str):
            raise InternalError("a scan takes lists of columns, not one name")
        places = {column: place for place, column in enumerate(self.columns)}
        reader = scan_source(
            self.source,
            [self._find_position(column, places) for column in text],
            [self._find_position(column, places) for column in native],
            _limit_batch_rows(rows_per_batch, len(text) + len(native)),
            coded,
        )
        return _name_columns(reader, len(text), [*text, *native])

    def count_rows(self, columns: Sequence[str]) -> pa.RecordBatchReader | None:
        """Each different combination of texts of some columns, with its rows as the last column.

        None where rows must be read to count them. An empty text is missing, as in a scan, so a
        combination may come several times.
        """
        if not isinstance(self.source, CountsRows):
            return None
        places = {column: place for place, column in enumerate(self.columns)}
        found = self.source.count_rows([self._find_position(name, places) for name in columns])
        if found is None:
            return None
        return _name_columns(found, len(columns), [*columns, "n"])

    def draw_rows(self, columns: Sequence[str], rows: int) -> pa.RecordBatchReader | None:
        """So many rows of some columns as text, drawn evenly where they are; else None."""
        if not isinstance(self.source, DrawsRows):
            return None
        places = {column: place for place, column in enumerate(self.columns)}
        asked = [self._find_position(name, places) for name in columns]
        return _name_columns(self.source.draw_rows(asked, rows), len(columns), columns)

    def _find_position(self, column: str, places: dict[str, int]) -> int:
        if column not in places:
            raise UnknownColumnError(self.name, column, self.columns)
        return places[column]


def _name_columns(
    reader: pa.RecordBatchReader, texts: int, names: Sequence[str]
) -> pa.RecordBatchReader:
    """The columns under their names, in the first ``texts`` an empty text as missing."""
    from discreet.table.engine import blank_to_missing, rename_columns  # with DuckDB

    return rename_columns(blank_to_missing(reader, texts), names)


def _limit_batch_rows(rows_per_batch: int, columns: int) -> int:
    """Rows of a batch: of many columns fewer, so that a batch stays small."""
    return min(rows_per_batch, max(FEWEST, CELLS // columns))


# What a column is to an intruder, and so what may happen to it.


class Role(StrEnum):
    """What a column reveals to an intruder, decided by the data holder.

    `identifier` names a person outright, `quasi` helps to find one, `sensitive` is what the
    intruder wants to learn, `text` is free text, `other` is released as it is.

    >>> Role("quasi")
    <Role.quasi: 'quasi'>
    """

    identifier = "identifier"
    quasi = "quasi"
    sensitive = "sensitive"
    text = "text"
    other = "other"


# Names of columns: each column has one, and no two share it.


def check_names(name: str, columns: Sequence[str]) -> None:
    """Stop at columns that a policy could not name.

    Places are told, not names: in a file without a line of names these would be cells.
    """
    if not columns:
        raise EmptyTableError(name, "there are no columns")
    counts = Counter(columns)
    unnamed = [place for place, column in enumerate(columns, 1) if not column.strip()]
    shared = [
        place for place, column in enumerate(columns, 1) if counts[column] > 1 and column.strip()
    ]
    if unnamed or shared:
        parts = []
        if unnamed:
            parts.append(f"{name_positions('column', unnamed)} without a name")
        if shared:
            parts.append(f"{name_positions('column', shared)} with the name of another column")
        raise SourceError(
            name,
            f"the first line must name every column once, but it has {' and '.join(parts)}",
            "Fix the first line, or put one there if the file starts with data.",
        )


def make_changed_error(table: str) -> SourceError:
    """The private table is not the same in the second pass as it was in the first."""
    return SourceError(
        f"{table} changed while it was being read; nothing was released. Work on a copy that "
        "nobody writes to, and run again."
    )
