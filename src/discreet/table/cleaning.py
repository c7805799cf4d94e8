"""Values as they are meant: words for missing become missing, lost leading zeros come back.

A policy says which words of a table mean that nothing is known (``NA``, ``?``, ``unknown``), and
which columns have ZIP codes that a spreadsheet took for numbers. The table is read through this
module, so that every later stage sees what is meant. The file itself is never changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass, format_count
from discreet.kinds.zip_codes import restore_zeros
from discreet.table.missing import Cleaning
from discreet.table.row_counts import count_translated
from discreet.table.table import Table, scan_source

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


def find_words(how: Cleaning, texts: pa.Array) -> pa.Array:
    """Which cells hold a word for missing; the others and missing ones are false."""
    known = pa.array([word.strip() for word in how.words], pa.string())
    found = pc.is_in(pc.utf8_trim_whitespace(texts), value_set=known)
    return pc.and_(found, pc.is_valid(texts))


def clean_texts(how: Cleaning, texts: pa.Array) -> pa.Array:
    """The texts as they are meant."""
    if pa.types.is_dictionary(texts.type):
        values = clean_texts(how, texts.dictionary.cast(pa.string()))
        return pa.DictionaryArray.from_arrays(texts.indices, values)
    if how.words:
        texts = pc.if_else(find_words(how, texts), pa.scalar(None, pa.string()), texts)
    if how.zeros:
        coded = texts.dictionary_encode()
        texts = restore_zeros(coded.dictionary)[0].take(coded.indices)
    return texts


def clean_table(table: Table, cleanings: Mapping[str, Cleaning]) -> Table:
    """The table as it is meant; columns that it lacks are no matter, twice is like once.

    >>> from discreet.table.read import read
    >>> table = read(pa.table({"zip": ["2138", "NA"], "age": [31, 999]}))
    >>> clean_table(table, {"zip": Cleaning(("NA",), True), "age": Cleaning(("999",))}).scan(
    ...     text=["zip"], native=["age"]
    ... ).read_all().to_pydict()
    {'zip': ['02138', None], 'age': [31, None]}
    """
    wanted = {
        place: cleanings[name] for place, name in enumerate(table.columns) if cleanings.get(name)
    }
    if not wanted or (isinstance(table.source, CleanedSource) and table.source.how == wanted):
        return table
    return replace(table, source=CleanedSource(table, wanted))


@dataclass(frozen=True, eq=False)
class CleanedSource:
    """The rows of a table with the values of some columns as they are meant."""

    table: Table = field(repr=False)
    how: Mapping[int, Cleaning]

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """A fresh pass over the rows; a typed column is judged by its cells as text."""
        return self._scan(text, native, rows_per_batch, coded=False)

    def scan_coded(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """As ``scan``, with columns as dictionaries where the table has them."""
        return self._scan(text, native, rows_per_batch, coded=True)

    def _scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int, coded: bool
    ) -> pa.RecordBatchReader:
        beside = [place for place in dict.fromkeys(native) if place in self.how]
        asked = [*text, *beside]
        reader = scan_source(self.table.source, asked, native, rows_per_batch, coded)
        schema = self._schema(reader.schema, text, beside, native)
        batches = (self._clean(batch, schema, text, beside, native) for batch in reader)
        return pa.RecordBatchReader.from_batches(schema, batches)

    def count_rows(self, places: Sequence[int]) -> pa.RecordBatchReader | None:
        """The rows counted where they are, by values as they are meant; None if that cannot be."""
        return count_translated(self.table.source, self.translate, places)

    def translate(self, place: int, texts: pa.Array) -> pa.Array:
        """The texts of a column as they are meant."""
        return clean_texts(self.how[place], texts) if place in self.how else texts

    def _schema(
        self, found: pa.Schema, text: Sequence[int], beside: Sequence[int], native: Sequence[int]
    ) -> pa.Schema:
        kinds = [one.type for one in found]
        own = kinds[: len(text)]
        for place, kind in zip(native, kinds[len(text) + len(beside) :], strict=True):
            own.append(self._kind(place, kind))
        for at, place in enumerate(text):
            if place in self.how:
                kind = own[at]
                coded = pa.types.is_dictionary(kind)
                own[at] = pa.dictionary(kind.index_type, pa.string()) if coded else pa.string()
        return pa.schema([(f"c{number}", kind) for number, kind in enumerate(own)])

    def _kind(self, place: int, kind: pa.DataType) -> pa.DataType:
        """The type of a native column: text where zeros come back, plain where it was packed."""
        if place not in self.how:
            return kind
        if self.how[place].zeros or pa.types.is_string_view(kind):
            return pa.string()
        return kind.value_type if pa.types.is_dictionary(kind) else kind

    def _clean(
        self,
        batch: pa.RecordBatch,
        schema: pa.Schema,
        text: Sequence[int],
        beside: Sequence[int],
        native: Sequence[int],
    ) -> pa.RecordBatch:
        texts = {
            place: _as_text(batch.column(at))
            for at, place in enumerate(beside, len(text))
            if place in self.how
        }
        arrays = []
        for at, place in enumerate(text):
            column = batch.column(at)
            if place in self.how:
                coded = pa.types.is_dictionary(column.type)
                column = clean_texts(self.how[place], column if coded else _as_text(column))
            arrays.append(column)
        start = len(text) + len(beside)
        for at, place in enumerate(native, start):
            column, kind = batch.column(at), schema.field(at - len(beside)).type
            if place not in self.how:
                arrays.append(column)
            elif self.how[place].zeros:
                arrays.append(clean_texts(self.how[place], texts[place]))
            else:
                column = column if column.type == kind else column.cast(kind)
                found = find_words(self.how[place], texts[place])
                arrays.append(pc.if_else(found, pa.scalar(None, kind), column))
        return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _as_text(column: pa.Array) -> pa.Array:
    return column if column.type == pa.string() else column.cast(pa.string())


# How many cells that were.


@dataclass(frozen=True)
class Cleaned:
    """How many cells of a column held a word for missing, and how many got zeros back."""

    column: str
    missing: int
    zeros: int

    def facts(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"column": self.column, "missing": self.missing, "zeros_restored": self.zeros}

    @property
    def note(self) -> str:
        """What to say of it; empty if nothing was found."""
        parts = []
        if self.missing:
            parts.append(f"{format_count(self.missing, 'cell')} with a word for missing")
        if self.zeros:
            parts.append(f"{format_count(self.zeros, 'ZIP code')} with lost zeros put back")
        return f"'{self.column}': {', '.join(parts)}" if parts else ""


def count_cleaned(table: Table) -> tuple[Cleaned, ...]:
    """How many cells of each column were not as they are meant, by one pass over these columns."""
    source = table.source
    if not isinstance(source, CleanedSource):
        return ()
    places = list(source.how)
    missing, zeros = dict.fromkeys(places, 0), dict.fromkeys(places, 0)
    for place, texts, rows in _read_cells(source.table, places):
        words, restored = _find_cleaned(source.how[place], texts)
        missing[place] += int(rows[words].sum())
        zeros[place] += int(rows[restored].sum())
    return tuple(Cleaned(table.columns[at], missing[at], zeros[at]) for at in places)


def _read_cells(table: Table, places: Sequence[int]) -> Iterator[tuple[int, pa.Array, Ints]]:
    """The texts of columns with the rows that have each, counted where they are or read."""
    for place in places:
        counted = table.count_rows([table.columns[place]])
        if counted is None:
            break
        for batch in counted:
            yield place, _as_text(batch.column(0)), batch.column(1).to_numpy()
    else:
        return
    for batch in table.source.scan(places, [], 131_072):
        for at, place in enumerate(places):
            yield place, _as_text(batch.column(at)), np.ones(batch.num_rows, dtype=np.int64)


def _find_cleaned(how: Cleaning, texts: pa.Array) -> tuple[Mask, Mask]:
    """Which cells hold a word for missing, and which get zeros back."""
    words = np.zeros(len(texts), dtype=np.bool_)
    zeros = np.zeros(len(texts), dtype=np.bool_)
    if how.words:
        words = find_words(how, texts).to_numpy(zero_copy_only=False)
    if how.zeros:
        zeros[~words] = restore_zeros(texts.filter(pa.array(~words)))[1]
    return words, zeros
