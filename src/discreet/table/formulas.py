"""Cells that a spreadsheet program would run as formulas: counted in text files, quoted if asked.

Notes
-----
[OWASP, CSV injection]: a cell that starts with ``=``, ``+``, ``-``, ``@`` (also in full width), a
tab, a carriage return or a line feed may be run when a CSV file is opened in a spreadsheet program.
Numbers, ranges of numbers and marks such as ``--`` are harmless. Workbooks store their cells as
text, which is never run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass, format_count
from discreet.table.row_counts import count_translated
from discreet.table.table import Table, scan_source

RUN = r"[=+\-@\t\r\n＝＋－＠]"
_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
HARMLESS = rf"(?:{_NUMBER}(?:(?: to <?|-){_NUMBER})?|[-+]+)"
QUOTE = "'"


def is_formula(text: str) -> bool:
    """Whether a spreadsheet program would run a cell with this text.

    >>> [is_formula(text) for text in ("=1+1", "@x", "-5", "+7", "-5 to 4", "--", "a=b")]
    [True, True, False, False, False, False, False]
    """
    return bool(re.match(RUN, text)) and not re.fullmatch(HARMLESS, text)


def quote_formulas(cells: pa.Array) -> pa.Array:
    """The texts with an apostrophe before each that a spreadsheet program would run.

    So is a text that is one already but for its apostrophes, such as ``'=1``: different texts
    stay different.

    >>> quote_formulas(pa.array(["=1", "'=1", "'t", "-5", None])).to_pylist()
    ["'=1", "''=1", "'t", '-5', None]
    """
    if pa.types.is_dictionary(cells.type):
        return pa.DictionaryArray.from_arrays(cells.indices, quote_formulas(cells.dictionary))
    if pa.types.is_string_view(cells.type):
        cells = cells.cast(pa.string())
    run = pc.match_substring_regex(cells, f"^{QUOTE}*{RUN}")
    if not pc.any(run).as_py():
        return cells
    run = pc.and_not(run, pc.match_substring_regex(cells, f"^{QUOTE}*{HARMLESS}$"))
    quoted = pc.binary_join_element_wise(
        pa.scalar(QUOTE, cells.type), cells, pa.scalar("", cells.type)
    )
    return pc.if_else(run, quoted, cells)


def quote_table_formulas(table: Table, columns: Collection[str]) -> Table:
    """The table with formulas quoted in the texts of some columns; not quoted a second time."""
    if isinstance(table.source, QuotedSource):
        return table
    places = frozenset(n for n, name in enumerate(table.columns) if name in columns)
    return replace(table, source=QuotedSource(table, places)) if places else table


@dataclass(frozen=True, eq=False)
class QuotedSource:
    """The rows of a table with formulas quoted in some columns."""

    table: Table = field(repr=False)
    places: frozenset[int]

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """A fresh pass over the rows."""
        return self._quote(self.table.source.scan(text, native, rows_per_batch), text, native)

    def scan_coded(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """As ``scan``, with columns as dictionaries where the table has them."""
        reader = scan_source(self.table.source, text, native, rows_per_batch, coded=True)
        return self._quote(reader, text, native)

    def _quote(
        self, reader: pa.RecordBatchReader, text: Sequence[int], native: Sequence[int]
    ) -> pa.RecordBatchReader:
        quoted = [
            n
            for n, place in enumerate([*text, *native])
            if place in self.places and _is_text(reader.schema.field(n).type)
        ]
        if not quoted:
            return reader
        schema = reader.schema
        for n in quoted:
            kind = schema.field(n).type
            plain = pa.string() if pa.types.is_string_view(kind) else kind
            schema = schema.set(n, schema.field(n).with_type(plain))

        def each() -> Iterator[pa.RecordBatch]:
            for batch in reader:
                arrays = list(batch.columns)
                for n in quoted:
                    arrays[n] = quote_formulas(arrays[n])
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)

        return pa.RecordBatchReader.from_batches(schema, each())

    def count_rows(self, places: Sequence[int]) -> pa.RecordBatchReader | None:
        """The rows counted where they are, with formulas quoted; None if that cannot be."""
        return count_translated(self.table.source, self.translate, places)

    def translate(self, place: int, texts: pa.Array) -> pa.Array:
        """The texts of a column with formulas quoted."""
        return quote_formulas(texts) if place in self.places else texts


@dataclass(frozen=True)
class Formulas:
    """What a text file holds that a spreadsheet program would run; no cell is in it."""

    cells: Mapping[str, int]
    names: tuple[str, ...] = ()

    def facts(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"cells": dict(self.cells), "names": list(self.names)}

    @property
    def notes(self) -> tuple[str, ...]:
        """What to say of such cells and names of columns."""
        told = []
        if self.cells:
            columns = list(self.cells)
            shown = ", ".join(columns[:5]) + (", ..." if len(columns) > 5 else "")
            told.append(
                f"{format_count(sum(self.cells.values()), 'cell')} of "
                f"{format_count(len(columns), 'column')} "
                f"({shown}) start like a formula (=, +, -, @, tab): a spreadsheet program may run "
                "them. Set 'formulas: quote' in the policy, or write .xlsx, where cells are text"
            )
        if self.names:
            told.append(
                "a released column has a name that starts like a formula: a spreadsheet program "
                "may run it. Rename the column, or write .xlsx"
            )
        return tuple(told)


class FormulaCounter:
    """Counts the cells that a spreadsheet program would run while rows go by."""

    def __init__(self) -> None:
        self._cells: Counter[str] = Counter()
        self._names: list[str] = []

    def watch(self, rows: pa.RecordBatchReader, table: str = "") -> pa.RecordBatchReader:
        """The same rows, counted; ``table`` is put before the names of columns."""
        full = [f"{table}.{name}" if table else name for name in rows.schema.names]
        self._names += [
            said for said, name in zip(full, rows.schema.names, strict=True) if is_formula(name)
        ]
        texts = [at for at, one in enumerate(rows.schema) if _is_text(one.type)]

        def each() -> Iterator[pa.RecordBatch]:
            for batch in rows:
                for at in texts:
                    if found := _count(batch.column(at)):
                        self._cells[full[at]] += found
                yield batch

        return pa.RecordBatchReader.from_batches(rows.schema, each())

    @property
    def found(self) -> Formulas:
        """What went by until now."""
        return Formulas(dict(self._cells), tuple(self._names))


def _count(column: pa.Array) -> int:
    if pa.types.is_dictionary(column.type):
        return _count_coded(column)
    if pa.types.is_string_view(column.type):
        column = column.cast(pa.string())
    odd = column.filter(pc.match_substring_regex(column, f"^{RUN}"))
    if not len(odd):
        return 0
    harmless: int = pc.sum(pc.match_substring_regex(odd, f"^{HARMLESS}$")).as_py()
    return len(odd) - harmless


def _count_coded(column: pa.DictionaryArray) -> int:
    """Values are looked at once; cells are counted only if some would be run."""
    values = column.dictionary.cast(pa.string())
    if not pc.any(pc.match_substring_regex(values, f"^{RUN}")).as_py():
        return 0
    return _count(column.cast(pa.string()))


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(test(kind) for test in tests)
