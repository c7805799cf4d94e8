"""The columns of rows that are put into a keyed order: each value has a code and a hash."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.table.dictionary import Dictionary
from discreet.table.engine import connect, number_columns

Words = npt.NDArray[np.uint64]
Codes = npt.NDArray[np.int32]

MOST_CODED = 1 << 18
"""Values from which on a column is held as it is."""
TEXTS = pa.dictionary(pa.int32(), pa.string())
WIDE = 300
"""Of more columns, looking for a better plan takes far longer than the plan at hand."""


def find_plain_type(kind: pa.DataType) -> pa.DataType:
    """The type of a column without its dictionary, texts as one type."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return pa.string() if any(test(kind) for test in tests) else kind


def is_like_text(kind: pa.DataType) -> bool:
    """Whether columns of a plain type are texts or whole numbers, which all write alike."""
    return bool(pa.types.is_string(kind) or pa.types.is_integer(kind))


class HashedColumn:
    """The values of a column that were met, each with a code and a hash."""

    def __init__(self, place: int, kind: pa.DataType, key: bytes) -> None:
        self.kind = find_plain_type(kind)
        self.codable = is_like_text(self.kind)
        self.coded = self.codable
        self._start = f"{key.hex()}{place}".encode()
        self._values = Dictionary(self.kind)
        self._hashes = np.zeros((2, 0), dtype=np.uint64)

    @property
    def written(self) -> pa.DataType:
        """The type that its batches have in the end."""
        return TEXTS if self.coded and pa.types.is_string(self.kind) else self.kind

    @property
    def size(self) -> int:
        """How many values were met."""
        return len(self._values)

    def look_up(self, array: pa.Array) -> tuple[Codes, npt.NDArray[Any]] | None:
        """The codes of cells as a table and the place of each in it; None if they are too many."""
        found = self._values.look_up(array)
        if len(self._values) > MOST_CODED:
            self.coded = False
        self._hash_new()
        return found if self.coded else None

    @property
    def narrowest(self) -> npt.DTypeLike:
        """The smallest type that holds all codes."""
        size = len(self._values)
        return np.uint8 if size <= 1 << 8 else np.uint16 if size <= 1 << 16 else np.int32

    def _hash_new(self) -> None:
        known = self._hashes.shape[1]
        new = self._values.list_values(known)
        if new:
            digests = b"".join(self._hash(value) for value in new)
            more = np.frombuffer(digests, dtype="<u8").reshape(-1, 2).T
            self._hashes = np.concatenate([self._hashes, more], axis=1)

    def _hash(self, value: object) -> bytes:
        text = b"-" if value is None else f"={value}".encode()
        return hashlib.md5(self._start + text, usedforsecurity=False).digest()

    def hash_codes(self, codes: npt.NDArray[Any], word: int) -> Words:
        """The first or second word of the hash of each cell."""
        found: Words = self._hashes[word][codes]
        return found

    def decode(self, codes: npt.NDArray[Any]) -> pa.Array:
        """The cells as they are."""
        return self._values.array.take(pa.array(codes))

    def compact(self, codes: npt.NDArray[Any], times: npt.NDArray[np.int64] | None) -> pa.Array:
        """The cells as a dictionary of just their values, ordered by hash; numbers plain.

        With ``times`` each cell comes as often as that.
        """
        if not pa.types.is_string(self.kind):
            return self.decode(codes if times is None else np.repeat(codes, times))
        values = self._values.array
        used = np.zeros(len(values), dtype=np.bool_)
        used[codes] = True
        held = np.nonzero(used)[0]
        held = held[np.lexsort(self._hashes[::-1, held])]
        if values.null_count:
            held = held[np.asarray(values.take(pa.array(held)).is_valid())]
        places = np.full(len(values), -1, dtype=np.int32)
        places[held] = np.arange(len(held), dtype=np.int32)
        found = places[codes]
        found = found if times is None else np.repeat(found, times)
        missing = found < 0 if values.null_count else None
        return pa.DictionaryArray.from_arrays(
            pa.array(found, mask=missing), values.take(pa.array(held))
        )


class RawHasher:
    """Hashes cells that are held as they are, in the engine: as HashedColumn does its values."""

    def __init__(self, columns: Sequence[HashedColumn], key: bytes, memory: str) -> None:
        self._columns, self._key, self._memory = columns, key.hex(), memory
        self._connection: Any = None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def hash(self, raw: dict[int, pa.Array], rows: int) -> Words | None:
        """Both words of the sum of the hashes of a row's raw cells; None without such columns."""
        if not raw:
            return None
        if self._connection is None:
            self._connection = connect(self._memory)
            if len(self._columns) > WIDE:
                self._connection.execute("PRAGMA disable_optimizer")
        places = list(raw)
        names = number_columns(len(places))
        batch = pa.RecordBatch.from_arrays(list(raw.values()), names=names)
        own = [
            f"coalesce('{place}=' || CAST({name} AS VARCHAR), '{place}-')"
            for place, name in zip(places, names, strict=True)
            if self._columns[place].codable
        ]
        others = [f"CAST({name} AS VARCHAR)" for place, name in zip(places, names, strict=True)
                  if not self._columns[place].codable]  # fmt: skip
        if others:  # together: they are never held as codes
            cells = (f"coalesce(length({text}) || ':' || {text}, '-')" for text in others)
            own.append(f"concat('others', {', '.join(cells)})")
        parts = ", ".join(
            f"md5_number('{self._key}' || {text}) AS h{number}" for number, text in enumerate(own)
        )
        words = ", ".join(
            f"CAST(h{number} & 18446744073709551615 AS UBIGINT), CAST(h{number} >> 64 AS UBIGINT)"
            for number in range(len(own))
        )
        self._connection.register("raw", pa.Table.from_batches([batch]))
        found = self._connection.sql(f"SELECT {words} FROM (SELECT {parts} FROM raw)")
        answer = found.to_arrow_table()
        self._connection.unregister("raw")
        sums = np.zeros((2, rows), dtype=np.uint64)
        for number, column in enumerate(answer.columns):
            sums[number % 2] += column.to_numpy()
        return sums
