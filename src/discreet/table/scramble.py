"""Rows in an order that tells nothing of where they were before.

A row is held as the codes of its values, equal rows as one row with their number, and all of it
is ordered by a keyed hash of the row. What does not fit in memory goes to a file without a name,
encrypted under a key that is forgotten.
"""

from __future__ import annotations

import hashlib
import secrets
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from discreet.table.dictionary import Dictionary
from discreet.table.engine import connect, number_columns

Words = npt.NDArray[np.uint64]
Codes = npt.NDArray[np.int32]

BUCKETS = 256
GATHER = 16 << 20
"""Bytes of rows, or numbers of rows, that are put into order at a time."""
MORE_BITS = 2
"""Bits that a column gets beyond those it needs, so that it can have more values."""
IN_MEMORY = 192 << 20
ROWS = 131_072
"""Rows of a batch of the release, but for what buckets do not fill."""
MOST_CODED = 1 << 18
"""Values from which on a column is held as it is."""
TEXTS = pa.dictionary(pa.int32(), pa.string())
WIDE = 300
"""Of more columns, looking for a better plan takes far longer than the plan at hand."""

HASH, SECOND, NUMBER = "h", "s", "n"


def scramble_rows(
    reader: pa.RecordBatchReader, key: bytes, folder: Path, memory: str
) -> pa.RecordBatchReader:
    """The same rows, ordered by a keyed hash of what each says; texts may come as dictionaries.

    The new order depends on the released content and the key alone: the same rows give the same
    order whatever order they came in, and equal rows cannot be told apart. The hash of a row is the
    sum of those of its cells, and that of a cell is MD5 of the key, the column and the value, which
    is found once for each value of a column; two different rows share no place, since 128 bits
    decide where 64 do not. Without the key nobody can say where in the file a given row would be. A
    dictionary holds the values of its batch alone, ordered by their hashes: not those of rows that
    were left out, and nothing of the order in which they were met.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.1: the order of the rows in a release must be random, or rows of two
    releases can be matched by their place. *Departures*: the order is keyed and repeatable rather
    than drawn, so that the same input, policy and seed give the same bytes.
    *Cost*: one pass, and some 16 bytes for each different row: a code of one to four bytes for each
    column of texts or whole numbers, the hash and a number. Columns of other types, and those with
    more than a quarter of a million values, are held as they are. Rows are dealt into 256 buckets
    by the first bits of the hash; what exceeds 192 MB goes to a temporary file in `folder` that has
    no name, so that (on POSIX systems) it is gone even if the program is killed. It is encrypted
    with AES-256-GCM under a key that only this call has.
    """
    columns = [_Column(place, field.type, key) for place, field in enumerate(reader.schema)]
    hasher = _RawHasher(columns, key, memory)
    store = _Store(folder)
    try:
        for rows in _gather(reader, columns, hasher):
            store.add(rows)
    except BaseException:
        store.close()
        raise
    finally:
        hasher.close()
    schema = pa.schema(
        (field.name, column.written) for field, column in zip(reader.schema, columns, strict=True)
    )
    return pa.RecordBatchReader.from_batches(schema, _read_sorted(store, columns, schema))


# A column of the release: the codes of its values with their hashes, or its cells as they are.


def find_plain_type(kind: pa.DataType) -> pa.DataType:
    """The type of a column without its dictionary, texts as one type."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return pa.string() if any(test(kind) for test in tests) else kind


class _Column:
    """The values of a column that were met, each with a code and a hash."""

    def __init__(self, place: int, kind: pa.DataType, key: bytes) -> None:
        self.kind = find_plain_type(kind)
        self.codable = pa.types.is_string(self.kind) or pa.types.is_integer(self.kind)
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


class _RawHasher:
    """Hashes cells that are held as they are, in the engine: as _Column does its values."""

    def __init__(self, columns: Sequence[_Column], key: bytes, memory: str) -> None:
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


# Rows that are held: their hash, codes or cells, and how many of them there are.


def _gather(
    reader: pa.RecordBatchReader, columns: Sequence[_Column], hasher: _RawHasher
) -> Iterator[pa.RecordBatch]:
    """Batches joined into larger ones, ordered by hash and with equal rows as one."""
    numbered = _NumberedRows(columns)
    waiting: list[pa.RecordBatch] = []
    size = 0
    for batch in reader:
        cells = [
            column.look_up(array) if batch.num_rows and column.coded else None
            for column, array in zip(columns, batch.columns, strict=True)
        ]
        if not batch.num_rows:
            continue
        if not numbered.can_hold(cells):
            if numbered.rows:
                yield numbered.take()
            waiting.append(_hold(batch, cells, columns, hasher))
            size += waiting[-1].nbytes
        elif numbered.has_room(batch.num_rows):
            numbered.add(cells)
        else:
            yield numbered.take()
            numbered.add(cells)
        if size > GATHER:
            yield _sort(_join(waiting, columns), columns, strict=False)
            waiting, size = [], 0
    if numbered.rows:
        yield numbered.take()
    if waiting:
        yield _sort(_join(waiting, columns), columns, strict=False)


Cells = tuple[Codes, npt.NDArray[Any]]
"""The codes of a column's cells: a table, and the place of each cell in it."""


class _NumberedRows:
    """Rows of a few coded columns as one number each, which sorting counts.

    Only different rows are then hashed. The number of a row has the codes of its cells side by
    side; when a column outgrows its bits, what is held is given out and new numbers are made.
    """

    def __init__(self, columns: Sequence[_Column]) -> None:
        self._columns = columns
        self._widths = [0] * len(columns)
        self._numbers = np.empty(0, dtype=np.uint64)
        self.rows = 0

    def can_hold(self, cells: Sequence[Cells | None]) -> bool:
        """Whether all cells have codes, which fit in one number."""
        return None not in cells and sum(map(_count_bits, self._columns)) <= 64

    def has_room(self, rows: int) -> bool:
        """Whether so many rows can be added before :meth:`take`."""
        fits = all(_count_bits(c) <= w for c, w in zip(self._columns, self._widths, strict=True))
        return not self.rows or (fits and self.rows + rows <= max(GATHER, rows))

    def add(self, cells: Sequence[Cells | None]) -> None:
        """Hold the rows of a batch."""
        if not self.rows:
            self._lay_out()
        places = [one[1] for one in cells if one is not None]
        start, self.rows = self.rows, self.rows + len(places[0])
        if self.rows > len(self._numbers):  # nothing is held yet: see has_room
            self._numbers = np.empty(max(self.rows, GATHER), dtype=np.uint64)
        numbers, shift = self._numbers[start : self.rows], 0
        numbers[:] = 0
        found = np.empty(len(numbers), dtype=np.uint64)
        for one, width in zip(cells, self._widths, strict=True):
            assert one is not None
            table = one[0].astype(np.uint64) << np.uint64(shift)
            numbers |= np.take(table, one[1], out=found, mode="clip")  # which checks nothing twice
            shift += width

    def _lay_out(self) -> None:
        """Give each column the bits it needs, and some more while there are any."""
        least = [_count_bits(column) for column in self._columns]
        spare = min(MORE_BITS, (64 - sum(least)) // len(least))
        self._widths = [bits + spare for bits in least]

    def take(self) -> pa.RecordBatch:
        """The different rows, ordered by their hash, with the number of each."""
        numbers, self.rows = self._numbers[: self.rows], 0
        numbers.sort()
        first = np.nonzero(np.concatenate([[True], numbers[1:] != numbers[:-1]]))[0]
        times = np.diff(np.append(first, len(numbers))).astype(np.uint32)
        numbers = numbers[first]
        hashes = self._hash(numbers, 0)
        order = _find_order(hashes, lambda some: self._hash(numbers[some], 1))
        numbers = numbers[order]
        arrays = {}
        for place, column in enumerate(self._columns):
            codes = np.empty(len(numbers), dtype=column.narrowest)
            for part in _split(len(numbers)):
                codes[part] = self._read_codes(numbers[part], place)
            arrays[_name_codes(place)] = pa.array(codes)
        arrays[HASH], arrays[NUMBER] = pa.array(hashes[order]), pa.array(times[order])
        return pa.RecordBatch.from_pydict(arrays)

    def _hash(self, numbers: Words, word: int) -> Words:
        found = np.zeros(len(numbers), dtype=np.uint64)
        for part in _split(len(numbers)):
            for place, column in enumerate(self._columns):
                found[part] += column.hash_codes(self._read_codes(numbers[part], place), word)
        return found

    def _read_codes(self, numbers: Words, place: int) -> npt.NDArray[np.int64]:
        shift, mask = sum(self._widths[:place]), (1 << self._widths[place]) - 1
        return ((numbers >> np.uint64(shift)) & np.uint64(mask)).astype(np.int64)


def _split(rows: int) -> Iterator[slice]:
    """Stretches of rows for which what is found on the way stays in the processor's cache."""
    return (slice(start, start + (1 << 15)) for start in range(0, rows, 1 << 15))


def _count_bits(column: _Column) -> int:
    return max(1, (column.size - 1).bit_length())


def _find_order(hashes: Words, find_second: Callable[[npt.NDArray[Any]], Words]) -> Words:
    """The order of different rows by their hash, and where 64 bits are alike by the other 64.

    The number of a row takes the place of the last bits of its hash, since numbers are sorted far
    faster than places are found for them. Rows that then seem to have the same place are put into
    their order among themselves.
    """
    mask = np.uint64((1 << max(1, len(hashes) - 1).bit_length()) - 1)
    order = np.sort((hashes & ~mask) | np.arange(len(hashes), dtype=np.uint64))
    same = (order[1:] ^ order[:-1]) <= mask
    order &= mask
    if same.any():
        run = np.cumsum(np.concatenate([[0], ~same]))
        alike = np.nonzero(np.append(same, False) | np.append(False, same))[0]
        rows = order[alike]
        order[alike] = rows[np.lexsort((find_second(rows), hashes[rows], run[alike]))]
    return order


def _hold(
    batch: pa.RecordBatch,
    cells: Sequence[Cells | None],
    columns: Sequence[_Column],
    hasher: _RawHasher,
) -> pa.RecordBatch:
    """Rows with codes for values where that can be, and their hash."""
    arrays: dict[str, pa.Array] = {}
    raw: dict[int, pa.Array] = {}
    first = np.zeros(batch.num_rows, dtype=np.uint64)
    for place, (column, array) in enumerate(zip(columns, batch.columns, strict=True)):
        found = cells[place]
        if found is None:
            array = array if array.type == column.kind else array.cast(column.kind)
            raw[place] = arrays[_name_raw(place)] = array
        else:
            codes = found[0].astype(column.narrowest, copy=False)[found[1]]
            arrays[_name_codes(place)] = pa.array(codes)
            first += column.hash_codes(codes, 0)
    hashed = hasher.hash(raw, batch.num_rows)
    if hashed is not None:
        first += hashed[0]
        arrays[SECOND] = pa.array(hashed[1])
    arrays[HASH] = pa.array(first)
    arrays[NUMBER] = pa.array(np.ones(batch.num_rows, dtype=np.uint32))
    return pa.RecordBatch.from_pydict(arrays)


def _name_codes(place: int) -> str:
    return f"c{place}"


def _name_raw(place: int) -> str:
    return f"r{place}"


def _join(pieces: Sequence[pa.RecordBatch], columns: Sequence[_Column]) -> pa.RecordBatch:
    """Pieces one after the other; a column that is raw in one of them becomes raw in all."""
    if len(pieces) == 1 and all(column.coded for column in columns):
        return pieces[0]
    arrays: dict[str, pa.Array] = {}
    seconds = [_read(piece, SECOND) for piece in pieces]
    for place, column in enumerate(columns):
        coded, raw = _name_codes(place), _name_raw(place)
        if column.coded:
            parts = [_read(piece, coded) for piece in pieces]
            arrays[coded] = pa.array(np.concatenate([part for part in parts if part is not None]))
            continue
        cells = []
        for number, piece in enumerate(pieces):
            codes = _read(piece, coded)
            if codes is None:
                cells.append(piece.column(raw))
            else:
                cells.append(column.decode(codes))
                before = seconds[number]
                more = column.hash_codes(codes, 1)
                seconds[number] = more if before is None else before + more
        arrays[raw] = pa.concat_arrays(cells)
    if any(second is not None for second in seconds):
        arrays[SECOND] = pa.array(np.concatenate([s for s in seconds if s is not None]))
    for name in (HASH, NUMBER):
        arrays[name] = pa.concat_arrays([piece.column(name) for piece in pieces])
    return pa.RecordBatch.from_pydict(arrays)


def _read(piece: pa.RecordBatch, name: str) -> Any:
    """A column of numbers, None if a piece does not have it."""
    place = piece.schema.get_field_index(name)
    return None if place < 0 else piece.column(place).to_numpy()


def _sort(rows: pa.RecordBatch, columns: Sequence[_Column], strict: bool = True) -> pa.RecordBatch:
    """Rows by their hash, equal ones as one.

    The number of a row takes the place of the last bits of its hash, since numbers are sorted far
    faster than places are found for them. Where different rows then seem to have the same place,
    which is rare, all 128 bits decide; unless ``strict``, the first bits are enough, and each row
    stands for itself.
    """
    hashes = rows.column(HASH).to_numpy()
    if strict and (hashes[1:] > hashes[:-1]).all():
        return rows  # in order already, and all different
    mask = np.uint64((1 << max(1, rows.num_rows - 1).bit_length()) - 1)
    ordered = np.sort((hashes & ~mask) | np.arange(rows.num_rows, dtype=np.uint64))
    found = rows.take(pa.array(ordered & mask))
    same, alike = (ordered[1:] ^ ordered[:-1]) <= mask, _find_alike(found)
    if strict and (same & ~alike).any():
        found = rows.take(pa.array(np.lexsort((_find_second_hash(rows, columns), hashes))))
        alike = _find_alike(found)
    if not alike.any():
        return found
    first = np.concatenate([[0], np.nonzero(~alike)[0] + 1])
    if strict:
        total = np.add.reduceat(found.column(NUMBER).to_numpy().astype(np.uint64), first)
    else:  # rows that were read just now, one each
        total = np.diff(np.append(first, found.num_rows)).astype(np.uint64)
    found = found.take(pa.array(first))
    place = found.schema.get_field_index(NUMBER)
    kind = pa.uint32() if total.max() < 1 << 32 else pa.uint64()
    return found.set_column(place, pa.field(NUMBER, kind), pa.array(total).cast(kind))


def _find_alike(rows: pa.RecordBatch) -> npt.NDArray[np.bool_]:
    """Whether each row but the first is like the one before; raw cells by their hashes."""
    alike = np.ones(max(0, rows.num_rows - 1), dtype=np.bool_)
    for name, column in zip(rows.schema.names, rows.columns, strict=True):
        if name != NUMBER and not name.startswith("r"):
            values = column.to_numpy()
            alike &= values[1:] == values[:-1]
    return alike


def _find_second_hash(rows: pa.RecordBatch, columns: Sequence[_Column]) -> Words:
    """The second 64 bits of the hash of each row."""
    raw = _read(rows, SECOND)
    second = np.zeros(rows.num_rows, dtype=np.uint64) if raw is None else raw.copy()
    for place, column in enumerate(columns):
        codes = _read(rows, _name_codes(place))
        if codes is not None:
            second += column.hash_codes(codes, 1)
    return second


class _Store:
    """Rows in buckets by their hash: in memory, then in an encrypted file without a name."""

    _file: IO[bytes] | None = None

    def __init__(self, folder: Path) -> None:
        self._folder, self._stack = folder, ExitStack()
        self._cipher = AESGCM(secrets.token_bytes(32))
        self._written = self._size = 0
        self._held: list[list[pa.RecordBatch]] = [[] for _ in range(BUCKETS)]
        self._places: list[list[tuple[int, int, int, pa.Schema]]] = [[] for _ in range(BUCKETS)]
        self.rows = np.zeros(BUCKETS, dtype=np.int64)

    def __enter__(self) -> _Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Forget everything."""
        self._stack.close()
        self._held = []

    def add(self, rows: pa.RecordBatch) -> None:
        """Hold rows that are ordered by their hash."""
        numbers = (rows.column(HASH).to_numpy() >> np.uint64(56)).astype(np.int64)
        ends = np.searchsorted(numbers, np.arange(BUCKETS), side="right")
        self.rows += np.bincount(
            numbers, weights=rows.column(NUMBER).to_numpy(), minlength=BUCKETS
        ).astype(np.int64)
        start = 0
        for bucket, end in enumerate(ends.tolist()):
            if end > start:
                self._held[bucket].append(rows.slice(start, end - start))
            start = end
        self._size += rows.nbytes
        if self._size > IN_MEMORY:
            self._spill()

    def _spill(self) -> None:
        if self._file is None:
            self._file = self._stack.enter_context(_open_spool(self._folder))
        for bucket, pieces in enumerate(self._held):
            for piece in pieces:
                number = self._written = self._written + 1
                packed = self._cipher.encrypt(_nonce(number), piece.serialize().to_pybytes(), None)
                place = (self._file.tell(), len(packed), number, piece.schema)
                self._places[bucket].append(place)
                self._file.write(packed)
            pieces.clear()
        self._size = 0

    def take(self, bucket: int) -> list[pa.RecordBatch]:
        """The rows of a bucket, which the store then forgets."""
        pieces, self._held[bucket] = self._held[bucket], []
        for start, size, number, schema in self._places[bucket]:
            assert self._file is not None
            self._file.seek(start)
            opened = self._cipher.decrypt(_nonce(number), self._file.read(size), None)
            pieces.append(pa.ipc.read_record_batch(pa.py_buffer(opened), schema))
        return pieces


def _open_spool(folder: Path) -> IO[bytes]:
    return tempfile.TemporaryFile(dir=str(folder))


def _nonce(number: int) -> bytes:
    return number.to_bytes(12, "little")


# What comes out.


def _read_sorted(
    store: _Store, columns: Sequence[_Column], schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    with store:
        waiting: list[pa.RecordBatch] = []
        rows = 0
        for bucket in range(BUCKETS):
            waiting += store.take(bucket)
            rows += int(store.rows[bucket])
            if waiting and (rows >= ROWS or bucket == BUCKETS - 1):
                found = _sort(_join(waiting, columns), columns)
                waiting, rows = [], 0
                yield from _write_out(found, columns, schema)


def _write_out(
    rows: pa.RecordBatch, columns: Sequence[_Column], schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Every row as often as there is one like it, some hundred thousand at a time."""
    numbers = rows.column(NUMBER).to_numpy().astype(np.int64)
    ends = np.cumsum(numbers)
    total = int(ends[-1])
    parts = max(1, round(total / ROWS))
    for part in range(parts):
        start, end = total * part // parts, total * (part + 1) // parts
        first = int(np.searchsorted(ends, start, side="right"))
        last = int(np.searchsorted(ends, end, side="left")) + 1
        times = numbers[first:last].copy()
        times[0] = ends[first] - start
        times[-1] -= ends[last - 1] - end
        yield _repeat(rows.slice(first, last - first), times, columns, schema)


def _repeat(
    rows: pa.RecordBatch, times: npt.NDArray[np.int64], columns: Sequence[_Column],
    schema: pa.Schema,
) -> pa.RecordBatch:  # fmt: skip
    repeated = None if bool((times == 1).all()) else times
    arrays = []
    for place, column in enumerate(columns):
        if column.coded:
            arrays.append(column.compact(rows.column(_name_codes(place)).to_numpy(), repeated))
        else:
            cells = rows.column(_name_raw(place))
            arrays.append(cells if repeated is None else _repeat_cells(cells, repeated))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _repeat_cells(cells: pa.Array, times: npt.NDArray[np.int64]) -> pa.Array:
    return cells.take(pa.array(np.repeat(np.arange(len(times)), times)))
