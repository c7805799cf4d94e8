"""One pass over the rows: each different combination of values once, with its counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.errors import WeightError
from discreet.frequency import kernels
from discreet.frequency.classes import Floats, Ints
from discreet.frequency.frequency_list import Codes, Entries, FrequencyList
from discreet.frequency.packing import Packing
from discreet.table.dictionary import Dictionary
from discreet.table.table import Table

HALF = 32
"""Bits of a value's code while streaming, when the number of values is not known yet."""


@dataclass(frozen=True, eq=False)
class Counted:
    """A counted table: the frequency list, and the codes that the second pass needs again."""

    frequency: FrequencyList
    dictionaries: dict[str, Dictionary]


def count(
    table: Table,
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    weight: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Counted:
    """Count the rows of a table by their quasi and sensitive values.

    Memory grows with the distinct combinations, not with the rows.
    """
    coded = [*quasi, *sensitive]
    dictionaries = {name: Dictionary() for name in coded}
    tally = _Tally(len(coded), 0 if weight is None else 1)
    text = coded if weight is None else [*coded, weight]
    seen = 0
    for batch in table.scan(text=text):
        codes = [dictionaries[name].encode(batch.column(i)) for i, name in enumerate(coded)]
        amounts = np.empty((0, batch.num_rows))
        if weight is not None:
            amounts = _numbers(weight, batch.column(len(coded)))[None, :]
        tally.add(codes, amounts, batch.num_rows)
        seen += batch.num_rows
        if progress is not None:
            progress(seen)
    values = {name: dictionaries[name].values for name in coded}
    frequency = tally.frequency_list(tuple(quasi), tuple(sensitive), values)
    return Counted(frequency, dictionaries)


class _Tally:
    """A hash table of distinct code tuples that grows as batches come in."""

    def __init__(self, columns: int, amounts: int) -> None:
        self._packing = Packing.of([1 << HALF] * columns)
        self._amounts = amounts
        self._found = 0
        self._allocate(1 << 12)
        kernels.index(self._slots, self._store, 0)

    def _allocate(self, room: int) -> None:
        self._slots = np.full(2 * room, kernels.EMPTY, dtype=np.int32)
        self._store = np.empty((self._packing.words, room), dtype=np.uint64)
        self._rows = np.zeros(room, dtype=np.int64)
        self._sums = np.zeros((self._amounts, room), dtype=np.float64)

    def add(self, codes: Sequence[Codes], amounts: Floats, rows: int) -> None:
        keys = self._packing.pack(codes, rows)
        self._make_room(rows)
        self._found = kernels.tally(
            self._slots, self._store, self._rows, self._sums, self._found, keys, amounts
        )

    def _make_room(self, more: int) -> None:
        room = self._store.shape[1]
        if self._found + more <= room:
            return
        while self._found + more > room:
            room *= 2
        store, rows, sums, found = self._store, self._rows, self._sums, self._found
        self._allocate(room)
        self._store[:, :found] = store[:, :found]
        self._rows[:found] = rows[:found]
        self._sums[:, :found] = sums[:, :found]
        kernels.index(self._slots, self._store, found)

    def frequency_list(
        self,
        quasi: tuple[str, ...],
        sensitive: tuple[str, ...],
        values: dict[str, tuple[str | None, ...]],
    ) -> FrequencyList:
        """Separate what was counted into quasi tuples and the sensitive values of each."""
        found = self._found
        self._slots = np.empty(0, dtype=np.int32)
        columns = [
            self._packing.unpack(self._store[:, :found], c) for c in range(len(quasi + sensitive))
        ]
        rows, sums = self._rows[:found].copy(), self._sums[:, :found].copy()
        self._store = np.empty((0, 0), dtype=np.uint64)
        if not sensitive:
            return FrequencyList(quasi, tuple(columns), rows, values, {}, _named(sums))
        return _split(quasi, sensitive, columns, rows, sums, values)


def _split(
    quasi: tuple[str, ...],
    sensitive: tuple[str, ...],
    columns: list[Codes],
    rows: Ints,
    sums: Floats,
    values: dict[str, tuple[str | None, ...]],
) -> FrequencyList:
    packing = Packing.of([max(1, len(values[name])) for name in quasi])
    keys = packing.pack(columns[: len(quasi)], len(rows))
    nothing = np.zeros(0, dtype=np.int64)
    none = np.zeros(1, dtype=np.uint64)
    keys, tuple_rows, inverse = kernels.roll_up(
        keys, rows, nothing, nothing, nothing, none, nothing, max(1, len(rows)), True
    )
    entries = {}
    own = np.arange(len(rows), dtype=np.int32)
    for place, name in enumerate(sensitive, start=len(quasi)):
        found = kernels.roll_up_values(own, columns[place], rows, inverse, len(values[name]))
        entries[name] = Entries(*found)
    codes = tuple(packing.unpack(keys, c) for c in range(len(quasi)))
    tallies = kernels.roll_up_tallies(np.ascontiguousarray(sums), inverse, len(tuple_rows))
    return FrequencyList(quasi, codes, tuple_rows, values, entries, _named(tallies))


def _named(sums: Floats) -> dict[str, Floats]:
    return {"weight": np.ascontiguousarray(sums[0])} if len(sums) else {}


def _numbers(column: str, texts: pa.Array) -> npt.NDArray[np.float64]:
    try:
        numbers = np.array(texts.cast(pa.float64()).to_pylist(), dtype=np.float64)
    except (pa.ArrowInvalid, TypeError):
        raise WeightError(column) from None
    if not np.isfinite(numbers).all() or (numbers < 0).any():
        raise WeightError(column)
    return numbers
