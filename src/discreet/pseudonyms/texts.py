"""Texts of a column as one array of bytes, so that characters change without a loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import PseudonymError

if TYPE_CHECKING:
    from numpy.typing import NDArray


ZERO, NINE = ord("0"), ord("9")
LETTERS = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz234567", np.uint8)
"""Those of base 32."""


def mark_bytes(said: str) -> NDArray[np.bool_]:
    """Which bytes are among some characters of ASCII."""
    table = np.zeros(256, bool)
    table[list(said.encode("ascii"))] = True
    return table


DIGITS = mark_bytes("0123456789")


def flatten_texts(texts: pa.Array) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Where each text starts and ends, and the bytes of all. There must be no missing text."""
    _, offsets, data = texts.buffers()
    size = len(texts) + 1
    ends = np.frombuffer(offsets, np.int32, size, texts.offset * 4) if len(texts) else np.zeros(1)
    first, last = int(ends[0]), int(ends[-1])
    held = np.frombuffer(data, np.uint8, last) if data and last else np.zeros(0, np.uint8)
    return (ends - first).astype(np.int32), held[first:last]


def group_by_length(
    texts: pa.Array,
) -> Iterator[tuple[NDArray[np.int64] | slice, NDArray[np.uint8]]]:
    """The bytes of texts, a row each, those of one length together; and which texts these are.

    Examples
    --------
    >>> [cells.tolist() for _, cells in group_by_length(pa.array(["a", "bcd", "e"]))]
    [[[97], [101]], [[98, 99, 100]]]
    """
    ends, data = flatten_texts(texts)
    lengths = np.diff(ends)
    if len(lengths) and lengths[0] and (lengths == lengths[0]).all():
        yield slice(None), data.reshape(-1, lengths[0])
        return
    order = np.argsort(lengths, kind="stable")
    starts = np.flatnonzero(np.diff(lengths[order], prepend=-1))
    for rows in np.split(order, starts[1:]) if len(order) else ():
        yield rows, data[ends[rows][:, None] + np.arange(lengths[rows[0]])]


def build_texts(ends: NDArray[np.int32], data: NDArray[np.uint8]) -> pa.Array:
    """The texts again."""
    buffers = [None, pa.py_buffer(ends.tobytes()), pa.py_buffer(data.tobytes())]
    return pa.Array.from_buffers(pa.string(), len(ends) - 1, buffers)


def count_bytes(texts: pa.Array, wanted: NDArray[np.bool_]) -> NDArray[np.int32]:
    """How many bytes of some kinds each text has.

    Examples
    --------
    >>> count_bytes(pa.array(["A1-2", "", "7"]), DIGITS).tolist()
    [2, 0, 1]
    """
    ends, data = flatten_texts(texts)
    return np.diff(_count_before(wanted[data])[ends])


def read_byte_at(texts: pa.Array, place: int) -> NDArray[np.uint8]:
    """The byte at a position of each text; 0 if the text is shorter."""
    ends, data = flatten_texts(texts)
    if not len(data):
        return np.zeros(len(texts), np.uint8)
    there = np.diff(ends) > place
    return np.asarray(data[np.where(there, ends[:-1] + np.int32(place), 0)] * there)


def keep_bytes(texts: pa.Array, wanted: NDArray[np.bool_]) -> pa.Array:
    """The texts with bytes of some kinds only.

    Examples
    --------
    >>> keep_bytes(pa.array(["A1-2", "", "7"]), DIGITS).to_pylist()
    ['12', '', '7']
    """
    ends, data = flatten_texts(texts)
    keep = wanted[data]
    return build_texts(_count_before(keep)[ends], data[keep])


def _count_before(found: NDArray[np.bool_]) -> NDArray[np.int32]:
    """How many were found before each place, and at the end."""
    sums = np.zeros(len(found) + 1, np.int32)
    np.cumsum(found.view(np.int8), dtype=np.int32, out=sums[1:])
    return sums


def write_numbers(numbers: NDArray[np.uint64], width: int) -> pa.Array:
    """Whole numbers with leading zeros, all of one width.

    Examples
    --------
    >>> write_numbers(np.array([7, 42], np.uint64), 3).to_pylist()
    ['007', '042']
    """
    digits = np.empty((width, len(numbers)), np.uint8)
    left = numbers.astype(np.uint32) if width < 10 else numbers
    for place in range(width - 1, -1, -1):
        left, digit = np.divmod(left, left.dtype.type(10))
        digits[place] = digit
    ends = np.arange(len(numbers) + 1, dtype=np.int32) * np.int32(width)
    return build_texts(ends, digits.T.ravel() + np.uint8(ZERO))


def encode_base32(cells: NDArray[np.uint8]) -> pa.Array:
    """Rows of bytes as texts of a to z and 2 to 7, five bits a character (RFC 4648, no padding).

    Examples
    --------
    >>> encode_base32(np.frombuffer(b"hello.", np.uint8).reshape(1, -1)).to_pylist()
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
    return build_texts(ends, letters.T.ravel())


def replace_digits(written: pa.Array, digits: pa.Array) -> pa.Array:
    """The marks as written, with equally many other digits in each text.

    Examples
    --------
    >>> replace_digits(pa.array(["12-3", "(4)"]), pa.array(["789", "0"])).to_pylist()
    ['78-9', '(0)']
    """
    ends, data = flatten_texts(written)
    data = data.copy()
    data[(data >= ZERO) & (data <= NINE)] = flatten_texts(digits)[1]
    return build_texts(ends, data)


# The different identifiers of a column as texts: pseudonyms are made once for each.


_TEXT_OR_WHOLE = "Pseudonyms are for texts and whole numbers; turn it into text first."
_FEW = 1 << 18


@dataclass(frozen=True, eq=False, repr=False)
class Distinct:
    """The texts of a column, and for each row which of them it has (null where missing)."""

    texts: pa.Array
    codes: pa.Array
    type: pa.DataType

    @classmethod
    def of(cls, values: pa.Array | pa.ChunkedArray, column: str) -> Distinct:
        """The different texts of a column of texts or whole numbers; an empty text is missing."""
        kind = require_kind(values.type, column)
        if isinstance(values, pa.ChunkedArray):
            values = values.unify_dictionaries().combine_chunks()
        if isinstance(values, pa.ChunkedArray):
            values = pa.concat_arrays(values.chunks)
        given = pa.types.is_dictionary(values.type)
        if not given and (pa.types.is_null(values.type) or _is_view(kind)):
            values = values.cast(pa.string())
        coded = values if given else values.dictionary_encode()
        texts = coded.dictionary.cast(pa.string())
        if given or pc.any(pc.equal(texts, "")).as_py():
            coded = _encode_again(coded.indices, texts)
        return cls(coded.dictionary.cast(pa.string()), coded.indices, kind)

    @property
    def missing(self) -> int:
        """How many rows have no value."""
        return int(self.codes.null_count)

    def column_of(self, new: pa.Array, keeps_type: bool) -> pa.Array:
        """The rows with other texts: text, or whole numbers of 64 bits as the column was."""
        return new.take(self.codes).cast(choose_type(self.type, keeps_type))

    @property
    def whole_numbers(self) -> bool:
        """Whether the column is of numbers and not of texts."""
        return bool(pa.types.is_integer(self.type))


class Gathering:
    """The different texts of a column that comes in parts; its rows are not held."""

    def __init__(self, kind: pa.DataType, column: str) -> None:
        self._kind, self._column = require_kind(kind, column), column
        self._texts, self._held, self._most = [pa.array([], pa.string())], 0, _FEW

    def add(self, part: pa.Array) -> None:
        """Take the texts of further rows in; now and then those that came twice are dropped."""
        self._texts.append(Distinct.of(part, self._column).texts)
        self._held += len(self._texts[-1])
        if self._held > self._most:
            self._texts = [pa.chunked_array(self._texts).unique()]
            self._held = len(self._texts[0])
            self._most = max(_FEW, 2 * self._held)

    def done(self) -> Distinct:
        """The different texts of all rows, without the rows."""
        texts = pa.chunked_array(self._texts).unique()
        return Distinct(texts, pa.nulls(0, pa.int32()), self._kind)


def require_kind(kind: pa.DataType, column: str) -> pa.DataType:
    """The type of the values of a column; refused if they are neither texts nor whole numbers."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_null, _is_view)
    if not (pa.types.is_integer(kind) or any(test(kind) for test in texts)):
        raise PseudonymError("", f"it is of type {kind}", _TEXT_OR_WHOLE, column=column)
    return kind


def choose_type(kind: pa.DataType, keeps_type: bool) -> pa.DataType:
    """The type of the pseudonyms of a column."""
    return pa.int64() if keeps_type and pa.types.is_integer(kind) else pa.string()


def _encode_again(codes: pa.Array, texts: pa.Array) -> pa.DictionaryArray:
    """Blanks as missing; a dictionary that came with the data may have repeats or unused values."""
    blank = pc.equal(texts, "")
    return pc.if_else(blank, pa.scalar(None, pa.string()), texts).take(codes).dictionary_encode()


def _is_view(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string_view(kind))
