"""The levels that a date can be released at, and which of them nest."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.errors import HierarchySpecError, NotNestedError, did_you_mean

Days = NDArray[np.int64]
Keys = NDArray[np.int64]

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
FIRST_MONDAY = date(1969, 12, 29)
YEARS = re.compile(r"(\d{1,4}) years?")


class DateLevel(NamedTuple):
    """One level of dates: the number of its period for each day, and the name of a period."""

    name: str
    needs: str
    key: Callable[[Days], Keys]
    label: Callable[[int], str]
    within: frozenset[str]
    years: int = 0


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

    return DateLevel(name, "year", lambda d: _months(d) // (12 * count), label, frozenset(), count)


NAMED = (
    DateLevel("day", "day", lambda days: days, _day, frozenset({"week", "month", "weekday"})),
    DateLevel("week", "day", lambda days: (days + 3) // 7, _week, frozenset()),
    DateLevel(
        *("month", "month", _months, lambda key: f"{key // 12:04}-{key % 12 + 1:02}"),
        frozenset({"quarter", "month of year"}),
    ),
    DateLevel(
        *("quarter", "month", lambda days: _months(days) // 3, _parts(4, "Q")),
        frozenset({"half", "quarter of year"}),
    ),
    DateLevel(
        *("half", "month", lambda days: _months(days) // 6, _parts(2, "H")),
        frozenset({"year"}),
    ),
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


def find_level(name: str) -> DateLevel:
    """Find a level by name: month, year, 5 years, decade, weekday and so on."""
    plain = " ".join(str(name).casefold().replace("-", " ").replace("_", " ").split())
    years = YEARS.fullmatch(plain)
    if years and int(years[1]) > 0:
        return _years(int(years[1]), plain)
    for known in (plain, plain.removesuffix("s")):
        if known in LEVELS:
            return LEVELS[known]
    fix = did_you_mean(plain, [*LEVELS, "5 years"])
    raise HierarchySpecError("dates", f"there is no level '{name}'", fix)


def check_order(levels: Sequence[DateLevel]) -> None:
    """Refuse a level that does not follow from the level below it."""
    for finer, coarser in pairwise(levels):
        if not _follows(finer, coarser):
            raise NotNestedError("dates", finer.name, coarser.name, _reason(finer, coarser))


def _follows(finer: DateLevel, coarser: DateLevel) -> bool:
    if finer.years:
        return coarser.years > finer.years and coarser.years % finer.years == 0
    if coarser.name in finer.within:
        return True
    if coarser.years and "year" in finer.within:
        return True
    return any(_follows(LEVELS[name], coarser) for name in finer.within)


def _reason(finer: DateLevel, coarser: DateLevel) -> str:
    if finer.years and coarser.years > finer.years:
        return f"{coarser.years} is not a multiple of {finer.years}"
    if finer.name in REASONS:
        return REASONS[finer.name]
    if coarser.name == "weekday":
        return f"a {finer.name} has days of every weekday"
    if coarser.name == "week":
        return f"a {finer.name} has more than one week"
    return f"a {coarser.name} is not made of whole {finer.name} periods"
