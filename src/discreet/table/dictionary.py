"""The values of one column as small integers, numbered as they are met."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from numpy.typing import NDArray


MANY = 1 << 18


class Dictionary:
    """The different values of one column, each with a number that counting can use.

    >>> column = Dictionary()
    >>> column.encode(pa.array(["b", "a", None, "b"])).tolist()
    [0, 1, 2, 0]
    >>> column.values
    ('b', 'a', None)

    Notes
    -----
    *Cost*: one hash look-up a row, in Arrow; Python sees a value only when it is new, or when the
    column has more than a quarter of a million of them. Memory grows with the number of distinct
    values, not with the rows.
    """

    __slots__ = ("_codes", "_known", "_values")

    def __init__(self) -> None:
        self._known: pa.Array = pa.array([], pa.string())
        self._codes: dict[str | None, int] = {}  # takes over when there are MANY values
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

    def encode(self, array: pa.Array | pa.ChunkedArray) -> NDArray[np.int32]:
        """The code of each cell; values not met before get the next codes."""
        if isinstance(array, pa.ChunkedArray):
            array = array.combine_chunks()
        if array.type != pa.string():
            array = array.cast(pa.string())
        codes = self._encode_many(array) if len(self) > MANY else self._encode(array)
        return codes.astype(np.int32, copy=False)

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
