"""Dates released as months, years, groups of years, weekdays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.errors import HierarchyError
from discreet.hierarchy.date_formats import (
    FINENESS,
    FORMATS,
    DateColumn,
    DateLevel,
    Read,
    Unclear,
    check_order,
    compile_format,
    decide_formats,
    find_fitting_formats,
    find_level,
    read_format,
)
from discreet.hierarchy.hierarchy import Hierarchy, Level
from discreet.hierarchy.ranges import Others, check_others, make_levels
from discreet.hierarchy.refusals import AmbiguousDatesError, UnreadableValuesError, make_spec_error
from discreet.number_range import read_ranges, within

GROUP = "take what does not fit as a group: dates: {levels: [...], others: group}."


@dataclass(frozen=True)
class Dates:
    """Release a date as its month, year, five years: 1965-09-20 as 1965-09, 1965, 1965-1969.

    Parameters
    ----------
    levels
        Day, week, month, quarter, half, year, ``n months``, ``n years``, decade, century, weekday,
        month of year and quarter of year, the finest first.

        Each must be derivable from the one before. Months are 1, 2, 3, 4, 6 or 12, or a multiple of
        12.
    format
        How the dates are written, as in ``strptime`` (``%d.%m.%Y``), or a list of such formats.
        Without it the formats are detected, and each date is read in a format that fits it.

        Required if the values do not show which is the day and which is the month.
    pivot
        Two-digit years from here on belong to the 1900s, earlier ones to the 2000s; spreadsheets
        use 30.
    others
        What happens to values that are not dates: ``refuse`` stops and counts them; ``group``
        releases them as ``other``, and dates without a day or month as found until a level contains
        all of them.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5, fig. 32 and 33. *Departures*: periods other than those of the figures.

    Labels: ``1965-W38`` (ISO week), ``1965-09``, ``1965-09 to 1965-10`` (two months), ``1965-Q3``,
    ``1965-H2``, ``1965``, ``1965-1969`` (groups of n years start at multiples of n), ``Monday``,
    ``September``, ``Q3``. The time of day and its zone are ignored: a timestamp counts as the date
    it is written with. If the last level has more than one value, or values are missing, ``*`` is
    added above.

    *Cost*: one pattern match for each distinct value, then arrays; 100,000 dates take half a
    second.

    Examples
    --------
    >>> births = Dates(["month", "year", "5 years"]).build("birth", ["1965-09-20", "1964-11-07"])
    >>> births.labels[1:]
    (('1965-09', '1964-11'), ('1965', '1964'), ('1965-1969', '1960-1964'), ('*',))
    """

    levels: tuple[str, ...]
    format: str | tuple[str, ...] | None = None
    pivot: int = field(default=30, metadata=within(0, most=100, whole=True))
    others: Others = field(default="refuse", repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", tuple(self.levels))
        if not self.levels:
            fix = "Write for instance [month, year, 5 years]."
            raise make_spec_error("dates", "there must be at least one level", fix)
        check_order([find_level(name) for name in self.levels])
        if isinstance(self.format, list | tuple):
            object.__setattr__(self, "format", tuple(self.format))
        for form in self.formats:
            compile_format(form)
        if self.format == ():
            raise make_spec_error("format", "the list is empty", "Leave it out to have it found.")
        check_others("dates", self.others)
        wanted = read_ranges(Dates)["pivot"]
        if type(self.pivot) is not int or not wanted.contains(self.pivot):
            fix = "It says which two-digit years belong to the 1900s."
            raise make_spec_error("pivot", f"it must be {wanted.wanted}", fix)

    @property
    def formats(self) -> tuple[str, ...]:
        """The given formats."""
        if self.format is None:
            return ()
        return self.format if isinstance(self.format, tuple) else (self.format,)

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Read the dates of a column and group them; missing values stay separate up to ``*``."""
        missing = np.array([value is None for value in values], dtype=bool)
        found = self.read(column, [value for value in values if value is not None])
        levels = [find_level(name) for name in self.levels]
        if self.others == "refuse" or not (found.wrong.any() or found.precision.any()):
            self._check_precision(column, levels, found.precision)
            made = [Level.of_keys(level.key(found.days), missing, level.label) for level in levels]
        else:
            made = self._sort(values, found, levels)[0]
        return Hierarchy.from_levels(column, values, made)

    def sort_values(self, column: str, values: Sequence[str | None]) -> list[str]:
        """How each value was treated: as a date, as one for coarser levels, or as the rest."""
        found = self.read(column, [value for value in values if value is not None])
        return self._sort(values, found, [find_level(name) for name in self.levels])[1]

    def read(self, column: str, texts: Sequence[str]) -> DateColumn:
        """The dates of a column; refused if some are unclear, or are no dates and must be."""
        found = self._read_given(texts) if self.formats else _read_found(texts, self.pivot)
        if found.unclear:
            unclear = [form for one in found.unclear for form in one.formats]
            raise AmbiguousDatesError(
                column,
                sum(one.dates for one in found.unclear),
                unclear,
                [form for form in found.formats if form not in unclear],
            )
        if found.contrary or (found.wrong.any() and self.others == "refuse"):
            if not self.formats:
                raise _make_unreadable_error(column, texts, self.pivot)
            fix = f"Correct the format or those values, leave it out to have it found, or {GROUP}"
            wrong, wanted = found.unread, f"dates in the format {' or '.join(self.formats)}"
            raise UnreadableValuesError(column, wanted, wrong, len(texts), fix)
        return found

    def _read_given(self, texts: Sequence[str]) -> DateColumn:
        """Read the dates in the given formats; a date that two of them disagree on is wrong."""
        days = np.zeros(len(texts), dtype=np.int64)
        precision = np.zeros(len(texts), dtype=np.int8)
        wrong, counts, unclear = np.ones(len(texts), dtype=bool), dict[str, int](), list[Unclear]()
        doubtful = np.zeros(len(texts), dtype=bool)
        for form in self.formats:
            read = read_format(texts, form, self.pivot)
            again = ~read.wrong & ~wrong & (read.days != days)
            if again.any():
                unclear.append(Unclear((next(iter(counts)), form), int(again.sum())))
                doubtful |= again
            right = ~read.wrong & wrong
            days[right], precision[right] = read.days[right], FINENESS.index(read.precision)
            counts[form], wrong = int(right.sum()), wrong & ~right
        return DateColumn(days, precision, wrong | doubtful, counts, tuple(unclear))

    def _sort(
        self, values: Sequence[str | None], found: DateColumn, levels: Sequence[DateLevel]
    ) -> tuple[list[Level], list[str]]:
        there = [place for place, value in enumerate(values) if value is not None]
        rows: list[list[str | None]] = []
        for level in levels:
            needs, keys = FINENESS.index(level.needs), level.key(found.days).tolist()
            row: list[str | None] = [None] * len(values)
            for place, key, fineness, wrong in zip(
                there, keys, found.precision, found.wrong, strict=True
            ):
                row[place] = None if wrong or fineness > needs else level.label(key)
            rows.append(row)
        return make_levels(values, rows)

    def _check_precision(
        self, column: str, levels: Sequence[DateLevel], precisions: NDArray[np.int8]
    ) -> None:
        """Refuse a level that needs more precision than some of the dates have."""
        coarsest = int(precisions.max()) if len(precisions) else 0
        for level in levels:
            needs = FINENESS.index(level.needs)
            if needs >= coarsest:
                continue
            short, word = int((precisions > needs).sum()), FINENESS[coarsest]
            if short < len(precisions):
                what = f"{short} of its {len(precisions)} different dates have no {level.needs}, "
                what += f"which '{level.name}' needs"
                fix = f"Leave '{level.name}' out, or {GROUP}"
                raise HierarchyError(what=what, fix=fix, column=column)
            what = f"column '{column}' has only the {word} of dates, and '{level.name}' needs more"
            raise make_spec_error("dates", what, f"Leave '{level.name}' out.")


def _read_found(texts: Sequence[str], pivot: int) -> DateColumn:
    """Read dates in the one format that they share, or else format by format."""
    tried = {
        form: read_format(texts, form, pivot, found=True) for form in find_fitting_formats(texts)
    }
    fits = {form: read for form, read in tried.items() if not read.wrong.any()}
    form, read = next(iter(fits.items()), ("", None))
    if read is None or any((other.days != read.days).any() for other in fits.values()):
        return decide_formats(texts, pivot)
    precision = np.full(len(texts), FINENESS.index(read.precision), dtype=np.int8)
    return DateColumn(read.days, precision, read.wrong, {form: len(texts)})


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
    """Count the values of each format, and those that are not a date in any."""
    reads = {form: read_format(texts, form, pivot, found=True) for form in FORMATS}
    counts = {form: int((~read.wrong).sum()) for form, read in reads.items()}
    none = int(np.logical_and.reduce([read.wrong for read in reads.values()]).sum())
    shown = sorted((form for form in FORMATS if counts[form]), key=lambda form: -counts[form])
    if not shown:
        fix = "Say how they are written with format (such as %d.%m.%Y), or use another hierarchy."
        return UnreadableValuesError(column, "dates in any format known", none, len(texts), fix)
    have = ", ".join(f"{counts[form]} fit {form}" for form in shown[:6])
    wrong = len(texts) - counts[shown[0]]
    fix = (
        f"Of all values {have}, and {none} fit no format. Name words that mean missing (missing: "
        f"[NA]), set format (a list if there are several), or {GROUP}"
    )
    return UnreadableValuesError(column, "dates in the same format", wrong, len(texts), fix)
