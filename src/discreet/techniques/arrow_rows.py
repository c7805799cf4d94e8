"""The rows of a table as Arrow columns, with the steps that techniques share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.errors import EmptyTableError, ParameterError, SourceError, UnknownColumnError
from discreet.table.files.frames import FrameSource
from discreet.table.table import Table

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def check_names(owner: str, key: str, names: Any, empty: bool = False) -> None:
    """Stop unless `names` is a tuple of different column names."""
    right = isinstance(names, tuple) and all(isinstance(name, str) for name in names)
    if not right or len(set(names)) != len(names) or (not names and not empty):
        raise ParameterError(owner, key, "a tuple of different column names")


def check_apart(owner: str, columns: tuple[str, ...], key: str, names: tuple[str, ...]) -> None:
    """Stop where a column is both changed and held fixed."""
    if set(columns) & set(names):
        raise ParameterError(owner, key, "columns other than the changed ones")


def make_generator(owner: str, seed: int) -> np.random.Generator:
    """The random numbers of one call."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise ParameterError(owner, "seed", "a whole number, 0 or more")
    return np.random.Generator(np.random.PCG64(int(seed)))


def read_rows(table: Table, columns: Sequence[str] = ()) -> pa.Table:
    """All rows in memory, in the types of the source; an empty text or a NaN is missing.

    `columns` must be there, or an error names the first that is not; so must rows.
    """
    for column in columns:
        if column not in table.columns:
            raise UnknownColumnError(table.name, column, table.columns)
    if isinstance(table.source, FrameSource):
        rows = table.source.rows
    else:
        rows = table.scan(native=table.columns).read_all()
    if not rows.num_rows:
        raise EmptyTableError(table.name)
    _check_kinds(table, rows, columns)
    plain = [_unpack_column(rows.column(place)) for place in range(rows.num_columns)]
    return pa.table(plain, names=list(table.columns))


def make_table(table: Table, rows: pa.Table, notices: Sequence[str] = ()) -> Table:
    """The changed rows as a table, with notes for the data holder."""
    source = FrameSource(rows, table.name)
    return Table(
        table.name,
        tuple(rows.column_names),
        source,
        dialect=table.dialect,
        notices=(*table.notices, *notices),
    )


def put(rows: pa.Table, column: str, values: pa.Array) -> pa.Table:
    """The rows with other values in one column, of the type it had."""
    place = rows.column_names.index(column)
    return rows.set_column(place, rows.schema.field(place), values)


def mark_present(column: pa.Array) -> Flags:
    """Which cells hold a value."""
    return np.asarray(column.is_valid().to_numpy(zero_copy_only=False), dtype=np.bool_)


def take_column(rows: pa.Table, column: str) -> pa.Array:
    """One column in one piece."""
    found = rows.column(column).combine_chunks()
    return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found


def code_rows(rows: pa.Table, columns: Sequence[str]) -> Ints:
    """A number for each row, equal where the rows agree on `columns`; missing is a value here."""
    found = np.zeros(rows.num_rows, dtype=np.int64)
    for number, column in enumerate(columns):
        coded = take_column(rows, column).dictionary_encode(null_encoding="encode")
        codes = coded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        found = found * len(coded.dictionary) + codes
        if number:
            found = np.unique(found, return_inverse=True)[1].astype(np.int64)
    return found


def note_missing(owner: str, column: str, missing: int) -> tuple[str, ...]:
    """The note on a column's missing cells; empty if there are none."""
    if not missing:
        return ()
    cells = "cell stays" if missing == 1 else "cells stay"
    return (f"{owner}: {missing} missing {cells} missing in column '{column}'.",)


def _check_kinds(table: Table, rows: pa.Table, columns: Sequence[str]) -> None:
    """Lists and structures have no values to compare, and half-precision numbers no functions."""
    for name, kind in zip(table.columns, rows.schema.types, strict=True):
        if pa.types.is_float16(kind) or (pa.types.is_nested(kind) and name in columns):
            what = f"column '{name}' holds {kind}, which no technique can change"
            fix = "Turn it into numbers, texts, dates, times or truth values first."
            raise SourceError(table.name, what, fix)


def _unpack_column(column: pa.ChunkedArray) -> pa.Array:
    """One piece, without a dictionary, null for an empty text and for what is not a number."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_string_view(column.type):
        column = column.cast(pa.string())
    array = column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks)
    if pa.types.is_floating(array.type):
        return pc.if_else(pc.is_nan(array), pa.scalar(None, array.type), array)
    if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
        length = pc.binary_length(array)
        if pc.min(length).as_py() == 0:
            return pc.if_else(pc.equal(length, 0), pa.scalar(None, array.type), array)
    return array
