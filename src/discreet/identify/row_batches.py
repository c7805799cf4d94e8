"""The rows of a stream, from whatever gives them, as batches of text columns."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from discreet.errors import EmptyTableError, SourceError
from discreet.identify.coded_table import chosen
from discreet.table.header import MOST_ROWS, looks_like_row
from discreet.table.names import check_names
from discreet.table.read import read
from discreet.table.table import Table

ROWS = 8192
"""Rows of a batch that is made of single rows."""
NAME = "the stream"


def batches(source: Any, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
    """The rows of a stream as batches of text columns; an empty text is missing.

    A source is a Table, anything `discreet.read` takes, a file object or pipe with CSV, or an
    iterator of record batches, of mappings, or of sequences whose first one holds the names.
    """
    if isinstance(source, Table) or _is_table(source):
        table = source if isinstance(source, Table) else read(source)
        yield from table.scan(text=chosen(table.name, table.columns, columns))
        return
    found = _checked(_csv(source), columns) if hasattr(source, "read") else _iterated(iter(source))
    for batch in found:
        names = chosen(NAME, batch.schema.names, columns)
        arrays = [_text(batch.column(batch.schema.get_field_index(name))) for name in names]
        yield pa.RecordBatch.from_arrays(arrays, names=list(names))


def _checked(
    found: Iterator[pa.RecordBatch], columns: Sequence[str] | None
) -> Iterator[pa.RecordBatch]:
    """The batches, if the first line holds names; columns that are asked for by name prove it."""
    for number, batch in enumerate(found):
        names = batch.schema.names
        if not number and not (columns and set(columns) <= set(names)):
            head = batch.slice(0, MOST_ROWS)
            rows = list(zip(*(column.to_pylist() for column in head.columns), strict=True))
            if looks_like_row(names, rows):
                what = "its first line looks like a row and not like names of columns"
                fix = "Put a line of names in front; or save it as a file, and say header=True."
                raise SourceError(NAME, what, fix)
        yield batch


def _is_table(source: Any) -> bool:
    if isinstance(source, str | os.PathLike | pa.Table | pa.RecordBatch):
        return True
    return not hasattr(source, "read") and hasattr(source, "__arrow_c_stream__")


def _text(array: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    text = array if array.type == pa.string() else array.cast(pa.string())
    return pc.if_else(pc.equal(text, ""), pa.scalar(None, pa.string()), text)


def _iterated(items: Iterator[Any]) -> Iterator[pa.RecordBatch]:
    first = next(items, None)
    if first is None:
        return
    whole = chain([first], items)
    if isinstance(first, pa.RecordBatch):
        yield from whole
    elif isinstance(first, Mapping):
        names = [str(name) for name in first]
        yield from _made(names, ([row.get(name) for name in first] for row in whole))
    else:
        yield from _made([str(name) for name in first], items)


def _made(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[pa.RecordBatch]:
    """Batches of single rows; a row of another length is an error that counts, not quotes."""
    check_names(NAME, names)
    rows, seen = iter(rows), 0
    while part := list(islice(rows, ROWS)):
        for number, row in enumerate(part, seen + 1):
            if len(row) != len(names):
                what = f"row {number:,} has {len(row)} values where there are {len(names)} columns"
                raise SourceError(NAME, what, "Give every row as many values as there are names.")
        seen += len(part)
        arrays = [
            pa.array([None if v is None else str(v) for v in column], pa.string())
            for column in zip(*part, strict=True)
        ]
        yield pa.RecordBatch.from_arrays(arrays, names=list(names))


def _csv(file: Any) -> Iterator[pa.RecordBatch]:
    """CSV from a pipe; what Arrow says of a bad line quotes it, so that is not passed on."""
    from pyarrow import csv as arrow_csv

    raw = getattr(file, "buffer", file)
    if isinstance(raw, io.RawIOBase):
        raw = io.BufferedReader(raw, 1 << 16)
    if isinstance(raw, io.TextIOBase):
        lines = (line for line in csv.reader(raw) if line)
        yield from _made(next(lines, []), lines)
        return
    try:
        head = raw.readline().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SourceError(
            NAME, "its first line is not text in UTF-8", "Save it as UTF-8."
        ) from None
    names = next(csv.reader([head]), [])
    if not names:
        raise EmptyTableError(NAME, "there is no line of column names")
    check_names(NAME, names)
    options: dict[str, Any] = {
        "read_options": arrow_csv.ReadOptions(column_names=names, use_threads=False),
        "parse_options": arrow_csv.ParseOptions(newlines_in_values=True),
        "convert_options": arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            null_values=[""],
            strings_can_be_null=True,
        ),
    }
    try:
        yield from arrow_csv.open_csv(raw, **options)
    except pa.ArrowInvalid as error:
        if "Empty CSV" in str(error):
            return
        what = "a line has another number of fields than the first, or is not text in UTF-8"
        raise SourceError(
            NAME, what, "Save it as a file and let `discreet inspect` look."
        ) from None
