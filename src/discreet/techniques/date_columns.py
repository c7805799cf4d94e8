"""Columns of dates as days that can be computed with, and back into what they were."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import HierarchySpecError, ParameterError, TechniqueColumnError
from discreet.hierarchy.date_formats import compile_format, precision_of
from discreet.techniques.arrow_rows import column_of, present
from discreet.techniques.date_texts import DAY_PARTS, Writing, read_texts, split_times
from discreet.techniques.number_columns import is_text

if TYPE_CHECKING:
    from discreet.techniques.arrow_rows import Flags, Ints

CALENDAR = (-719_162, 2_932_896)
"""The days of the years 1 to 9999."""
NANOSECONDS = (-106_751, 106_750)
"""The days that have a number of nanoseconds in 64 bits."""
_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


@dataclass(frozen=True, eq=False, repr=False)
class DateColumn:
    """One column: `days` since 1970, 0 where missing; times of day stay with the rows."""

    technique: str
    name: str
    days: Ints
    there: Flags
    found: pa.Array
    writing: Writing | None = None
    rests: pa.Array | None = None

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last day that the column can hold."""
        if self.writing is not None:
            return self.writing.span
        nano = pa.types.is_timestamp(self.found.type) and self.found.type.unit == "ns"
        return NANOSECONDS if nano else CALENDAR

    @property
    def offsets(self) -> int:
        """How many different offsets from UTC the times in the texts have."""
        if self.rests is None:
            return 0
        found = pc.extract_regex(self.rests.unique(), pattern=r"(?P<offset>[+-]\d\d:?(?:\d\d)?)$")
        return len(pc.struct_field(found, "offset").drop_null().unique())

    def back(self, days: Ints) -> pa.Array:
        """Other days as the column had them, each with its time; missing stays missing."""
        least, most = self.span
        outside = int(np.count_nonzero(self.there & ((days < least) | (days > most))))
        if outside:
            what = f"would get {outside:,} dates that it cannot hold ({_calendar(least, most)})"
            raise TechniqueColumnError(self.technique, self.name, what, "Move them by less.")
        days = np.where(self.there, days, 0)
        if not self.there.any():
            return self.found
        return self._texts(days) if self.writing else self._moved(days - self.days)

    def _texts(self, days: Ints) -> pa.Array:
        different, codes = np.unique(days, return_inverse=True)
        assert self.writing is not None  # only asked of texts
        new = self.writing.texts(different).cast(self.found.type).take(pa.array(codes))
        if self.rests is not None:
            nothing = pa.scalar("", self.found.type)
            new = pc.binary_join_element_wise(new, self.rests, nothing)
        return self._kept(new)

    def _moved(self, by: Ints) -> pa.Array:
        kind = self.found.type
        clock = pc.local_timestamp(self.found) if getattr(kind, "tz", None) else self.found
        width = pa.int32() if pa.types.is_date32(kind) else pa.int64()
        raw = clock.cast(width).fill_null(0)
        new = pc.add(raw, pa.array(by * _per_day(kind), width)).cast(clock.type)
        if getattr(kind, "tz", None):
            new = pc.assume_timezone(new, kind.tz, ambiguous="earliest", nonexistent="latest")
        return self._kept(new)

    def _kept(self, new: pa.Array) -> pa.Array:
        return new if self.there.all() else pc.if_else(pa.array(self.there), new, self.found)


def date_column(technique: str, rows: pa.Table, name: str, form: str | None = None) -> DateColumn:
    """A column as dates, or an error that says why it is not one of dates."""
    found = column_of(rows, name)
    kind = found.type
    if is_text(kind):
        return _from_text(technique, name, found, form)
    if pa.types.is_null(kind):
        none = np.zeros(len(found), np.int64)
        return DateColumn(technique, name, none, none.astype(np.bool_), found)
    if not (pa.types.is_date(kind) or pa.types.is_timestamp(kind)):
        what = f"holds {kind}, not dates"
        raise TechniqueColumnError(technique, name, what, "Name a column of dates.")
    clock = pc.local_timestamp(found) if getattr(kind, "tz", None) else found
    raw = clock.cast(pa.int32() if pa.types.is_date32(kind) else pa.int64()).fill_null(0)
    days = raw.to_numpy(zero_copy_only=False).astype(np.int64) // _per_day(kind)
    return DateColumn(technique, name, days, present(found), found)


def check_formats(owner: str, columns: tuple[str, ...], formats: Any) -> None:
    """Stop unless `formats` gives a format of days for some of the columns."""
    if not isinstance(formats, Mapping) or not set(formats) <= set(columns):
        raise ParameterError(owner, "formats", "a format for some of the columns")
    if not all(_is_format(form) for form in formats.values()):
        raise ParameterError(
            owner, "formats", "made of year, month and day, such as %d.%m.%Y (times are kept)"
        )


def _is_format(form: object) -> bool:
    try:
        pattern = compile_format(form)  # type: ignore[arg-type]
    except HierarchySpecError:
        return False
    parts = {part[:1] for part in str(form).split("%")[1:]}
    return precision_of(pattern) == "day" and parts <= DAY_PARTS


def _from_text(technique: str, name: str, found: pa.Array, form: str | None) -> DateColumn:
    """Each different text is split once, and each different date read once."""
    coded = found.dictionary_encode()
    trimmed = pc.utf8_trim_whitespace(coded.dictionary)
    blank = np.append(np.asarray(pc.equal(trimmed, "").to_numpy(zero_copy_only=False)), True)
    dates, rests = split_times(trimmed)
    each = dates.filter(pa.array(~blank[:-1])).dictionary_encode()
    days, writing = read_texts(technique, name, each.dictionary.to_pylist(), form)
    per_text = np.zeros(len(blank), np.int64)
    per_text[~blank] = days[np.asarray(each.indices)]
    places = np.asarray(coded.indices.fill_null(len(trimmed)).to_numpy(zero_copy_only=False))
    timed = pc.any(pc.not_equal(rests, "")).as_py()
    rest = rests.take(coded.indices) if timed else None
    return DateColumn(technique, name, per_text[places], ~blank[places], found, writing, rest)


def _per_day(kind: pa.DataType) -> int:
    if pa.types.is_date32(kind):
        return 1
    return 86_400 * (_UNITS["ms"] if pa.types.is_date64(kind) else _UNITS[kind.unit])


def _calendar(least: int, most: int) -> str:
    first, last = (np.datetime64(day, "D") for day in (least, most))
    return f"{first} to {last}"
