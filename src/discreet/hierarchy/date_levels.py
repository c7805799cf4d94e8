"""The levels that a date can be released at, and which of them nest."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.display import safe_repr
from discreet.errors import HierarchySpecError, NotNestedError, did_you_mean

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
    """One level of dates: the number of its period for each day, and the name of a period.

    ``months`` is the length of its periods where they are whole months of the calendar; ``within``
    names the other levels that follow from it.
    """

    name: str
    needs: str
    key: Callable[[Days], Keys]
    label: Callable[[int], str]
    within: frozenset[str]
    months: int = 0


def _months(days: Days) -> Keys:
    return days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) + 1970 * 12


def _week(key: int) -> str:
    year, week, _ = (FIRST_MONDAY + timedelta(weeks=key)).isocalendar()
    return f"{year:04}-W{week:02}"


def _parts(count: int, letter: str) -> Callable[[int], str]:
    return lambda key: f"{key // count:04}-{letter}{key % count + 1}"


def _day(key: int) -> str:
    return str(np.datetime64(key, "D"))


def _years(count: int, name: str) -> DateLevel:
    def label(key: int) -> str:
        return f"{key * count:04}" if count == 1 else f"{key * count:04}-{(key + 1) * count - 1:04}"

    width = 12 * count
    return DateLevel(name, "year", lambda d: _months(d) // width, label, frozenset(), width)


def _month(key: int) -> str:
    return f"{key // 12:04}-{key % 12 + 1:02}"


def _some_months(count: int, name: str) -> DateLevel:
    """A part of a year, such as two months."""

    def label(key: int) -> str:
        return f"{_month(key * count)} to {_month((key + 1) * count - 1)}"

    return DateLevel(name, "month", lambda d: _months(d) // count, label, frozenset(), count)


OF_YEAR = frozenset({"month of year", "quarter of year"})
NAMED = (
    DateLevel("day", "day", lambda days: days, _day, OF_YEAR | {"week", "weekday"}),
    DateLevel("week", "day", lambda days: (days + 3) // 7, _week, frozenset()),
    DateLevel("month", "month", _months, _month, OF_YEAR, 1),
    DateLevel(
        *("quarter", "month", lambda days: _months(days) // 3, _parts(4, "Q")),
        frozenset({"quarter of year"}),
        3,
    ),
    DateLevel(*("half", "month", lambda days: _months(days) // 6, _parts(2, "H")), frozenset(), 6),
    _years(1, "year"),
    _years(10, "decade"),
    _years(100, "century"),
    DateLevel(
        *("weekday", "day", lambda days: (days + 3) % 7, lambda key: WEEKDAYS[key]), frozenset()
    ),
    DateLevel(
        *("month of year", "month", lambda days: _months(days) % 12, lambda key: MONTHS[key]),
        frozenset({"quarter of year"}),
    ),
    DateLevel(
        "quarter of year",
        *("month", lambda days: _months(days) % 12 // 3, lambda key: f"Q{key + 1}"),
        frozenset(),
    ),
)
LEVELS = {level.name: level for level in NAMED}
REASONS = {
    "week": "a week can lie in two months and in two years",
    "weekday": "a weekday says nothing of the rest of the date",
    "month of year": "a month of the year without its year says no more of the date",
    "quarter of year": "a quarter of the year without its year says no more of the date",
}


WHOLE = {1: "month", 3: "quarter", 6: "half", 12: "year"}
"""The names of levels that may be asked for by their number of months too."""


def find_level(name: str) -> DateLevel:
    """Find a level by name: month, 2 months, year, 5 years, decade, weekday and so on."""
    plain = " ".join(str(name).casefold().replace("-", " ").replace("_", " ").split())
    periods = PERIODS.fullmatch(plain)
    if periods and int(periods[1]) > 0:
        count = int(periods[1])
        return _years(count, plain) if periods[2] == "year" else _by_months(count, plain)
    for known in (plain, plain.removesuffix("s")):
        if known in LEVELS:
            return LEVELS[known]
    fix = did_you_mean(plain, [*LEVELS, "2 months", "5 years"])
    raise HierarchySpecError("dates", f"there is no level '{plain[:40]}'", fix)


def _by_months(count: int, name: str) -> DateLevel:
    """Months that fill a year evenly, or whole years: others would begin anywhere in a year."""
    if count in WHOLE:
        return LEVELS[WHOLE[count]]._replace(name=name)
    if count % 12 == 0:
        return _years(count // 12, name)
    if 12 % count == 0:
        return _some_months(count, name)
    fix = "Use 1, 2, 3, 4, 6 or 12 months, or a multiple of 12."
    raise HierarchySpecError("dates", f"a year cannot be divided into periods of {name}", fix)


def check_order(levels: Sequence[DateLevel]) -> None:
    """Refuse a level that does not follow from the level below it."""
    for finer, coarser in pairwise(levels):
        if not _follows(finer, coarser):
            raise NotNestedError("dates", finer.name, coarser.name, _reason(finer, coarser))


def _follows(finer: DateLevel, coarser: DateLevel) -> bool:
    if finer.months and coarser.months:
        return coarser.months > finer.months and coarser.months % finer.months == 0
    return coarser.name in finer.within or (finer.name == "day" and coarser.months > 0)


def _reason(finer: DateLevel, coarser: DateLevel) -> str:
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
