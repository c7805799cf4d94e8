"""The different identifiers of a column as texts: pseudonyms are made once for each."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import PseudonymKindError

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
        kind = kind_of(values.type, column)
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
            coded = _coded_again(coded.indices, texts)
        return cls(coded.dictionary.cast(pa.string()), coded.indices, kind)

    @property
    def missing(self) -> int:
        """How many rows have no value."""
        return int(self.codes.null_count)

    def column_of(self, new: pa.Array, keeps_type: bool) -> pa.Array:
        """The rows with other texts: text, or whole numbers of 64 bits as the column was."""
        return new.take(self.codes).cast(type_of(self.type, keeps_type))

    @property
    def whole_numbers(self) -> bool:
        """Whether the column is of numbers and not of texts."""
        return bool(pa.types.is_integer(self.type))


class Gathering:
    """The different texts of a column that comes in parts; its rows are not held."""

    def __init__(self, kind: pa.DataType, column: str) -> None:
        self._kind, self._column = kind_of(kind, column), column
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


def kind_of(kind: pa.DataType, column: str) -> pa.DataType:
    """The type of the values of a column; refused if they are neither texts nor whole numbers."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_null, _is_view)
    if not (pa.types.is_integer(kind) or any(test(kind) for test in texts)):
        raise PseudonymKindError(column, f"it is of type {kind}", _TEXT_OR_WHOLE)
    return kind


def type_of(kind: pa.DataType, keeps_type: bool) -> pa.DataType:
    """The type of the pseudonyms of a column."""
    return pa.int64() if keeps_type and pa.types.is_integer(kind) else pa.string()


def _coded_again(codes: pa.Array, texts: pa.Array) -> pa.DictionaryArray:
    """Blanks as missing; a dictionary that came with the data may have repeats or unused values."""
    blank = pc.equal(texts, "")
    return pc.if_else(blank, pa.scalar(None, pa.string()), texts).take(codes).dictionary_encode()


def _is_view(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string_view(kind))
