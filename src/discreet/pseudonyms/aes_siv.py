"""AES-SIV of very many short texts at once.

Notes
-----
RFC 5297, with AES-256 of the package `cryptography`: S2V is CMAC with a few exclusive ors, then
the counter mode. A test compares the bytes with the library's own AES-SIV, which is also what turns
tokens back.

Departures: none; one piece of associated data.

Cost: half a microsecond a text of up to 16 bytes, a tenth of the library's call for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from discreet.pseudonyms.keyed_hash import BLOCK, Cmac, aes, doubled
from discreet.pseudonyms.written import by_length

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_NOT_COUNTED = np.full(BLOCK, 0xFF, np.uint8)
_NOT_COUNTED[[8, 12]] = 0x7F
_PADDING = 0x80


def sealed(
    keys: bytes, about: bytes, texts: pa.Array
) -> Iterator[tuple[NDArray[np.int64] | slice, NDArray[np.uint8]]]:
    """Which texts, all of one length, and what each becomes: 16 bytes more than it has.

    ``keys`` are two AES keys, for S2V and for the counter mode.
    """
    half = len(keys) // 2
    mac, encrypt = Cmac(keys[:half]), aes(keys[half:])
    start = doubled(mac.of(np.zeros((1, BLOCK), np.uint8))[0].tobytes())
    told = mac.of(np.frombuffer(about, np.uint8).reshape(1, -1))[0]
    mixed = np.frombuffer(start, np.uint8) ^ told
    for rows, cells in by_length(texts):
        tag = mac.of(_mixed(cells, mixed))
        blocks = -(-cells.shape[1] // BLOCK)
        stream = encrypt(_counted(tag, blocks)).reshape(len(cells), -1)
        yield rows, np.hstack([tag, cells ^ stream[:, : cells.shape[1]]])


def _mixed(cells: NDArray[np.uint8], mixed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The last string of S2V: mixed into the end of a text, or into a short text padded."""
    length = cells.shape[1]
    if length >= BLOCK:
        new = cells.copy()
        new[:, -BLOCK:] ^= mixed
        return new
    new = np.zeros((len(cells), BLOCK), np.uint8)
    new[:, :length], new[:, length] = cells, _PADDING
    return new ^ np.frombuffer(doubled(mixed.tobytes()), np.uint8)


def _counted(tag: NDArray[np.uint8], blocks: int) -> NDArray[np.uint8]:
    """The counter blocks of each tag; its last 31 bits count, and never overflow."""
    first = tag & _NOT_COUNTED
    counters = np.repeat(first, blocks, axis=0)
    low = np.ascontiguousarray(counters[:, 12:]).view(">u4")
    low[:, 0] += np.tile(np.arange(blocks, dtype=np.uint32), len(tag))
    counters[:, 12:] = low.view(np.uint8)
    return counters
