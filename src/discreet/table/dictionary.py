"""The values of one column as small integers, numbered as they are met."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from numpy.typing import NDArray


MANY = 1 << 18


class Dictionary:
    """The different values of one column, each with a number that counting can use.

    ``kind`` is the type of the values, texts unless it is given.

    >>> column = Dictionary()
    >>> column.encode(pa.array(["b", "a", None, "b"])).tolist()
    [0, 1, 2, 0]
    >>> column.values
    ('b', 'a', None)

    Notes
    -----
    *Cost*: one hash look-up a row, in Arrow, or one a value of a batch that comes as a dictionary;
    Python sees a value only when it is new, or when the column has more than a quarter of a million
    of them. Memory grows with the number of distinct values, not with the rows.
    """

    __slots__ = ("_codes", "_kind", "_known", "_values")

    def __init__(self, kind: pa.DataType | None = None) -> None:
        self._kind = kind or pa.string()
        self._known: pa.Array = pa.array([], self._kind)
        self._codes: dict[Any, int] = {}  # takes over when there are MANY values
        self._values: tuple[str | None, ...] = ()

    def __len__(self) -> int:
        return max(len(self._known), len(self._codes))

    def __repr__(self) -> str:
        return f"Dictionary({len(self)} values)"

    @property
    def values(self) -> tuple[str | None, ...]:
        """The value of each code; None is the missing value."""
        if len(self._values) != len(self):
            self._values = tuple(self._codes or self._known.to_pylist())
        return self._values

    @property
    def array(self) -> pa.Array:
        """The value of each code as an array."""
        return pa.array(list(self._codes), self._kind) if self._codes else self._known

    def list_values(self, first: int) -> list[Any]:
        """The values of the codes from ``first`` on."""
        if self._codes:
            return list(islice(self._codes, first, None))
        found: list[Any] = self._known[first:].to_pylist()
        return found

    def encode(self, array: pa.Array | pa.ChunkedArray) -> NDArray[np.int32]:
        """The code of each cell; values not met before get the next codes.

        Values are numbered by their first cell, whatever the dictionary of an array holds: one that
        no cell has is not met.
        """
        if isinstance(array, pa.ChunkedArray):
            array = array.combine_chunks()
        if isinstance(array, pa.DictionaryArray) and len(array.dictionary) < len(array):
            return self._encode_coded(array)
        if array.type != self._kind:
            array = array.cast(self._kind)
        codes = self._encode_many(array) if len(self) > MANY else self._encode(array)
        return codes.astype(np.int32, copy=False)

    def look_up(self, array: pa.Array) -> tuple[NDArray[np.int32], NDArray[np.integer[Any]]]:
        """The codes of cells as a table and the place of each cell in it: ``table[places]``.

        Of an array that is no dictionary of few values the places are the codes themselves.
        """
        if isinstance(array, pa.DictionaryArray) and len(array.dictionary) < len(array):
            return self._look_up_coded(array)
        codes = self.encode(array)
        return np.arange(len(self), dtype=np.int32), codes

    def _encode_coded(self, array: pa.DictionaryArray) -> NDArray[np.int32]:
        table, places = self._look_up_coded(array)
        codes: NDArray[np.int32] = table[places]
        return codes

    def _look_up_coded(
        self, array: pa.DictionaryArray
    ) -> tuple[NDArray[np.int32], NDArray[np.integer[Any]]]:
        """Look up each value of a dictionary once; new are those that cells have."""
        places, _ = read_places(array)
        values = array.dictionary.cast(self._kind)
        if array.indices.null_count:
            values = pa.concat_arrays([values, pa.nulls(1, self._kind)])
        table = self._find(values)
        if table.min(initial=0) < 0:
            first = find_first_rows(places, len(table))
            new = np.nonzero((first >= 0) & (table < 0))[0]
            if len(new):
                new = new[np.argsort(first[new])]
                table[new] = self.encode(values.take(pa.array(new)))
            table[table < 0] = 0  # of no cell
        return table, places

    def _find(self, values: pa.Array) -> NDArray[np.int32]:
        """The codes of some values, -1 for those that were not met."""
        if self._codes:
            known = (self._codes.get(value, -1) for value in values.to_pylist())
            return np.fromiter(known, dtype=np.int32, count=len(values))
        found = pc.index_in(values, value_set=self._known).fill_null(-1)
        codes: NDArray[np.int32] = np.array(found.to_numpy(zero_copy_only=False), dtype=np.int32)
        return codes

    def _encode(self, array: pa.Array) -> NDArray[np.int32]:
        codes = pc.index_in(array, value_set=self._known)
        if codes.null_count:
            new = array.filter(codes.is_null()).unique()
            self._known = pa.concat_arrays([self._known, new])
            codes = pc.index_in(array, value_set=self._known)
        return np.asarray(codes.to_numpy(zero_copy_only=False))

    def _encode_many(self, array: pa.Array) -> NDArray[np.int32]:
        """Look up the distinct values of the batch only: the set of all is too large to rebuild."""
        if not self._codes:
            self._codes = {value: code for code, value in enumerate(self._known.to_pylist())}
            self._known = self._known[:0]
        codes = self._codes
        batch = array.dictionary_encode(null_encoding="encode")
        lookup = np.fromiter(
            (codes.setdefault(value, len(codes)) for value in batch.dictionary.to_pylist()),
            dtype=np.int32,
            count=len(batch.dictionary),
        )
        return np.asarray(lookup[batch.indices.to_numpy(zero_copy_only=False)])


# Arrays that come as a dictionary and the place of each cell in it.


def read_places(array: pa.DictionaryArray) -> tuple[NDArray[np.integer[Any]], int]:
    """The place of each cell in the dictionary, one after the last if missing; and its size."""
    size, places = len(array.dictionary), array.indices
    if places.null_count:
        places = places.cast(pa.int64()).fill_null(size)
    return places.to_numpy(zero_copy_only=False), size


def find_first_rows(places: NDArray[np.integer[Any]], size: int) -> NDArray[np.int64]:
    """The first row that has each place, -1 if none has."""
    first = np.full(size, -1, dtype=np.int64)
    first[places[::-1]] = np.arange(len(places) - 1, -1, -1)  # the last to be put in stays
    return first
