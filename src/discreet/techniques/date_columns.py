"""Columns of dates as days that can be computed with, and back into what they were."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import HierarchyError, ParameterError, TechniqueError
from discreet.hierarchy.date_formats import (
    FINENESS,
    MONTHS,
    TIME,
    compile_format,
    decide_formats,
    find_precision,
)
from discreet.hierarchy.dates import Dates
from discreet.hierarchy.refusals import AmbiguousDatesError, UnreadableValuesError
from discreet.techniques.arrow_rows import mark_present, take_column
from discreet.techniques.number_columns import is_text

if TYPE_CHECKING:
    from discreet.techniques.arrow_rows import Flags, Ints


# Dates in texts: read as hierarchies of dates read them, and written in one format again.


PIVOT = 30
"""Two-digit years from here on belong to the 1900s, as in the hierarchies of dates."""
DAY_PARTS = frozenset("YymdbB")
"""The directives of a format of dates; a time after the date is no part of it."""
_SPLIT = f"(?s)^(?P<date>.*?)(?P<rest>{TIME})$"
ISO = "%Y-%m-%d"
"""How dates are written again that were in several formats."""
Formats = str | tuple[str, ...]


@dataclass(frozen=True)
class Writing:
    """How a column writes its dates: the format, leading zeros, the names of the months."""

    form: str
    day_zero: bool
    month_zero: bool
    months: tuple[str, ...]

    def texts(self, days: Ints) -> pa.Array:
        """Days since 1970 as texts."""
        date = days.astype("datetime64[D]")
        month = date.astype("datetime64[M]").astype(np.int64)
        years = month // 12 + 1970
        day = (date - date.astype("datetime64[M]")).astype(np.int64) + 1
        made = {
            "Y": lambda: _pad_zeros(years, 4),
            "y": lambda: _pad_zeros(years % 100, 2),
            "m": lambda: _pad_zeros(month % 12 + 1, 2 if self.month_zero else 1),
            "d": lambda: _pad_zeros(day, 2 if self.day_zero else 1),
            "b": lambda: pa.array(self.months).take(pa.array(month % 12)),
        }
        parts = re.split(r"%(.)", self.form.replace("%B", "%b"))
        pieces = [made[p]() if place % 2 else pa.scalar(p) for place, p in enumerate(parts)]
        return pc.binary_join_element_wise(*pieces, "")

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last day that can be written so."""
        years = (1930, 2030) if "%y" in self.form else (1, 10_000)
        first, after = (int(np.datetime64(f"{y:04}-01-01", "D").astype(np.int64)) for y in years)
        return first, after - 1


def split_times(texts: pa.Array) -> tuple[pa.Array, pa.Array]:
    """The date and the time after it, which is empty if there is none, of each text."""
    parts = pc.extract_regex(texts, pattern=_SPLIT)
    return pc.struct_field(parts, "date"), pc.struct_field(parts, "rest")


def read_texts(
    technique: str, column: str, texts: Sequence[str], form: Formats | None
) -> tuple[Ints, Writing, int]:
    """Different dates without times as days since 1970, how they are written, and their formats.

    Several formats are read side by side where no date could be two days; then all dates are
    written in one way, since a cell that kept its own would tell where it comes from.
    """
    try:
        read = Dates(("day",), format=form, pivot=PIVOT, others="group").read(column, texts)
    except AmbiguousDatesError as error:
        raise _make_ambiguous_error(technique, column, error, len(texts)) from None
    except UnreadableValuesError:
        raise _make_contrary_error(technique, column, texts) from None
    if read.wrong.any():
        wanted = f"dates in the format {form}" if isinstance(form, str) else "dates in any format"
        wanted += " given" if isinstance(form, tuple) else "" if form else " known"
        what = f"has {read.unread:,} of {len(texts):,} different dates that are not {wanted}"
        raise TechniqueError(technique, column, what, _CORRECT)
    formats = [form for form, dates in read.formats.items() if dates]
    if "%Y%m%d" in formats:
        wrong = sum(text.strip().isdigit() and len(text.strip()) != 8 for text in texts)
        if wrong:
            what = f"has {wrong:,} of {len(texts):,} different dates that are not eight digits"
            raise TechniqueError(technique, column, what, _CORRECT)
    coarse = int(np.count_nonzero(read.precision))
    if coarse == len(texts) and coarse:
        what = f"tells the {FINENESS[int(read.precision.max())]} only"
        raise TechniqueError(technique, column, what, "Name columns of days, or times.")
    if coarse:
        what = f"has {coarse:,} of {len(texts):,} different dates without a day"
        raise TechniqueError(technique, column, what, _CORRECT)
    if len(formats) > 1:
        return read.days, Writing(ISO, True, True, ()), len(formats)
    return read.days, _find_writing(texts, formats[0] if formats else ISO), 1


_CORRECT = "Correct those values, or name them as words for missing."


def _make_ambiguous_error(
    technique: str, column: str, error: AmbiguousDatesError, of: int
) -> TechniqueError:
    what = (
        f"has {error.dates:,} of {of:,} different dates that fit {' and '.join(error.formats)}, "
        "which disagree on day and month"
    )
    named = [f"'{form}'" for form in (*error.others, error.formats[0])]
    written = named[0] if len(named) == 1 else f"[{', '.join(named)}]"
    fix = f"Say which it is: formats: {{{column}: {written}}}."
    return TechniqueError(technique, column, what, fix)


def _make_contrary_error(technique: str, column: str, texts: Sequence[str]) -> TechniqueError:
    found = decide_formats(texts, PIVOT).contrary
    formats = " and ".join(form for one in found for form in one.formats)
    what = (
        f"has {sum(one.dates for one in found):,} of {len(texts):,} different dates in {formats}, "
        "some only with the day first and some only with the month first"
    )
    return TechniqueError(technique, column, what, "Write them in one format.")


def _find_writing(texts: Sequence[str], form: str) -> Writing:
    """One way for the whole column: a cell that kept its own would tell of its old value."""
    pattern = compile_format(form)
    found = [match for match in map(pattern.fullmatch, texts) if match]
    names = [match["b"] for match in found] if "b" in pattern.groupindex else []
    months = MONTHS if any(len(name) > 4 for name in names) else [name[:3] for name in MONTHS]
    if names and all(name.isupper() for name in names):
        months = [name.upper() for name in months]
    elif names and all(name.islower() for name in names):
        months = [name.lower() for name in months]
    if any(match.string[match.end("b") :][:1] == "." for match in found if names):
        months = [f"{name}." for name in months]
    day, month = _has_zeros(found, "d"), _has_zeros(found, "m")
    day, month = month if day is None else day, day if month is None else month
    return Writing(form, day is not False, month is not False, tuple(months))


def _has_zeros(found: Sequence[re.Match[str]], part: str) -> bool | None:
    """Whether numbers below ten have a zero before them; None if there are none to see it by."""
    if not found or part not in found[0].re.groupindex:
        return None
    small = {match[part] for match in found if int(match[part]) < 10}
    return any(text[0] == "0" for text in small) if small else None


def _pad_zeros(numbers: Ints, width: int) -> pa.Array:
    return pc.utf8_lpad(pa.array(numbers).cast(pa.string()), width=width, padding="0")


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
    formats: int = 1

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
            what = f"would get {outside:,} dates that it cannot hold ({_format_days(least, most)})"
            raise TechniqueError(self.technique, self.name, what, "Move them by less.")
        days = np.where(self.there, days, 0)
        if not self.there.any():
            return self.found
        return self._write_texts(days) if self.writing else self._move_dates(days - self.days)

    def _write_texts(self, days: Ints) -> pa.Array:
        different, codes = np.unique(days, return_inverse=True)
        assert self.writing is not None  # only asked of texts
        new = self.writing.texts(different).cast(self.found.type).take(pa.array(codes))
        if self.rests is not None:
            nothing = pa.scalar("", self.found.type)
            new = pc.binary_join_element_wise(new, self.rests, nothing)
        return self._restore_missing(new)

    def _move_dates(self, by: Ints) -> pa.Array:
        kind = self.found.type
        clock = pc.local_timestamp(self.found) if getattr(kind, "tz", None) else self.found
        width = pa.int32() if pa.types.is_date32(kind) else pa.int64()
        raw = clock.cast(width).fill_null(0)
        new = pc.add(raw, pa.array(by * _count_per_day(kind), width)).cast(clock.type)
        if getattr(kind, "tz", None):
            new = pc.assume_timezone(new, kind.tz, ambiguous="earliest", nonexistent="latest")
        return self._restore_missing(new)

    def _restore_missing(self, new: pa.Array) -> pa.Array:
        return new if self.there.all() else pc.if_else(pa.array(self.there), new, self.found)


def read_date_column(
    technique: str, rows: pa.Table, name: str, form: Formats | None = None
) -> DateColumn:
    """A column as dates, or an error that says why it is not one of dates."""
    found = take_column(rows, name)
    kind = found.type
    if is_text(kind):
        return _read_from_text(technique, name, found, form)
    if pa.types.is_null(kind):
        none = np.zeros(len(found), np.int64)
        return DateColumn(technique, name, none, none.astype(np.bool_), found)
    if not (pa.types.is_date(kind) or pa.types.is_timestamp(kind)):
        what = f"holds {kind}, not dates"
        raise TechniqueError(technique, name, what, "Name a column of dates.")
    clock = pc.local_timestamp(found) if getattr(kind, "tz", None) else found
    raw = clock.cast(pa.int32() if pa.types.is_date32(kind) else pa.int64()).fill_null(0)
    days = raw.to_numpy(zero_copy_only=False).astype(np.int64) // _count_per_day(kind)
    return DateColumn(technique, name, days, mark_present(found), found)


def check_formats(
    owner: str, columns: tuple[str, ...], formats: Any
) -> dict[str, str | tuple[str, ...]]:
    """The formats of days of some of the columns, one or several each; or an error."""
    if not isinstance(formats, Mapping) or not set(formats) <= set(columns):
        raise ParameterError(owner, "formats", "a format for some of the columns")
    found = {}
    for name, said in formats.items():
        several = tuple(said) if isinstance(said, list | tuple) else (said,)
        if not several or not all(map(_is_format, several)):
            raise ParameterError(
                owner, "formats", "made of year, month and day, such as %d.%m.%Y (times are kept)"
            )
        found[name] = several if isinstance(said, list | tuple) else said
    return found


def _is_format(form: object) -> bool:
    try:
        pattern = compile_format(form)  # type: ignore[arg-type]
    except HierarchyError:
        return False
    parts = {part[:1] for part in str(form).split("%")[1:]}
    return find_precision(pattern) == "day" and parts <= DAY_PARTS


def _read_from_text(technique: str, name: str, found: pa.Array, form: Formats | None) -> DateColumn:
    """Each different text is split once, and each different date read once."""
    coded = found.dictionary_encode()
    trimmed = pc.utf8_trim_whitespace(coded.dictionary)
    blank = np.append(np.asarray(pc.equal(trimmed, "").to_numpy(zero_copy_only=False)), True)
    dates, rests = split_times(trimmed)
    each = dates.filter(pa.array(~blank[:-1])).dictionary_encode()
    days, writing, formats = read_texts(technique, name, each.dictionary.to_pylist(), form)
    per_text = np.zeros(len(blank), np.int64)
    per_text[~blank] = days[np.asarray(each.indices)]
    places = np.asarray(coded.indices.fill_null(len(trimmed)).to_numpy(zero_copy_only=False))
    timed = pc.any(pc.not_equal(rests, "")).as_py()
    rest = rests.take(coded.indices) if timed else None
    return DateColumn(
        technique, name, per_text[places], ~blank[places], found, writing, rest, formats
    )


def _count_per_day(kind: pa.DataType) -> int:
    if pa.types.is_date32(kind):
        return 1
    return 86_400 * (_UNITS["ms"] if pa.types.is_date64(kind) else _UNITS[kind.unit])


def _format_days(least: int, most: int) -> str:
    first, last = (np.datetime64(day, "D") for day in (least, most))
    return f"{first} to {last}"


# The first and the last day that a column of dates may have.


Day = date | str


def check_days(
    owner: str, columns: tuple[str, ...], domain: Any
) -> dict[str, tuple[str | None, str | None]]:
    """The limits of some of the columns, each day written 2001-05-31; or an error."""
    if not isinstance(domain, Mapping) or not set(domain) <= set(columns):
        raise ParameterError(owner, "domain", "a pair of days for some of the columns")
    found = {column: _read_limits(limits) for column, limits in domain.items()}
    right = {column: limits for column, limits in found.items() if limits is not None}
    if len(right) < len(found):
        wanted = "for each column (first, last) as days like 2001-05-31, or None"
        raise ParameterError(owner, "domain", wanted)
    return right


def check_inside(column: DateColumn, days: Ints, limits: tuple[Day | None, Day | None]) -> None:
    """Stop if any day leaves the domain of its column."""
    first, last = (None if limit is None else _number(str(limit)) for limit in limits)
    outside = np.zeros(len(days), np.bool_)
    if first is not None:
        outside |= days < first
    if last is not None:
        outside |= days > last
    count = int(np.count_nonzero(outside & column.there))
    if count:
        told = " and ".join(
            f"{word} {limit}"
            for word, limit in zip(("from", "to"), limits, strict=True)
            if limit is not None
        )
        of = int(np.count_nonzero(column.there))
        raise TechniqueError(
            column.technique,
            column.name,
            f"would get {count:,} of {of:,} dates that are not {told}",
            "Move them by fewer days, or only back, such as days: [-365, -1]; or widen the domain.",
        )


def _read_limits(limits: object) -> tuple[str | None, str | None] | None:
    if not isinstance(limits, tuple | list) or len(limits) != 2:
        return None
    try:
        first, last = (None if limit is None else _read_day(limit) for limit in limits)
    except (TypeError, ValueError):
        return None
    return (first, last) if first is None or last is None or first <= last else None


def _read_day(limit: object) -> str:
    if isinstance(limit, datetime) or not isinstance(limit, date | str):
        raise TypeError
    return limit.isoformat() if isinstance(limit, date) else date.fromisoformat(limit).isoformat()


def _number(day: str) -> int:
    return int(np.datetime64(day, "D").astype(np.int64))
