"""Dates released as months, years, groups of years, weekdays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np

from discreet.display import dataclass
from discreet.hierarchy.date_formats import (
    FORMATS,
    DateLevel,
    Read,
    check_order,
    compile_format,
    find_fitting_formats,
    find_level,
    read_format,
)
from discreet.hierarchy.hierarchy import Hierarchy, Level
from discreet.hierarchy.refusals import AmbiguousDatesError, UnreadableValuesError, make_spec_error
from discreet.number_range import read_ranges, within

FINENESS = ("day", "month", "year")


@dataclass(frozen=True)
class Dates:
    """Release a date as its month, year, five years: 1965-09-20 as 1965-09, 1965, 1965-1969.

    Parameters
    ----------
    levels
        Day, week, month, quarter, half, year, ``n months``, ``n years``, decade, century, weekday,
        month of year and quarter of year, the finest first.

        Each must follow from the one before. Months are 1, 2, 3, 4, 6 or 12, or a multiple of 12.
    format
        How the dates are written, as in ``strptime`` (``%d.%m.%Y``). Without it the one format
        that all values of the column have is found.

        Required if the values do not show which is the day and which is the month.
    pivot
        Two-digit years from here on belong to the 1900s, those before to the 2000s; 30 is what
        spreadsheets have.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5, fig. 32 and 33. *Departures*: periods other than those of the figures.

    Labels: ``1965-W38`` (ISO week), ``1965-09``, ``1965-09 to 1965-10`` (two months), ``1965-Q3``,
    ``1965-H2``, ``1965``, ``1965-1969`` (groups of n years start at multiples of n), ``Monday``,
    ``September``, ``Q3``.
    The time of day and its zone are left out: a timestamp counts as the date that it is written
    with. When the last level has more than one value, or values are missing, ``*`` comes above.

    *Cost*: one pattern match for each distinct value, then arrays; 100,000 dates take half a
    second.

    Examples
    --------
    >>> births = Dates(["month", "year", "5 years"]).build("birth", ["1965-09-20", "1964-11-07"])
    >>> births.labels[1:]
    (('1965-09', '1964-11'), ('1965', '1964'), ('1965-1969', '1960-1964'), ('*',))
    """

    levels: tuple[str, ...]
    format: str | None = None
    pivot: int = field(default=30, metadata=within(0, most=100, whole=True))

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", tuple(self.levels))
        if not self.levels:
            fix = "Write for instance [month, year, 5 years]."
            raise make_spec_error("dates", "there must be at least one level", fix)
        check_order([find_level(name) for name in self.levels])
        if self.format is not None:
            compile_format(self.format)
        wanted = read_ranges(Dates)["pivot"]
        if type(self.pivot) is not int or not wanted.contains(self.pivot):
            fix = "It says which two-digit years belong to the 1900s."
            raise make_spec_error("pivot", f"it must be {wanted.wanted}", fix)

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Read the dates of a column and group them; missing values stay apart up to ``*``."""
        missing = np.array([value is None for value in values], dtype=bool)
        read = self._read(column, [value for value in values if value is not None])
        levels = [find_level(name) for name in self.levels]
        self._check_precision(column, levels, read.precision)
        return Hierarchy.from_levels(
            column,
            values,
            [Level.of_keys(level.key(read.days), missing, level.label) for level in levels],
        )

    def _read(self, column: str, texts: Sequence[str]) -> Read:
        if self.format is None:
            return read_dates(column, texts, self.pivot)[1]
        read = read_format(texts, self.format, self.pivot)
        if read.wrong.any():
            fix = "Correct the format or those values, or leave it out to have it found."
            wrong, wanted = int(read.wrong.sum()), f"dates in the format {self.format}"
            raise UnreadableValuesError(column, wanted, wrong, len(texts), fix)
        return read

    def _check_precision(self, column: str, levels: Sequence[DateLevel], precision: str) -> None:
        for level in levels:
            if FINENESS.index(level.needs) < FINENESS.index(precision):
                what = (
                    f"column '{column}' tells the {precision} only, and '{level.name}' needs more"
                )
                raise make_spec_error("dates", what, f"Leave '{level.name}' out.")


def read_dates(column: str, texts: Sequence[str], pivot: int = 30) -> tuple[str, Read]:
    """Find the one format that all dates of a column have, and read them in it."""
    if not texts:
        return FORMATS[0], Read(np.empty(0, np.int64), "day", np.empty(0, bool))
    tried = {
        form: read_format(texts, form, pivot, found=True) for form in find_fitting_formats(texts)
    }
    fits = {form: read for form, read in tried.items() if not read.wrong.any()}
    if not fits:
        raise _make_unreadable_error(column, texts, pivot)
    form, read = next(iter(fits.items()))
    if any((other.days != read.days).any() for other in fits.values()):
        raise AmbiguousDatesError(column, len(texts), tuple(fits))
    return form, read


def _make_unreadable_error(column: str, texts: Sequence[str], pivot: int) -> UnreadableValuesError:
    """Count what there is: values of each format, and values that are no date in any."""
    reads = {form: read_format(texts, form, pivot, found=True) for form in FORMATS}
    counts = {form: int((~read.wrong).sum()) for form, read in reads.items()}
    none = int(np.logical_and.reduce([read.wrong for read in reads.values()]).sum())
    shown = sorted((form for form in FORMATS if counts[form]), key=lambda form: -counts[form])
    if not shown:
        fix = "Say how they are written with format (such as %d.%m.%Y), or use another hierarchy."
        return UnreadableValuesError(column, "dates in any format known", none, len(texts), fix)
    have = ", ".join(f"{counts[form]} fit {form}" for form in shown[:6])
    wrong = len(texts) - counts[shown[0]]
    fix = f"Of all values {have}, and {none} fit no format. Write all in one, or set format."
    return UnreadableValuesError(column, "dates in the same format", wrong, len(texts), fix)
