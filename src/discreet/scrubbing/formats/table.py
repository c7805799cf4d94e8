"""Tables: the cells of text columns are scrubbed, one document per row; the rest is unchanged."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from discreet.display import dataclass, safe_repr
from discreet.errors import SourceError, UnknownColumnError
from discreet.input_file import check_column_count
from discreet.scrubbing.editor import Editor
from discreet.scrubbing.finder import Finder, Work, WorkFindings
from discreet.scrubbing.formats.fields import choose_known, write_cue
from discreet.scrubbing.formats.flow import Flow, Piece, Slot, cut_pieces
from discreet.scrubbing.invisible import look

if TYPE_CHECKING:
    import pyarrow as pa

    from discreet.table.table import Table


ROWS = 2_000
"""Rows searched together."""


@safe_repr
class Row(NamedTuple):
    """A row's texts as one flow, with its number in the table and its known values."""

    number: int
    flow: Flow
    pieces: list[Piece]
    missing: tuple[bool, ...]
    known: tuple[str, ...]
    person: str | None


@dataclass(frozen=True)
class TableScrub:
    """Scrubs the named columns of a table, or all.

    Rows of one ``person`` (a column with an id) are searched together; the table is then held in
    memory. The texts of a row are searched for the values of its ``known`` columns.
    """

    finder: Finder
    editor: Editor
    columns: tuple[str, ...] = ()
    person: str | None = None
    known: tuple[str, ...] = ()
    replaced: dict[str, Counter[str]] = field(default_factory=dict)
    """What was replaced so far: by column, then by kind."""

    def rows(self, table: Table) -> pa.RecordBatchReader:
        """The table's scrubbed rows, in order; scrubbed columns are text."""
        who = (self.person,) if self.person else ()
        for name in (*self.columns, *self.known, *who):
            if name not in table.columns:
                raise UnknownColumnError(table.name, name, table.columns)
        columns = self.columns or table.columns
        fix = "Save the columns to scrub in a file of their own."
        check_column_count(table.name, len(table.columns), "scrubbed", fix)
        scrubbed = set(columns)
        others = [name for name in table.columns if name not in scrubbed]
        reader = table.scan([*columns, *self.known, *who], others, ROWS)
        types = dict.fromkeys(columns, pa.string())
        first = len(columns) + len(self.known) + len(who)
        types |= {name: reader.schema.field(first + n).type for n, name in enumerate(others)}
        schema = pa.schema([(name, types[name]) for name in table.columns])
        scrub = self._scrub_by_person if self.person else self.cells
        done = (
            pa.RecordBatch.from_pydict(
                {
                    **{name: [row[n] for row in new] for n, name in enumerate(columns)},
                    **{name: batch.column(first + n) for n, name in enumerate(others)},
                },
                schema=schema,
            )
            for batch, new in scrub(_read_batches(reader, table.name), columns, table.name)
        )
        return pa.RecordBatchReader.from_batches(schema, done)

    def cells(
        self, reader: Iterable[pa.RecordBatch], columns: Sequence[str], name: str
    ) -> Iterator[tuple[pa.RecordBatch, list[list[str | None]]]]:
        """Each batch with the new cells of its rows; text columns come before known columns."""
        works = (
            _make_work(rows, batch, None) for batch, rows in self._read(reader, columns) if rows
        )
        for work, looked in look(self._finder, works):
            batch, rows = work.tag
            yield batch, self._make_cells(rows, looked, columns, name)

    @property
    def _finder(self) -> Finder:
        """The finder; it does not fork, since the writer asks for rows from threads of its own."""
        return replace(self.finder, start="spawn")

    def _scrub_by_person(
        self, reader: Iterable[pa.RecordBatch], columns: Sequence[str], name: str
    ) -> Iterator[tuple[pa.RecordBatch, list[list[str | None]]]]:
        batches = list(self._read(reader, columns))
        people: dict[str, list[Row]] = {}
        for _, rows in batches:
            for row in rows:
                people.setdefault(row.person or f"\0{row.number}", []).append(row)
        works = (_make_work(rows, None, person) for person, rows in people.items())
        done: dict[int, list[str | None]] = {}
        for work, looked in look(self._finder, works):
            rows = work.tag[1]
            done.update(
                zip(
                    (row.number for row in rows),
                    self._make_cells(rows, looked, columns, name),
                    strict=True,
                )
            )
        for batch, rows in batches:
            yield batch, [done[row.number] for row in rows]

    def _read(
        self, reader: Iterable[pa.RecordBatch], columns: Sequence[str]
    ) -> Iterator[tuple[pa.RecordBatch, list[Row]]]:
        number = 0
        width = len(columns)
        for batch in reader:
            texts = [batch.column(n).to_pylist() for n in range(width)]
            known = [batch.column(width + n).to_pylist() for n in range(len(self.known))]
            people = batch.column(width + len(known)).to_pylist() if self.person else None
            rows = []
            for place in range(batch.num_rows):
                number += 1
                cells = [column[place] for column in texts]
                flow = make_row_flow(columns, cells)
                values = tuple(column[place] for column in known if column[place])
                person = people[place] if people else None
                missing = tuple(cell is None for cell in cells)
                rows.append(
                    Row(number, flow, list(cut_pieces([flow.text])), missing, values, person)
                )
            yield batch, rows

    def _make_cells(
        self, rows: Sequence[Row], looked: WorkFindings, columns: Sequence[str], name: str
    ) -> list[list[str | None]]:
        """The new cells of each row."""
        found = iter(zip(looked.findings, looked.doubtful, strict=True))
        new: list[list[str | None]] = []
        for row in rows:
            mine = [next(found) for _ in row.pieces]
            title = f"{name}, row {row.number}"
            contents = {columns[slot.part]: slot.text for slot in row.flow.slots}
            edits = self.editor.whole(row.pieces, mine, title, row.person, contents)
            for edit in edits:
                column = columns[row.flow.find_part(edit.start)]
                self.replaced.setdefault(column, Counter())[edit.kind] += 1
            cells = row.flow.put_back(edits)
            new.append([None if gone else c for c, gone in zip(cells, row.missing, strict=True)])
        return new


def _read_batches(reader: Iterable[pa.RecordBatch], name: str) -> Iterator[pa.RecordBatch]:
    """The batches of a reader; any failure is reported as damage of the file."""
    try:
        yield from reader
    except (pa.ArrowException, OSError, zlib.error, EOFError, ValueError, MemoryError):
        what = "this cannot be read to its end"
        raise SourceError(name, what, "It may be damaged or cut off.") from None


def make_row_flow(columns: Sequence[str], cells: Sequence[str | None]) -> Flow:
    """A row as one text: a single cell as it is, several with the column name before each.

    Examples
    --------
    >>> make_row_flow(["name", "zip"], ["Ann Lee", "02138"]).text
    'name: Ann Lee\\nzip: 02138'
    """
    texts = [cell or "" for cell in cells]
    if len(texts) == 1:
        return Flow(texts, [Slot(0, 0, len(texts[0]), texts[0])])
    slots = [
        Slot(n, 0, len(text), text, ("\n" if n else "") + write_cue(name))
        for n, (name, text) in enumerate(zip(columns, texts, strict=True))
        if text
    ]
    return Flow(texts, slots)


def _make_work(rows: list[Row], batch: pa.RecordBatch | None, person: str | None) -> Work:
    texts = tuple(piece.shown for row in rows for piece in row.pieces)
    known = tuple(_list_known(row) for row in rows for _ in row.pieces)
    return Work(texts, person, known if any(known) else (), (batch, rows))


def _list_known(row: Row) -> tuple[str, ...]:
    """The known values of a row to search its texts for; column names do not count as text."""
    return (
        choose_known(" ".join(slot.text for slot in row.flow.slots), row.known) if row.known else ()
    )
