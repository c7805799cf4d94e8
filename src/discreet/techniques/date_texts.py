"""Dates in texts: read in the one format of a column, and written in it again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import AmbiguousDatesError, TechniqueColumnError, UnreadableValuesError
from discreet.hierarchy.date_formats import TIME, compile_format, read_format
from discreet.hierarchy.date_levels import MONTHS
from discreet.hierarchy.dates import read_dates

if TYPE_CHECKING:
    from discreet.techniques.arrow_rows import Ints

PIVOT = 30
"""Two-digit years from here on belong to the 1900s, as in the hierarchies of dates."""
DAY_PARTS = frozenset("YymdbB")
"""The directives of a format of dates; a time after the date is no part of it."""
_SPLIT = f"(?s)^(?P<date>.*?)(?P<rest>{TIME})$"
_ONE_FORMAT = "Write all its dates in one format, or make those values missing."


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
            "Y": lambda: _padded(years, 4),
            "y": lambda: _padded(years % 100, 2),
            "m": lambda: _padded(month % 12 + 1, 2 if self.month_zero else 1),
            "d": lambda: _padded(day, 2 if self.day_zero else 1),
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
    technique: str, column: str, texts: Sequence[str], form: str | None
) -> tuple[Ints, Writing]:
    """Different dates without times as days since 1970, and how they are written."""
    try:
        if form is None:
            form, read = read_dates(column, texts, PIVOT)
        else:
            read = read_format(texts, form, PIVOT)
    except AmbiguousDatesError as error:
        what = f"has dates that fit {' and '.join(error.formats)}, which disagree on day and month"
        fix = f"Say which it is: formats: {{{column}: '{error.formats[0]}'}}."
        raise TechniqueColumnError(technique, column, what, fix) from None
    except UnreadableValuesError as error:
        raise _not_read(technique, column, error.unreadable, len(texts), error.wanted) from None
    wrong = int(read.wrong.sum())
    if form == "%Y%m%d" and not wrong:
        wrong = sum(len(text) != 8 for text in texts)
    if wrong:
        raise _not_read(technique, column, wrong, len(texts), f"dates in the format {form}")
    if read.precision != "day":
        what = f"tells the {read.precision} only"
        raise TechniqueColumnError(technique, column, what, "Name columns of days, or times.")
    return read.days, _writing(texts, form)


def _not_read(
    technique: str, column: str, wrong: int, of: int, wanted: str
) -> TechniqueColumnError:
    what = f"has {wrong:,} of {of:,} different dates that are not {wanted}"
    return TechniqueColumnError(technique, column, what, _ONE_FORMAT)


def _writing(texts: Sequence[str], form: str) -> Writing:
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
    day, month = _zeros(found, "d"), _zeros(found, "m")
    day, month = month if day is None else day, day if month is None else month
    return Writing(form, day is not False, month is not False, tuple(months))


def _zeros(found: Sequence[re.Match[str]], part: str) -> bool | None:
    """Whether numbers below ten have a zero before them; None if there are none to see it by."""
    if not found or part not in found[0].re.groupindex:
        return None
    small = {match[part] for match in found if int(match[part]) < 10}
    return any(text[0] == "0" for text in small) if small else None


def _padded(numbers: Ints, width: int) -> pa.Array:
    return pc.utf8_lpad(pa.array(numbers).cast(pa.string()), width=width, padding="0")
