"""Read the dates of a column in one or several formats, which are found or given."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass, safe_repr
from discreet.errors import did_you_mean
from discreet.hierarchy.refusals import make_nesting_error, make_spec_error

# The levels at which a date can be released, and which of them nest.


Days = NDArray[np.int64]
Keys = NDArray[np.int64]

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
FIRST_MONDAY = date(1969, 12, 29)
PERIODS = re.compile(r"(\d{1,4}) (month|year)s?")


@safe_repr
class DateLevel(NamedTuple):
    """One level of dates: the period number of each day, and the name of a period.

    ``months`` is the length of its periods if they are whole calendar months; ``within`` names the
    other levels that can be derived from it.
    """

    name: str
    needs: str
    key: Callable[[Days], Keys]
    label: Callable[[int], str]
    within: frozenset[str]
    months: int = 0


def _number_months(days: Days) -> Keys:
    return days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) + 1970 * 12


def _write_week(key: int) -> str:
    year, week, _ = (FIRST_MONDAY + timedelta(weeks=key)).isocalendar()
    return f"{year:04}-W{week:02}"


def _make_part_writer(count: int, letter: str) -> Callable[[int], str]:
    return lambda key: f"{key // count:04}-{letter}{key % count + 1}"


def _write_day(key: int) -> str:
    return str(np.datetime64(key, "D"))


def _make_years_level(count: int, name: str) -> DateLevel:
    def label(key: int) -> str:
        return f"{key * count:04}" if count == 1 else f"{key * count:04}-{(key + 1) * count - 1:04}"

    width = 12 * count
    return DateLevel(name, "year", lambda d: _number_months(d) // width, label, frozenset(), width)


def _write_month(key: int) -> str:
    return f"{key // 12:04}-{key % 12 + 1:02}"


def _make_months_level(count: int, name: str) -> DateLevel:
    """A part of a year, such as two months."""

    def label(key: int) -> str:
        return f"{_write_month(key * count)} to {_write_month((key + 1) * count - 1)}"

    return DateLevel(name, "month", lambda d: _number_months(d) // count, label, frozenset(), count)


OF_YEAR = frozenset({"month of year", "quarter of year"})
NAMED = (
    DateLevel("day", "day", lambda days: days, _write_day, OF_YEAR | {"week", "weekday"}),
    DateLevel("week", "day", lambda days: (days + 3) // 7, _write_week, frozenset()),
    DateLevel("month", "month", _number_months, _write_month, OF_YEAR, 1),
    DateLevel(
        *("quarter", "month", lambda days: _number_months(days) // 3, _make_part_writer(4, "Q")),
        frozenset({"quarter of year"}),
        3,
    ),
    DateLevel(
        *("half", "month", lambda days: _number_months(days) // 6, _make_part_writer(2, "H")),
        frozenset(),
        6,
    ),
    _make_years_level(1, "year"),
    _make_years_level(10, "decade"),
    _make_years_level(100, "century"),
    DateLevel(
        *("weekday", "day", lambda days: (days + 3) % 7, lambda key: WEEKDAYS[key]), frozenset()
    ),
    DateLevel(
        *(
            "month of year",
            "month",
            lambda days: _number_months(days) % 12,
            lambda key: MONTHS[key],
        ),
        frozenset({"quarter of year"}),
    ),
    DateLevel(
        "quarter of year",
        *("month", lambda days: _number_months(days) % 12 // 3, lambda key: f"Q{key + 1}"),
        frozenset(),
    ),
)
LEVELS = {level.name: level for level in NAMED}
REASONS = {
    "week": "a week can lie in two months and in two years",
    "weekday": "a weekday says nothing about the rest of the date",
    "month of year": "a month without its year says nothing else about the date",
    "quarter of year": "a quarter without its year says nothing else about the date",
}


WHOLE = {1: "month", 3: "quarter", 6: "half", 12: "year"}
"""The names of levels that can also be requested by their number of months."""


def find_level(name: str) -> DateLevel:
    """Find a level by name: month, 2 months, year, 5 years, decade, weekday and so on."""
    plain = " ".join(str(name).casefold().replace("-", " ").replace("_", " ").split())
    periods = PERIODS.fullmatch(plain)
    if periods and int(periods[1]) > 0:
        count = int(periods[1])
        return (
            _make_years_level(count, plain)
            if periods[2] == "year"
            else _choose_months_level(count, plain)
        )
    for known in (plain, plain.removesuffix("s")):
        if known in LEVELS:
            return LEVELS[known]
    fix = did_you_mean(plain, [*LEVELS, "2 months", "5 years"])
    raise make_spec_error("dates", f"there is no level '{plain[:40]}'", fix)


def _choose_months_level(count: int, name: str) -> DateLevel:
    """Months that divide a year evenly, or whole years: others would begin anywhere in a year."""
    if count in WHOLE:
        return LEVELS[WHOLE[count]]._replace(name=name)
    if count % 12 == 0:
        return _make_years_level(count // 12, name)
    if 12 % count == 0:
        return _make_months_level(count, name)
    fix = "Use 1, 2, 3, 4, 6 or 12 months, or a multiple of 12."
    raise make_spec_error("dates", f"a year cannot be divided into periods of {name}", fix)


def check_order(levels: Sequence[DateLevel]) -> None:
    """Refuse a level that cannot be derived from the level below it."""
    for finer, coarser in pairwise(levels):
        if not _follows(finer, coarser):
            raise make_nesting_error(
                "dates", finer.name, coarser.name, _explain_misfit(finer, coarser)
            )


def _follows(finer: DateLevel, coarser: DateLevel) -> bool:
    if finer.months and coarser.months:
        return coarser.months > finer.months and coarser.months % finer.months == 0
    return coarser.name in finer.within or (finer.name == "day" and coarser.months > 0)


def _explain_misfit(finer: DateLevel, coarser: DateLevel) -> str:
    if finer.months and coarser.months > finer.months:
        years = finer.months % 12 == 0 and coarser.months % 12 == 0
        unit, what = (12, "") if years else (1, " months")
        return f"{coarser.months // unit}{what} is not a multiple of {finer.months // unit}{what}"
    if finer.name in REASONS:
        return REASONS[finer.name]
    if coarser.name == "weekday":
        return f"a {finer.name} has days of every weekday"
    if coarser.name == "week":
        return f"a {finer.name} has more than one week"
    return f"a {coarser.name} is not made of whole {finer.name} periods"


TIME = (
    r"(?:[T ]\s*\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[AaPp]\.?[Mm]\.?)?"
    r"(?:\s?(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?)?"
)
DIRECTIVES = {
    "Y": r"(?P<Y>\d{4})",
    "y": r"(?P<y>\d{2})",
    "m": r"(?P<m>1[0-2]|0?[1-9])",
    "d": r"(?P<d>3[01]|[12]\d|0?[1-9])",
    "b": r"(?P<b>[A-Za-z]{3,9})\.?",
    "B": r"(?P<b>[A-Za-z]{3,9})\.?",
    "H": r"\d{1,2}",
    "I": r"\d{1,2}",
    "M": r"\d{1,2}",
    "S": r"\d{1,2}",
    "f": r"\d{1,9}",
    "p": r"[AaPp][Mm]",
    "z": r"(?:Z|[+-]\d{2}:?\d{2})",
    "Z": r"[A-Za-z]{1,5}",
    "a": r"[A-Za-z]{2,9}",
    "A": r"[A-Za-z]{2,9}",
    "%": "%",
}
FORMATS = (
    *("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d"),
    *("%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y", "%m/%d/%Y", "%m-%d-%Y", "%m.%d.%Y"),
    *("%d.%m.%y", "%d/%m/%y", "%d-%m-%y", "%m/%d/%y", "%m-%d-%y", "%m.%d.%y"),
    *("%d %b %Y", "%d-%b-%Y", "%d. %b %Y", "%b %d, %Y", "%b %d %Y", "%Y-%b-%d"),
    *("%d %b %y", "%d-%b-%y"),
    *("%Y-%m", "%Y/%m", "%m/%Y", "%m.%Y", "%m-%Y", "%b %Y", "%Y"),
)
MONTH_NUMBERS = {name[:3].casefold(): number for number, name in enumerate(MONTHS, 1)}


@safe_repr
class Read(NamedTuple):
    """Dates as days since 1970, their precision, and which texts are not dates."""

    days: NDArray[np.int64]
    precision: str
    wrong: NDArray[np.bool_]


def compile_format(form: str, *, found: bool = False) -> re.Pattern[str]:
    """Turn a strptime format into a pattern; a detected format allows a time after it."""
    if not isinstance(form, str):
        raise make_spec_error("format", "it must be text", "Write for instance %d.%m.%Y.")
    parts, position = [], 0
    for match in re.finditer(r"%(.?)", form):
        parts.append(re.escape(form[position : match.start()]))
        if match[1] not in DIRECTIVES:
            fix = f"discreet reads {', '.join('%' + name for name in DIRECTIVES)}."
            raise make_spec_error("format", f"it does not know '{match[0]}'", fix)
        parts.append(DIRECTIVES[match[1]])
        position = match.end()
    parts.append(re.escape(form[position:]))
    pattern = "".join(parts)
    if "?P<Y>" not in pattern and "?P<y>" not in pattern:
        fix = "Write for instance %d.%m.%Y."
        raise make_spec_error("format", f"'{form}' has no year (%Y or %y)", fix)
    try:
        return re.compile(rf"\s*{pattern}{TIME if found else ''}\s*", re.ASCII)
    except re.error:
        fix = "Write for instance %d.%m.%Y."
        raise make_spec_error("format", f"'{form}' has a part twice", fix) from None


def find_precision(pattern: re.Pattern[str]) -> str:
    """Whether a format is precise to the day, the month or only the year."""
    if not {"m", "b"} & set(pattern.groupindex):
        return "year"
    return "day" if "d" in pattern.groupindex else "month"


def read_format(texts: Sequence[str], form: str, pivot: int, *, found: bool = False) -> Read:
    """Read texts in one format; those that do not match, or are not a calendar day, are wrong."""
    pattern = compile_format(form, found=found)
    matches = [pattern.fullmatch(text) for text in texts]
    wrong = np.array([match is None for match in matches], dtype=bool)
    columns = {
        name: _read_numbers([match[name] for match in matches if match], name)
        for name in pattern.groupindex
    }
    count = len(texts) - int(wrong.sum())
    one = np.ones(count, dtype=np.int64)
    if "y" in columns:
        years = columns["y"] + np.where(columns["y"] >= pivot, 1900, 2000)
    else:
        years = columns["Y"]
    months = columns.get("m", columns.get("b", one))
    calendar, right = _count_days(years, months, columns.get("d", one))
    wrong[~wrong] = ~right
    days = np.zeros(len(texts), dtype=np.int64)
    days[~wrong] = calendar[right]
    return Read(days, find_precision(pattern), wrong)


def find_fitting_formats(texts: Sequence[str]) -> list[str]:
    """Find the known formats whose pattern every text matches."""
    patterns = {form: compile_format(form, found=True) for form in FORMATS}
    return [form for form, each in patterns.items() if all(map(each.fullmatch, texts))]


# The formats of a column, where each date is read in a format that it can have.


FINENESS = ("day", "month", "year")
SWAPPED = {
    form: other
    for form in FORMATS
    if (other := form.replace("%d", "%_").replace("%m", "%d").replace("%_", "%m")) != form
    and other in FORMATS
}
"""Pairs of formats that differ in the order of day and month."""


@safe_repr
class Unclear(NamedTuple):
    """Dates that mean one day in one format and another day in another."""

    formats: tuple[str, str]
    dates: int


@dataclass(frozen=True, eq=False)
class DateColumn:
    """The dates of a column, each read in a format that it has.

    Parameters
    ----------
    days
        Days since 1970.
    precision
        The precision of each date: 0 for the day, 1 for the month, 2 for the year only.
    wrong
        Which texts are not dates, or could be two days.
    formats
        The formats found, with the number of distinct dates in each, the most frequent first.
    unclear
        Dates whose day and month cannot be distinguished: never guessed.
    contrary
        Dates of two formats that contradict each other: some must be day first, others month first.
        None of them is read.
    """

    days: Days
    precision: NDArray[np.int8]
    wrong: NDArray[np.bool_]
    formats: Mapping[str, int]
    unclear: tuple[Unclear, ...] = ()
    contrary: tuple[Unclear, ...] = ()

    @property
    def unread(self) -> int:
        """Texts that are not a date in any format."""
        undecided = sum(one.dates for one in (*self.unclear, *self.contrary))
        return int(self.wrong.sum()) - undecided


def decide_formats(texts: Sequence[str], pivot: int = 30) -> DateColumn:
    """Read the dates of a column format by format, and report what could not be decided.

    A date that can be month first or day first (03/04/1999) is read like the unambiguous dates of
    its form (03/25/1999). If there are none, it is unclear; if there are some of both orders, the
    column contradicts itself.

    >>> mixed = decide_formats(["1999-03-25", "03/25/1999", "03/04/1999", "unknown"])
    >>> dict(mixed.formats), mixed.unread, mixed.unclear
    ({'%m/%d/%Y': 2, '%Y-%m-%d': 1}, 1, ())
    >>> decide_formats(["1999-03-25", "03/04/1999"]).unclear[0].formats
    ('%d/%m/%Y', '%m/%d/%Y')
    """
    tried = {form: read_format(texts, form, pivot, found=True) for form in FORMATS}
    reads = {form: read for form, read in tried.items() if not read.wrong.all()}
    unclear, contrary, left = _compare_orders(reads, len(texts))
    days = np.zeros(len(texts), dtype=np.int64)
    precision = np.zeros(len(texts), dtype=np.int8)
    counts: dict[str, int] = {}
    wrong = np.ones(len(texts), dtype=bool)
    for form, read in reads.items():
        right = wrong & left[form]
        if right.any():
            days[right], precision[right] = read.days[right], FINENESS.index(read.precision)
            counts[form], wrong = int(right.sum()), wrong & ~right
    shown = dict(sorted(counts.items(), key=lambda item: -item[1]))
    return DateColumn(days, precision, wrong, shown, unclear, contrary)


def _compare_orders(
    reads: Mapping[str, Read], texts: int
) -> tuple[tuple[Unclear, ...], tuple[Unclear, ...], dict[str, NDArray[np.bool_]]]:
    """The unclear dates, the contradictory ones, and which texts each format may read."""
    left = {form: ~read.wrong for form, read in reads.items()}
    unclear, contrary = [], []
    for form, other in SWAPPED.items():
        if form not in reads or other not in reads or FORMATS.index(form) > FORMATS.index(other):
            continue
        one, two = reads[form], reads[other]
        only, theirs = ~one.wrong & two.wrong, one.wrong & ~two.wrong
        either = ~one.wrong & ~two.wrong & (one.days != two.days)
        if only.any() and theirs.any():
            contrary.append(Unclear((form, other), int((~one.wrong | ~two.wrong).sum())))
            left[form], left[other] = np.zeros((2, texts), dtype=bool)
        elif only.any() or theirs.any():
            left[other if only.any() else form] &= ~either
        elif either.any():
            unclear.append(Unclear((form, other), int(either.sum())))
            left[form], left[other] = left[form] & ~either, left[other] & ~either
    return tuple(unclear), tuple(contrary), left


def _read_numbers(texts: Sequence[str], name: str) -> NDArray[np.int64]:
    if name != "b":
        return np.fromiter(map(int, texts), np.int64, len(texts))
    names = [text[:3].casefold() if _is_month(text) else "" for text in texts]
    return np.fromiter((MONTH_NUMBERS.get(name, 0) for name in names), np.int64, len(names))


def _is_month(text: str) -> bool:
    month = MONTH_NUMBERS.get(text[:3].casefold())
    return month is not None and (
        MONTHS[month - 1].casefold().startswith(text.casefold()) or text.casefold() == "sept"
    )


def _count_days(
    years: NDArray[np.int64], months: NDArray[np.int64], days: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Turn year, month and day into days since 1970, and mark which are calendar days."""
    month = ((years - 1970) * 12 + months - 1).astype("datetime64[M]")
    start = month.astype("datetime64[D]").astype(np.int64)
    length = (month + 1).astype("datetime64[D]").astype(np.int64) - start
    right = (years >= 1) & (months >= 1) & (days >= 1) & (days <= length)
    return start + days - 1, right
