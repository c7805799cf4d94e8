"""Columns whose values have an order: numbers, dates and times."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.errors import TechniqueColumnError
from discreet.techniques.arrow_rows import Floats, Ints
from discreet.techniques.number_columns import NUMBER

DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
MICROSECONDS = 86_400e6
"""Of a day."""


def numbers_of(owner: str, column: str, values: pa.Array) -> Floats:
    """A number for each value that keeps their order (dates in days); NaN where missing.

    Texts are read as numbers, or else as dates written 2001-05-31; other columns are refused, and
    so are codes such as 02138, whose first zero says that they are no numbers.
    """
    found = ordered_numbers(values)
    if found is None:
        raise TechniqueColumnError(
            owner,
            column,
            "holds values without an order",
            "Name a column of numbers, or of dates written like 2001-05-31.",
        )
    return found


def ordered_numbers(values: pa.Array) -> Floats | None:
    """As `numbers_of`, but None for a column without an order."""
    kind = values.type
    if values.null_count == len(values):
        return np.full(len(values), np.nan)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _from_text(values)
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        values = values.cast(pa.timestamp("us", tz=getattr(kind, "tz", None)), safe=False)
        return _floats(values.cast(pa.int64())) / MICROSECONDS
    if pa.types.is_time(kind) or pa.types.is_duration(kind):
        return _floats(values.cast(pa.int32() if kind.bit_width == 32 else pa.int64()))
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return _floats(values)
    return None


def random_order(numbers: Floats, rng: np.random.Generator) -> Ints:
    """The places of the numbers from the smallest to the largest; ties in random order."""
    mixed = rng.permutation(len(numbers))
    return np.asarray(mixed[np.argsort(numbers[mixed], kind="stable")], dtype=np.int64)


def _from_text(values: pa.Array) -> Floats | None:
    """Each different text is read once."""
    coded = values.dictionary_encode()
    trimmed = pc.utf8_trim_whitespace(coded.dictionary)
    number = pc.all(pc.match_substring_regex(trimmed, NUMBER)).as_py()
    if not number and not pc.all(pc.match_substring_regex(trimmed, DATE)).as_py():
        return None
    try:
        numbers = _floats(trimmed.cast(pa.float64() if number else pa.date32()))
    except pa.ArrowInvalid:
        return None
    places = coded.indices.fill_null(len(numbers)).to_numpy(zero_copy_only=False)
    return np.asarray(np.append(numbers, np.nan)[places])


def _floats(values: pa.Array) -> Floats:
    values = values.cast(pa.int32()) if pa.types.is_date32(values.type) else values
    numbers = values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return np.asarray(numbers, dtype=np.float64)
