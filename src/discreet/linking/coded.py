"""A release as codes: each row's texts by number, and the different rows once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.frequency import kernels
from discreet.frequency.packing import Packing
from discreet.table.dictionary import Dictionary
from discreet.table.table import Table

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Coded:
    """The rows of a table in file order, as numbers of its different tuples.

    ``tuples[c]`` has column c's code of each different tuple, ``texts[c]`` the text of each code,
    and ``place`` the number of each row's tuple.
    """

    tuples: tuple[Codes, ...]
    texts: tuple[tuple[str | None, ...], ...]
    place: Codes

    @classmethod
    def of(cls, table: Table, columns: Sequence[str]) -> Coded:
        """Read a table once."""
        return cls.of_batches(table.scan(text=list(columns)), len(columns))

    @classmethod
    def of_batches(cls, batches: Iterable[pa.RecordBatch], columns: int) -> Coded:
        """Code the first columns of rows that come in batches."""
        dictionaries = [Dictionary() for _ in range(columns)]
        parts: list[list[Codes]] = [[] for _ in dictionaries]
        for batch in batches:
            for number, dictionary in enumerate(dictionaries):
                parts[number].append(dictionary.encode(batch.column(number)))
        nothing = np.empty(0, dtype=np.int32)
        codes = [np.concatenate([nothing, *each]) for each in parts]
        texts = tuple(dictionary.values for dictionary in dictionaries)
        tuples, place = distinct(codes, [len(each) for each in texts])
        return cls(tuples, texts, place)

    def __len__(self) -> int:
        return len(self.place)


def distinct(codes: Sequence[Codes], sizes: Sequence[int]) -> tuple[tuple[Codes, ...], Codes]:
    """The different tuples, column by column, and the number of each row's tuple."""
    rows = len(codes[0])
    packing = Packing.of([max(1, size) for size in sizes])
    nothing, none = np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.uint64)
    keys, _, place = kernels.roll_up(
        packing.pack(codes, rows),
        np.ones(rows, dtype=np.int64),
        *(nothing, nothing, nothing, none, nothing),
        max(1, rows),
        True,
    )
    return tuple(packing.unpack(keys, column) for column in range(len(codes))), place
