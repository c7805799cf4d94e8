"""The different identifiers of a column as texts: pseudonyms are made once for each."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from discreet.errors import PseudonymKindError

_TEXT_OR_WHOLE = "Pseudonyms are for texts and whole numbers; turn it into text first."


@dataclass(frozen=True, eq=False, repr=False)
class Distinct:
    """The texts of a column, and for each row which of them it has (null where missing)."""

    texts: pa.Array
    codes: pa.Array
    type: pa.DataType

    @classmethod
    def of(cls, values: pa.Array | pa.ChunkedArray, column: str) -> Distinct:
        """The different texts of a column of texts or whole numbers; an empty text is missing."""
        if isinstance(values, pa.ChunkedArray):
            values = values.unify_dictionaries().combine_chunks()
        if isinstance(values, pa.ChunkedArray):
            values = pa.concat_arrays(values.chunks)
        if pa.types.is_null(values.type):
            values = values.cast(pa.string())
        given = pa.types.is_dictionary(values.type)
        kind = values.type.value_type if given else values.type
        if not (_is_text(kind) or pa.types.is_integer(kind)):
            raise PseudonymKindError(column, f"it is of type {kind}", _TEXT_OR_WHOLE)
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
        """The rows with other texts, in the type of the column; whole numbers become 64-bit."""
        rows = new.take(self.codes)
        if self.whole_numbers:
            return rows.cast(pa.int64()) if keeps_type else rows
        return rows.cast(self.type)

    @property
    def whole_numbers(self) -> bool:
        """Whether the column is of numbers and not of texts."""
        return bool(pa.types.is_integer(self.type))


def _coded_again(codes: pa.Array, texts: pa.Array) -> pa.DictionaryArray:
    """Blanks as missing; a dictionary that came with the data may have repeats or unused values."""
    blank = pc.equal(texts, "")
    return pc.if_else(blank, pa.scalar(None, pa.string()), texts).take(codes).dictionary_encode()


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
