"""Rows in an order that tells nothing of where they stood before."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow as pa

BUCKETS = 256
GATHER = 48 << 20
IN_MEMORY = 128 << 20
HASHES = ("h0", "h1")


def scrambled(
    batches: Iterator[pa.RecordBatch], schema: pa.Schema, folder: Path
) -> Iterator[pa.RecordBatch]:
    """The same rows, ordered by a keyed hash of what each says (the columns `h0` and `h1`).

    The new order depends on the released content and the key alone: the same rows give the same
    order whatever order they came in, and equal rows cannot be told apart. The hash is MD5 of the
    key and the row, 128 bits, so two different rows do not share a place; without the key nobody
    can say where in the file a given row would stand.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.1: the order of the rows in a release must be random, or rows of two
    releases can be matched by their place. *Departures*: the order is keyed and repeatable rather
    than drawn, so that the same input, policy and seed give the same bytes.
    *Cost*: one pass. Rows are dealt into 256 buckets by the first bits of the hash, then each
    bucket is sorted alone. Up to 128 MB stay in memory; more goes to a temporary file in `folder`
    that has no name, so that (on POSIX systems) it is gone even if the program is killed. It holds
    rows of the release only, as the file under way does, and is not encrypted: the engine's own
    sorting would spill to named files, and can encrypt those only in a way it calls unsafe.
    """
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY, dir=str(folder)) as spool:
        places: list[list[tuple[int, int]]] = [[] for _ in range(BUCKETS)]
        for gathered in _gather(batches):
            _deal(gathered, spool, places)
        for bucket in places:
            yield from _sorted(bucket, spool, schema)


def _gather(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Small batches joined into larger ones, so that buckets are dealt in few pieces."""
    waiting: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        waiting.append(batch)
        size += batch.nbytes
        if size > GATHER:
            yield pa.concat_batches(waiting)
            waiting, size = [], 0
    if waiting:
        yield pa.concat_batches(waiting)


def _deal(rows: pa.RecordBatch, spool: IO[bytes], places: list[list[tuple[int, int]]]) -> None:
    numbers = (rows.column("h0").to_numpy() >> np.uint64(56)).astype(np.uint8)
    rows = rows.take(pa.array(np.argsort(numbers, kind="stable")))
    ends = np.cumsum(np.bincount(numbers, minlength=BUCKETS))
    start = 0
    for place, end in zip(places, ends.tolist(), strict=True):
        if end > start:
            packed = rows.slice(start, end - start).serialize()
            place.append((spool.tell(), packed.size))
            spool.write(packed)
        start = end


def _sorted(
    bucket: list[tuple[int, int]], spool: IO[bytes], schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    pieces = []
    for offset, size in bucket:
        spool.seek(offset)
        pieces.append(pa.ipc.read_record_batch(pa.py_buffer(spool.read(size)), schema))
    if pieces:
        rows = pa.concat_batches(pieces)
        first, second = (rows.column(name).to_numpy() for name in HASHES)
        yield rows.take(pa.array(np.lexsort((second, first)))).drop_columns(list(HASHES))
