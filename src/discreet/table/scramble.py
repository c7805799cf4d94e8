"""Rows in an order that tells nothing of where they were before.

A row is held as the codes of its values, equal rows as one row with their number, and all of it
is ordered by a keyed hash of the row. What does not fit in memory goes to a file without a name,
encrypted under a key that is forgotten.
"""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from discreet.table.hashed_column import HashedColumn, RawHasher, Words
from discreet.table.row_numbers import (
    BUCKETS,
    HASH,
    NUMBER,
    Cells,
    NumberedRows,
    OrderedRows,
    name_codes,
)

SECOND = "s"
GATHERED = 16 << 20
"""Bytes of rows that are put into order at a time, where they are no numbers."""
IN_MEMORY = 192 << 20
ROWS = 131_072
"""Rows of a batch of the release, but for what buckets do not fill."""


def scramble_rows(
    reader: pa.RecordBatchReader, key: bytes, folder: Path, memory: str, *, counted: bool = False
) -> pa.RecordBatchReader:
    """The same rows, ordered by a keyed hash of what each says; texts may come as dictionaries.

    The new order depends on the released content and the key alone: the same rows give the same
    order whatever order they came in, and equal rows cannot be told apart. The hash of a row is the
    sum of those of its cells, and that of a cell is MD5 of the key, the column and the value, which
    is found once for each value of a column; two different rows share no place, since 128 bits
    decide where 64 do not. Without the key nobody can say where in the file a given row would be. A
    dictionary holds the values of its batch alone, ordered by their hashes: not those of rows that
    were left out, and nothing of the order in which they were met. If ``counted``, equal rows that
    are neighbours come once, and a last column says how many they are.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.1: the order of the rows in a release must be random, or rows of two
    releases can be matched by their place. *Departures*: the order is keyed and repeatable rather
    than drawn, so that the same input, policy and seed give the same bytes.
    *Cost*: one pass. Where there are few possible rows, a counter for each, and some 8 bytes for
    each different row (see :mod:`discreet.table.row_numbers`); else some 16 bytes: a code of one to
    four bytes for each column of texts or whole numbers, the hash and a number. Columns of other
    types, and those with more than a quarter of a million values, are held as they are. Rows are
    dealt into 256 buckets by the first bits of the hash; what exceeds 192 MB goes to a temporary
    file in `folder` that has no name, so that (on POSIX systems) it is gone even if the program is
    killed. It is encrypted with AES-256-GCM under a key that only this call has.
    """
    columns = [HashedColumn(place, field.type, key) for place, field in enumerate(reader.schema)]
    hasher = RawHasher(columns, key, memory)
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
    if counted:
        schema = schema.append(pa.field(NUMBER, pa.int64()))
    return pa.RecordBatchReader.from_batches(schema, _read_sorted(store, columns, schema))


# Rows that are held: their hash, codes or cells, and how many of them there are.


def _gather(
    reader: pa.RecordBatchReader, columns: Sequence[HashedColumn], hasher: RawHasher
) -> Iterator[pa.RecordBatch | OrderedRows]:
    """Batches joined into larger ones, ordered by hash and with equal rows as one."""
    numbered = NumberedRows(columns)
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
                yield from numbered.take()
            waiting.append(_hold(batch, cells, columns, hasher))
            size += waiting[-1].nbytes
        elif numbered.has_room(batch.num_rows):
            numbered.add(cells)
        else:
            yield from numbered.take()
            numbered.add(cells)
        if size > GATHERED:
            yield _sort(_join(waiting, columns), columns, strict=False)
            waiting, size = [], 0
    if numbered.rows:
        yield from numbered.take()
    if waiting:
        yield _sort(_join(waiting, columns), columns, strict=False)


def _hold(
    batch: pa.RecordBatch,
    cells: Sequence[Cells | None],
    columns: Sequence[HashedColumn],
    hasher: RawHasher,
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
            arrays[name_codes(place)] = pa.array(codes)
            first += column.hash_codes(codes, 0)
    hashed = hasher.hash(raw, batch.num_rows)
    if hashed is not None:
        first += hashed[0]
        arrays[SECOND] = pa.array(hashed[1])
    arrays[HASH] = pa.array(first)
    arrays[NUMBER] = pa.array(np.ones(batch.num_rows, dtype=np.uint32))
    return pa.RecordBatch.from_pydict(arrays)


def _name_raw(place: int) -> str:
    return f"r{place}"


def _join(pieces: Sequence[pa.RecordBatch], columns: Sequence[HashedColumn]) -> pa.RecordBatch:
    """Pieces one after the other; a column that is raw in one of them becomes raw in all."""
    if len(pieces) == 1 and all(column.coded for column in columns):
        return pieces[0]
    arrays: dict[str, pa.Array] = {}
    seconds = [_read(piece, SECOND) for piece in pieces]
    for place, column in enumerate(columns):
        coded, raw = name_codes(place), _name_raw(place)
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


def _sort(
    rows: pa.RecordBatch, columns: Sequence[HashedColumn], strict: bool = True
) -> pa.RecordBatch:
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


def _find_second_hash(rows: pa.RecordBatch, columns: Sequence[HashedColumn]) -> Words:
    """The second 64 bits of the hash of each row."""
    raw = _read(rows, SECOND)
    second = np.zeros(rows.num_rows, dtype=np.uint64) if raw is None else raw.copy()
    for place, column in enumerate(columns):
        codes = _read(rows, name_codes(place))
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
        self._rows = np.zeros(BUCKETS, dtype=np.int64)
        self._ordered: list[OrderedRows] = []

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
        self._held, self._ordered = [], []

    def add(self, rows: pa.RecordBatch | OrderedRows) -> None:
        """Hold rows that are ordered by their hash; numbers stay numbers while there is room."""
        if isinstance(rows, pa.RecordBatch):
            self._hold(rows)
        elif self._size + rows.nbytes <= IN_MEMORY:
            self._ordered.append(rows)
            self._size += rows.nbytes
        else:
            ordered, self._ordered = [*self._ordered, rows], []
            self._size -= sum(one.nbytes for one in ordered[:-1])
            for one in ordered:
                self._hold(one.read(0, BUCKETS - 1, hashed=True))

    def _hold(self, rows: pa.RecordBatch) -> None:
        numbers = (rows.column(HASH).to_numpy() >> np.uint64(56)).astype(np.int64)
        ends = np.searchsorted(numbers, np.arange(BUCKETS), side="right")
        self._rows += np.bincount(
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
        self._size = sum(one.nbytes for one in self._ordered)

    def count_rows(self, bucket: int) -> int:
        """How many rows a bucket has."""
        ordered = sum(int(one.rows[bucket]) for one in self._ordered)
        return int(self._rows[bucket]) + ordered

    def take(self, first: int, last: int, columns: Sequence[HashedColumn]) -> pa.RecordBatch:
        """The rows of some buckets in their order, equal ones as one; the store forgets them."""
        pieces = [piece for bucket in range(first, last + 1) for piece in self._take(bucket)]
        if not pieces and len(self._ordered) == 1 and all(column.coded for column in columns):
            return self._ordered[0].read(first, last, hashed=False)
        pieces += [one.read(first, last, hashed=True) for one in self._ordered]
        return _sort(_join(pieces, columns), columns)

    def _take(self, bucket: int) -> list[pa.RecordBatch]:
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
    store: _Store, columns: Sequence[HashedColumn], schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    with store:
        first = rows = 0
        for bucket in range(BUCKETS):
            rows += store.count_rows(bucket)
            if rows >= ROWS or (rows and bucket == BUCKETS - 1):
                found = store.take(first, bucket, columns)
                first, rows = bucket + 1, 0
                yield from _write_out(found, columns, schema)


def _write_out(
    rows: pa.RecordBatch, columns: Sequence[HashedColumn], schema: pa.Schema
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
    rows: pa.RecordBatch, times: npt.NDArray[np.int64], columns: Sequence[HashedColumn],
    schema: pa.Schema,
) -> pa.RecordBatch:  # fmt: skip
    """The rows as they are written; if the schema has a last column for it, with their number."""
    counted = len(schema) > len(columns)
    repeated = None if counted or bool((times == 1).all()) else times
    arrays = []
    for place, column in enumerate(columns):
        if column.coded:
            arrays.append(column.compact(rows.column(name_codes(place)).to_numpy(), repeated))
        else:
            cells = rows.column(_name_raw(place))
            arrays.append(cells if repeated is None else _repeat_cells(cells, repeated))
    if counted:
        arrays.append(pa.array(times))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _repeat_cells(cells: pa.Array, times: npt.NDArray[np.int64]) -> pa.Array:
    return cells.take(pa.array(np.repeat(np.arange(len(times)), times)))
