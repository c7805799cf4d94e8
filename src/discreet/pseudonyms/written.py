"""Texts of a column as one array of bytes, so that characters change without a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from numpy.typing import NDArray

ZERO, NINE = ord("0"), ord("9")


def flat(texts: pa.Array) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Where each text starts and ends, and the bytes of all. There must be no missing text."""
    _, offsets, data = texts.buffers()
    size = len(texts) + 1
    ends = np.frombuffer(offsets, np.int32, size, texts.offset * 4) if len(texts) else np.zeros(1)
    first, last = int(ends[0]), int(ends[-1])
    held = np.frombuffer(data, np.uint8, last) if data and last else np.zeros(0, np.uint8)
    return (ends - first).astype(np.int32), held[first:last]


def texts_of(ends: NDArray[np.int32], data: NDArray[np.uint8]) -> pa.Array:
    """The texts again."""
    buffers = [None, pa.py_buffer(ends.tobytes()), pa.py_buffer(data.tobytes())]
    return pa.Array.from_buffers(pa.string(), len(ends) - 1, buffers)


def numbers_as_texts(numbers: NDArray[np.uint64], width: int) -> pa.Array:
    """Whole numbers with leading zeros, all of one width.

    Examples
    --------
    >>> numbers_as_texts(np.array([7, 42], np.uint64), 3).to_pylist()
    ['007', '042']
    """
    digits = np.empty((len(numbers), width), np.uint8)
    left = numbers
    for place in range(width - 1, -1, -1):
        left, digit = np.divmod(left, np.uint64(10))
        digits[:, place] = digit
    ends = np.arange(len(numbers) + 1, dtype=np.int32) * np.int32(width)
    return texts_of(ends, digits.ravel() + np.uint8(ZERO))


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
