"""Texts of a column as one array of bytes, so that characters change without a loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from numpy.typing import NDArray

ZERO, NINE = ord("0"), ord("9")
LETTERS = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz234567", np.uint8)
"""Those of base 32."""


def marks(said: str) -> NDArray[np.bool_]:
    """Which bytes are among some characters of ASCII."""
    table = np.zeros(256, bool)
    table[list(said.encode("ascii"))] = True
    return table


DIGITS = marks("0123456789")


def flat(texts: pa.Array) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Where each text starts and ends, and the bytes of all. There must be no missing text."""
    _, offsets, data = texts.buffers()
    size = len(texts) + 1
    ends = np.frombuffer(offsets, np.int32, size, texts.offset * 4) if len(texts) else np.zeros(1)
    first, last = int(ends[0]), int(ends[-1])
    held = np.frombuffer(data, np.uint8, last) if data and last else np.zeros(0, np.uint8)
    return (ends - first).astype(np.int32), held[first:last]


def by_length(
    texts: pa.Array,
) -> Iterator[tuple[NDArray[np.int64] | slice, NDArray[np.uint8]]]:
    """The bytes of texts, a row each, those of one length together; and which texts these are.

    Examples
    --------
    >>> [cells.tolist() for _, cells in by_length(pa.array(["a", "bcd", "e"]))]
    [[[97], [101]], [[98, 99, 100]]]
    """
    ends, data = flat(texts)
    lengths = np.diff(ends)
    if len(lengths) and lengths[0] and (lengths == lengths[0]).all():
        yield slice(None), data.reshape(-1, lengths[0])
        return
    order = np.argsort(lengths, kind="stable")
    starts = np.flatnonzero(np.diff(lengths[order], prepend=-1))
    for rows in np.split(order, starts[1:]) if len(order) else ():
        yield rows, data[ends[rows][:, None] + np.arange(lengths[rows[0]])]


def texts_of(ends: NDArray[np.int32], data: NDArray[np.uint8]) -> pa.Array:
    """The texts again."""
    buffers = [None, pa.py_buffer(ends.tobytes()), pa.py_buffer(data.tobytes())]
    return pa.Array.from_buffers(pa.string(), len(ends) - 1, buffers)


def counts(texts: pa.Array, wanted: NDArray[np.bool_]) -> NDArray[np.int32]:
    """How many bytes of some kinds each text has.

    Examples
    --------
    >>> counts(pa.array(["A1-2", "", "7"]), DIGITS).tolist()
    [2, 0, 1]
    """
    ends, data = flat(texts)
    return np.diff(_before(wanted[data])[ends])


def byte_at(texts: pa.Array, place: int) -> NDArray[np.uint8]:
    """The byte at a place of each text; 0 where it is shorter."""
    ends, data = flat(texts)
    if not len(data):
        return np.zeros(len(texts), np.uint8)
    there = np.diff(ends) > place
    return np.asarray(data[np.where(there, ends[:-1] + np.int32(place), 0)] * there)


def kept(texts: pa.Array, wanted: NDArray[np.bool_]) -> pa.Array:
    """The texts with bytes of some kinds only.

    Examples
    --------
    >>> kept(pa.array(["A1-2", "", "7"]), DIGITS).to_pylist()
    ['12', '', '7']
    """
    ends, data = flat(texts)
    keep = wanted[data]
    return texts_of(_before(keep)[ends], data[keep])


def _before(found: NDArray[np.bool_]) -> NDArray[np.int32]:
    """How many were found before each place, and at the end."""
    sums = np.zeros(len(found) + 1, np.int32)
    np.cumsum(found.view(np.int8), dtype=np.int32, out=sums[1:])
    return sums


def numbers_as_texts(numbers: NDArray[np.uint64], width: int) -> pa.Array:
    """Whole numbers with leading zeros, all of one width.

    Examples
    --------
    >>> numbers_as_texts(np.array([7, 42], np.uint64), 3).to_pylist()
    ['007', '042']
    """
    digits = np.empty((width, len(numbers)), np.uint8)
    left = numbers.astype(np.uint32) if width < 10 else numbers
    for place in range(width - 1, -1, -1):
        left, digit = np.divmod(left, left.dtype.type(10))
        digits[place] = digit
    ends = np.arange(len(numbers) + 1, dtype=np.int32) * np.int32(width)
    return texts_of(ends, digits.T.ravel() + np.uint8(ZERO))


def base32(cells: NDArray[np.uint8]) -> pa.Array:
    """Rows of bytes as texts of a to z and 2 to 7, five bits a character (RFC 4648, no padding).

    Examples
    --------
    >>> base32(np.frombuffer(b"hello.", np.uint8).reshape(1, -1)).to_pylist()
    ['nbswy3dpfy']
    """
    width = -(-cells.shape[1] * 8 // 5)
    padded = np.zeros((cells.shape[1] + 1, len(cells)), np.uint8)
    padded[:-1] = cells.T
    letters = np.empty((width, len(cells)), np.uint8)
    for place in range(width):
        byte, bit = divmod(place * 5, 8)
        left, right = padded[byte], padded[byte + 1]
        bits = left >> (3 - bit) if bit < 4 else left << (bit - 3) | right >> (11 - bit)
        letters[place] = LETTERS[bits & 31]
    ends = np.arange(len(cells) + 1, dtype=np.int32) * np.int32(width)
    return texts_of(ends, letters.T.ravel())


def with_digits(written: pa.Array, digits: pa.Array) -> pa.Array:
    """The marks as written, with other digits, as many for each text as it had.

    Examples
    --------
    >>> with_digits(pa.array(["12-3", "(4)"]), pa.array(["789", "0"])).to_pylist()
    ['78-9', '(0)']
    """
    ends, data = flat(written)
    data = data.copy()
    data[(data >= ZERO) & (data <= NINE)] = flat(digits)[1]
    return texts_of(ends, data)
