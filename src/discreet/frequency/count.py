"""One pass over the rows: each different combination of values once, with its counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import SourceError
from discreet.frequency import kernels, long_lists
from discreet.frequency.classes import Floats, Ints
from discreet.frequency.frequency_list import (
    WORD,
    AnyCodes,
    Codes,
    Entries,
    FrequencyList,
    Packing,
)
from discreet.frequency.memory import require_memory
from discreet.table.dictionary import Dictionary

FIRST_BITS = 8
"""Bits of a code at first, while the number of a column's values is not known yet."""

MORE_BITS = 3
"""How many more a column gets than it needs when it outgrows its bits."""


SORTED = 1 << 20
"""Distinct tuples from which on keys are sorted instead of looked up one by one."""

BLOCK = 1 << 22
"""Rows that are sorted at a time, at least."""

MOST_WAITING = 1 << 24

Cells = tuple[Codes, AnyCodes]
"""The codes of a batch of cells: a table, and the place of each cell in it."""


@dataclass(frozen=True, eq=False)
class Counted:
    """A counted table: the frequency list, and the codes that the second pass needs again."""

    frequency: FrequencyList
    dictionaries: dict[str, Dictionary]

    @property
    def total(self) -> int:
        """How many rows were counted."""
        return self.frequency.total


class Readable(Protocol):
    """What can be counted: a Table, or what gives rows as one does."""

    @property
    def name(self) -> str:
        """What messages call it."""

    def count_rows(self, columns: Sequence[str]) -> pa.RecordBatchReader | None:
        """As :meth:`Table.count_rows`."""

    def scan(self, text: Sequence[str], *, coded: bool) -> Iterable[pa.RecordBatch]:
        """As :meth:`Table.scan`."""


def count(
    table: Readable,
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
    grouped = table.count_rows(coded if weight is None else [*coded, weight])
    if grouped is not None:
        return _add_up(table.name, grouped, quasi, sensitive, weight, progress)
    tally = _Tally(table.name, len(coded), 0 if weight is None else 1)
    text = coded if weight is None else [*coded, weight]
    seen = 0
    for batch in table.scan(text=text, coded=True):
        cells = [dictionaries[name].look_up(batch.column(i)) for i, name in enumerate(coded)]
        amounts = np.empty((0, batch.num_rows))
        if weight is not None:
            amounts = _read_weights(weight, batch.column(len(coded)))[None, :]
        sizes = [len(dictionaries[name]) for name in coded]
        tally.add(cells, sizes, amounts, batch.num_rows)
        seen += batch.num_rows
        if progress is not None:
            progress(seen)
    if weight is not None and seen and not tally.weighed:
        raise make_weight_error(weight)
    values = {name: dictionaries[name].values for name in coded}
    frequency = tally.frequency_list(tuple(quasi), tuple(sensitive), values)
    return Counted(frequency, dictionaries)


def _add_up(
    table: str,
    grouped: pa.RecordBatchReader,
    quasi: Sequence[str],
    sensitive: Sequence[str],
    weight: str | None,
    progress: Callable[[int], None] | None,
) -> Counted:
    """The frequency list of rows that were counted where they are.

    An engine gives groups in any order, so values are numbered, and tuples listed, in their own.
    """
    coded = [*quasi, *sensitive]
    found = _read_groups(grouped, progress)
    rows = found.column(found.num_columns - 1).to_numpy().astype(np.int64)
    dictionaries = {name: Dictionary() for name in coded}
    codes = []
    for place, name in enumerate(coded):
        column = found.column(place)
        values = column.unique()
        order = pc.array_sort_indices(values, null_placement="at_start")
        dictionaries[name].encode(values.take(order))
        codes.append(dictionaries[name].encode(column))
    amounts = np.empty((0, len(rows)))
    if weight is not None:
        weights = found.column(len(coded)).combine_chunks()
        amounts = (_read_weights(weight, weights) * rows)[None, :]
    sizes = [max(1, len(dictionaries[name])) for name in coded]
    tally = _Tally.of(table, codes, sizes, rows, amounts)
    if weight is not None and len(rows) and not tally.weighed:
        raise make_weight_error(weight)
    known = {name: dictionaries[name].values for name in coded}
    return Counted(tally.frequency_list(tuple(quasi), tuple(sensitive), known), dictionaries)


def put_in_value_order(counted: Counted) -> Counted:
    """The same counts, values numbered and tuples listed in their own order instead of the rows'.

    An algorithm that chooses among equally good cells by their place then gives the same release
    whatever the order of the rows, and wherever they are.

    Notes
    -----
    *Cost*: the distinct tuples are sorted once.
    """
    frequency = counted.frequency
    ranks, values, dictionaries = {}, {}, {}
    for name, texts in frequency.values.items():
        found = pa.array(texts, pa.string())
        order = pc.array_sort_indices(found, null_placement="at_start").to_numpy()
        ranks[name] = np.empty(len(texts), dtype=np.int32)
        ranks[name][order] = np.arange(len(texts), dtype=np.int32)
        values[name] = tuple(texts[at] for at in order)
        dictionaries[name] = Dictionary()
        dictionaries[name].encode(pa.array(values[name], pa.string()))
    names = frequency.columns
    codes = [ranks[name][column] for name, column in zip(names, frequency.codes, strict=True)]
    place = np.lexsort(codes) if codes else np.arange(len(frequency))
    moved = np.empty(len(place), dtype=np.int32)
    moved[place] = np.arange(len(place), dtype=np.int32)
    entries = {}
    for name, one in frequency.sensitive.items():
        owner, value = moved[one.owner], ranks[name][one.value]
        order = np.lexsort((owner, value))
        entries[name] = Entries(owner[order], value[order], one.count[order])
    types = [np.min_scalar_type(max(1, len(values[name])) - 1) for name in names]
    ordered = FrequencyList(
        names,
        tuple(column[place].astype(kind) for column, kind in zip(codes, types, strict=True)),
        frequency.rows[place],
        values,
        entries,
        {name: sums[place] for name, sums in frequency.tallies.items()},
    )
    return Counted(ordered, dictionaries)


def _read_groups(grouped: pa.RecordBatchReader, progress: Callable[[int], None] | None) -> pa.Table:
    batches, seen = [], 0
    for batch in grouped:
        batches.append(batch)
        seen += pc.sum(batch.column(batch.num_columns - 1)).as_py() or 0
        if progress is not None:
            progress(seen)
    return pa.Table.from_batches(batches, grouped.schema)


LEAST_WEIGHT, LARGEST_WEIGHT = 1e-15, 1e15


class _Tally:
    """A hash table of distinct code tuples that grows as batches come in.

    Keys are as narrow as the codes met so far allow, and packed anew when a column outgrows them:
    most tables fit one word a tuple.
    """

    def __init__(self, table: str, columns: int, amounts: int) -> None:
        self._table = table
        self._sizes = [1 << FIRST_BITS] * columns
        self._packing = Packing.of(self._sizes)
        self._amounts = amounts
        self._found = 0
        self._sorted: _SortedTally | None = None
        self._allocate(1 << 12)

    @classmethod
    def of(
        cls, table: str, codes: Sequence[Codes], sizes: Sequence[int], rows: Ints, amounts: Floats
    ) -> _Tally:
        """Groups of rows that were counted already, added up where they are alike, in order."""
        tally = cls(table, len(codes), len(amounts))
        tally._sizes, tally._packing = list(sizes), Packing.of(sizes)
        keys, summed, inverse = find_distinct(tally._packing.pack(codes, len(rows)), rows)
        sums = kernels.roll_up_tallies(np.ascontiguousarray(amounts), inverse, len(summed))
        order = np.lexsort(keys)
        tally._store, tally._rows = keys[:, order], summed[order]
        tally._sums, tally._found = sums[:, order], len(summed)
        return tally

    @property
    def _can_sort(self) -> bool:
        """Whether keys are numbers that can be sorted, and rows all that is counted."""
        return self._packing.words == 1 and not self._amounts

    @property
    def weighed(self) -> bool:
        """Whether any row counted so far has a weight above 0."""
        return bool(self._sums.any())

    def _allocate(self, room: int) -> None:
        self._slots = np.full(2 * room, kernels.EMPTY, dtype=np.int32)
        self._indexed = np.zeros(1, dtype=np.int64)
        self._store = np.empty((self._packing.words, room), dtype=np.uint64)
        self._rows = np.zeros(room, dtype=np.int64)
        self._sums = np.zeros((self._amounts, room), dtype=np.float64)

    def add(self, cells: Sequence[Cells], sizes: Sequence[int], amounts: Floats, rows: int) -> None:
        """Count a batch whose codes are all below ``sizes``."""
        self._widen(sizes)
        if self._found > SORTED and self._can_sort:
            self._sort(self._store[0, : self._found])
        if self._sorted is not None:
            keys = self._sorted.make_room(rows)[None, :]
        else:
            keys = np.empty((self._packing.words, rows), dtype=np.uint64)
        keys[:] = 0
        for column, (table, places) in enumerate(cells):
            word, shift = keys[self._packing.word[column]], self._packing.shift[column]
            put = table.astype(np.uint64) << np.uint64(shift)
            if self._sorted is None:
                word |= put[places]
            else:
                long_lists.pack_places(word, put, places)
        if self._sorted is not None:
            return
        self._make_room(rows)
        self._found = kernels.tally(
            self._slots,
            self._indexed,
            self._store,
            self._rows,
            self._sums,
            self._found,
            keys,
            amounts,
        )

    def _widen(self, sizes: Sequence[int]) -> None:
        """Pack all keys anew if some column has more values than its bits can hold."""
        pairs = list(zip(sizes, self._sizes, strict=True))
        crowded = self._found > SORTED and self._packing.words > 1
        if all(size <= known for size, known in pairs) and not crowded:
            return
        wanted = [
            known if size <= known else 1 << (int(size).bit_length() + MORE_BITS)
            for size, known in pairs
        ]
        wanted = fit_in_word(wanted, sizes)
        if wanted == self._sizes:
            return
        self._sizes = wanted
        if self._sorted is not None:
            self._unsort()
        old, found, store = self._packing, self._found, self._store
        self._packing = Packing.of(self._sizes)
        columns = (old.unpack(store[:, :found], c) for c in range(len(sizes)))
        keys = self._packing.pack(columns, found)
        if found > SORTED and self._can_sort:
            self._sort(keys[0])
        else:
            self._fill(keys, len(store[0]))

    def _sort(self, keys: npt.NDArray[np.uint64]) -> None:
        """Count by sorting from now on, beginning with distinct keys and their rows."""
        columns = len(self._sizes)
        self._sorted = _SortedTally(self._table, columns, keys, self._rows[: self._found])
        self._found = 0
        self._allocate(1)

    def _fill(self, keys: npt.NDArray[np.uint64], room: int) -> None:
        """Put distinct keys into a new hash table with room for more, their rows as they are."""
        found, rows, sums = self._found, self._rows, self._sums
        size = 1 << (room - 1).bit_length()
        bytes_each = 16 + 8 * len(keys) + 8 * self._amounts
        require_memory(self._table, found, len(self._sizes), size * bytes_each)
        self._allocate(size)
        self._store[:, :found] = keys
        self._rows[:found] = rows[:found]
        self._sums[:, :found] = sums[:, :found]

    def _unsort(self) -> None:
        """Back to what was counted, as keys that can be packed anew."""
        assert self._sorted is not None
        keys, self._rows = self._sorted.close()
        self._store, self._found, self._sorted = keys[None, :], len(keys), None

    def _make_room(self, more: int) -> None:
        room = self._store.shape[1]
        if self._found + more > room:
            self._fill(self._store[:, : self._found], self._found + more)

    def frequency_list(
        self,
        quasi: tuple[str, ...],
        sensitive: tuple[str, ...],
        values: dict[str, tuple[str | None, ...]],
    ) -> FrequencyList:
        """Separate what was counted into quasi tuples and the sensitive values of each."""
        if self._sorted is not None:
            self._unsort()
        found, packing = self._found, self._packing
        self._slots = np.empty(0, dtype=np.int32)
        store, self._store = self._store[:, :found], np.empty((0, 0), dtype=np.uint64)
        rows, self._rows = self._rows[:found], np.empty(0, dtype=np.int64)
        rows = rows if rows.base is None or len(rows.base) == found else rows.copy()
        sums = self._sums[:, :found].copy()
        sizes = [max(1, len(values[name])) for name in quasi]
        if not sensitive:
            codes = narrow(packing, store, sizes)
            return FrequencyList(quasi, codes, rows, values, {}, _name_tallies(sums))
        columns = [packing.unpack(store, c) for c in range(len(quasi), len(quasi + sensitive))]
        own = Packing.of(sizes)
        keys = own.pack((packing.unpack(store, c) for c in range(len(quasi))), found)
        del store
        keys, tuple_rows, inverse = find_distinct(keys, rows)
        codes = narrow(own, keys, sizes)
        del keys
        entries = _count_entries(sensitive, columns, rows, inverse, values)
        tallies = kernels.roll_up_tallies(np.ascontiguousarray(sums), inverse, len(tuple_rows))
        return FrequencyList(quasi, codes, tuple_rows, values, entries, _name_tallies(tallies))


def fit_in_word(wanted: Sequence[int], needed: Sequence[int]) -> list[int]:
    """Sizes for which codes fit in one word: with less room than wanted, but more than needed.

    As wanted, if even what is needed does not fit.

    >>> fit_in_word([1 << 40, 1 << 40], [100, 200])
    [2147483648, 8589934592]
    """
    widths = [max(1, int(size - 1).bit_length()) for size in wanted]
    least = [max(1, int(size - 1).bit_length()) for size in needed]
    spare = WORD - sum(least)
    if sum(widths) <= WORD or spare < 0:
        return list(wanted)
    fitting = []
    for place, (width, small) in enumerate(zip(widths, least, strict=True)):
        more = min(width - small, spare // (len(widths) - place))
        spare -= more
        fitting.append(1 << (small + more))
    return fitting


class _SortedTally:
    """Counts keys of one word by sorting them: distinct keys in order, and how often each came.

    A hash table of millions of keys misses the processor's cache for every row, and is copied
    whenever it grows. Keys are sorted in memory a block at a time and merged with what is known.
    """

    def __init__(self, table: str, columns: int, keys: npt.NDArray[np.uint64], rows: Ints) -> None:
        self._table, self._columns = table, columns
        order = np.argsort(keys)
        self._keys, self._rows = keys[order], rows[order]
        self._waiting = np.empty(0, dtype=np.uint64)
        self._counts = np.empty(0, dtype=np.int32)
        self._size = 0

    def make_room(self, rows: int) -> npt.NDArray[np.uint64]:
        """Where the keys of that many rows are to be put: each then counts as a row."""
        if self._size + rows > len(self._waiting):
            if self._size:
                self._merge()
            room = max(rows, BLOCK, min(len(self._keys) // 2, MOST_WAITING))
            if room > len(self._waiting):  # the longer the list, the more is merged at a time
                self._waiting = np.empty(room, dtype=np.uint64)
                self._counts = np.empty(room, dtype=np.int32)
        start, self._size = self._size, self._size + rows
        return self._waiting[start : self._size]

    def _merge(self) -> None:
        known, most = len(self._keys), len(self._keys) + self._size
        require_memory(self._table, known, self._columns, 16 * most)
        more, self._size = self._waiting[: self._size], 0
        more.sort()
        found = long_lists.count_runs(more, self._counts)
        more, counts = more[:found], self._counts[:found]
        size = known + long_lists.count_new(self._keys, more)
        # Grown in place: the system moves the pages of so long a list instead of copying it.
        self._keys.resize(size, refcheck=False)
        self._rows.resize(size, refcheck=False)
        long_lists.merge_runs(self._keys, self._rows, known, more, counts)

    def close(self) -> tuple[npt.NDArray[np.uint64], Ints]:
        """The distinct keys and the rows of each."""
        if self._size:
            self._merge()
        self._waiting, self._counts = self._waiting[:0].copy(), self._counts[:0].copy()
        return self._keys, self._rows


def narrow(
    packing: Packing, keys: npt.NDArray[np.uint64], sizes: Sequence[int]
) -> tuple[AnyCodes, ...]:
    """The code of every tuple, column by column, in the smallest type that holds it."""
    codes = tuple(np.empty(keys.shape[1], dtype=np.min_scalar_type(size - 1)) for size in sizes)
    for column, code in enumerate(codes):
        packing.unpack_into(keys, column, code)
    return codes


def find_distinct(
    keys: npt.NDArray[np.uint64], rows: Ints
) -> tuple[npt.NDArray[np.uint64], Ints, Codes]:
    """The different keys, their rows, and the place of each key among them."""
    nothing = np.zeros(0, dtype=np.int64)
    none = np.zeros(1, dtype=np.uint64)
    most = max(1, len(rows))
    found: tuple[npt.NDArray[np.uint64], Ints, Codes] = kernels.roll_up(
        keys, rows, nothing, nothing, nothing, none, nothing, most, True
    )
    return found


def _count_entries(
    sensitive: tuple[str, ...],
    columns: list[Codes],
    rows: Ints,
    inverse: Codes,
    values: dict[str, tuple[str | None, ...]],
) -> dict[str, Entries]:
    """How often each sensitive value goes with each tuple."""
    if len(sensitive) == 1:  # what was counted is different tuples with different values already
        return {sensitive[0]: Entries(inverse, columns[0], rows)}
    own = np.arange(len(rows), dtype=np.int32)
    return {
        name: Entries(*kernels.roll_up_values(own, column, rows, inverse, len(values[name])))
        for name, column in zip(sensitive, columns, strict=True)
    }


def _name_tallies(sums: Floats) -> dict[str, Floats]:
    return {"weight": np.ascontiguousarray(sums[0])} if len(sums) else {}


def _read_weights(column: str, texts: pa.Array) -> npt.NDArray[np.float64]:
    try:
        texts = texts.cast(pa.string())
        numbers = np.array(texts.cast(pa.float64()).to_pylist(), dtype=np.float64)
    except (pa.ArrowInvalid, TypeError):
        raise make_weight_error(column) from None
    # Weights are added up and divided by their sum, which must neither overflow nor vanish.
    right = (numbers == 0) | ((numbers >= LEAST_WEIGHT) & (numbers <= LARGEST_WEIGHT))
    if not right.all():
        raise make_weight_error(column)
    return numbers


# The people of a register beside the rows of a table, tuple by tuple.


def add_register(counted: Counted, register: FrequencyList, tally: str) -> Counted:
    """Add the counts of a register, with the tuples that only the register has.

    ``register`` is counted on the columns of the table, in their order, whatever it calls them. Its
    counts become the tally of that name; tuples that the table lacks have no rows. The dictionaries
    learn the values that only the register has, after those of the table.

    Notes
    -----
    *Cost*: linear in the distinct tuples of both.
    """
    table = counted.frequency
    values = dict(table.values)
    theirs = []
    for place, (name, other) in enumerate(zip(table.columns, register.columns, strict=True)):
        dictionary = counted.dictionaries[name]
        code = dictionary.encode(pa.array(list(register.values[other]), pa.string()))
        theirs.append(code[register.codes[place]])
        values[name] = dictionary.values
    sizes = [max(1, len(values[name])) for name in table.columns]
    packing = Packing.of(sizes)
    both = [np.concatenate([own, their]) for own, their in zip(table.codes, theirs, strict=True)]
    count = len(table) + len(register)
    rows = np.concatenate([table.rows, np.zeros(len(register), dtype=np.int64)])
    keys, rows, inverse = find_distinct(packing.pack(both, count), rows)
    amounts = _stack_tallies(table.tallies, register, tally, count)
    sums = kernels.roll_up_tallies(amounts, inverse, len(rows))
    entries = {
        name: Entries(
            *kernels.roll_up_values(
                e.owner, e.value, e.count, inverse[: len(table)], len(values[name])
            )
        )
        for name, e in table.sensitive.items()
    }
    tallies = dict(zip((*table.tallies, tally), sums, strict=True))
    codes = narrow(packing, keys, sizes)
    frequency = FrequencyList(table.columns, codes, rows, values, entries, tallies)
    return Counted(frequency, counted.dictionaries)


def _stack_tallies(
    tallies: Mapping[str, Floats], register: FrequencyList, tally: str, count: int
) -> Floats:
    """All tallies of the tuples of both, the register's last."""
    amounts = np.zeros((len(tallies) + 1, count))
    for place, sums in enumerate(tallies.values()):
        amounts[place, : len(sums)] = sums
    amounts[-1, count - len(register) :] = register.rows
    return amounts


def make_weight_error(column: str) -> SourceError:
    """A column of row weights holds something that is no weight."""
    return SourceError(
        f"column '{column}' is to weigh rows, but not all of its values are numbers of 0 or "
        "more, or none is above 0; a weight above 0 lies between 1e-15 and 1e15. Fix the "
        "column, or do not use it as a weight.",
        column=column,
    )
