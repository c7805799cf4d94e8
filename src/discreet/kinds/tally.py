"""Counts the rows whose values have some form, a batch of rows at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.kinds.recognizer import MISSING_MARKS
from discreet.table.row_sample import make_arrow_texts, read_arrow_numbers

Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]
Forms = Mapping[str, str]
"""Regular expressions by the name of what they tell."""
Reader = Callable[[pa.Array, Ints], Counter[str]]
"""Counts the rows of different values, given how often each occurs."""

HIDDEN = make_arrow_texts(("*", "", *MISSING_MARKS))
"""Marks of values that were removed or are not known."""


def count_readings(column: pa.Array, reader: Reader) -> Counter[str]:
    """What a reader finds in one batch of a column, in rows; missing and ``*`` are no values."""
    found = column.drop_null().value_counts()
    return read_counted(found.field("values"), found.field("counts"), reader)


def read_counted(values: pa.Array, rows: pa.Array, reader: Reader) -> Counter[str]:
    """What a reader finds in different values, given the rows that have each."""
    values = pc.utf8_trim_whitespace(values.cast(pa.string()))
    there = pc.fill_null(pc.invert(pc.is_in(values, value_set=HIDDEN)), False)
    there = pc.and_(there, pc.is_valid(values))
    return reader(values.filter(there), read_arrow_numbers(rows.filter(there)))


def match_form(values: pa.Array, form: str) -> Flags:
    """Which values have a form, as a whole and in any case."""
    if not len(values):  # to read the form takes longer than most columns
        return np.zeros(0, np.bool_)
    return make_flags(pc.match_substring_regex(values, f"(?i)^(?:{form})$"))


def make_flags(found: pa.Array) -> Flags:
    """Truths as an array; what is missing is false."""
    return np.asarray(pc.fill_null(found, False).to_numpy(zero_copy_only=False), dtype=np.bool_)


def count_first_forms(values: pa.Array, counts: Ints, forms: Forms) -> Counter[str]:
    """Rows by the first form that their value has; the rest are ``other``."""
    found: Counter[str] = Counter()
    for name, form in forms.items():
        these = match_form(values, form)
        found[name] += int(counts[these].sum())
        values, counts = values.filter(pa.array(~these)), counts[~these]
    found["other"] += int(counts.sum())
    return found
