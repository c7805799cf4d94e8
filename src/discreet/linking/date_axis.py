"""Columns of dates: days at points, months, years and groups of years as stretches."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise

from discreet.display import dataclass
from discreet.errors import AmbiguousDatesError, UnreadableValuesError
from discreet.hierarchy.date_formats import FORMATS, read_format
from discreet.hierarchy.date_levels import MONTHS, WEEKDAYS
from discreet.hierarchy.dates import Dates, read_dates
from discreet.linking.places import Place, before, behind, joined

EPOCH = date(1970, 1, 1).toordinal()
SAMPLE = 1000
PERIOD = re.compile(
    r"(?P<from>\d{4})-(?P<until>\d{4,9})"
    r"|(?P<first>\d{4}-(?:0[1-9]|1[0-2])) to (?P<last>\d{4}-(?:0[1-9]|1[0-2]))|(?P<year>\d{4})"
    r"(?:-(?:(?P<month>0[1-9]|1[0-2])(?:-(?P<day>\d\d))?|W(?P<week>\d\d)|"
    r"(?P<part>Q[1-4]|H[12])))?",
    re.ASCII,
)
LONGEST = {"Q": 3, "H": 6}


def _day(year: int, month: int, day: int = 1) -> int:
    return date(year, month, day).toordinal() - EPOCH


def _months(year: int, month: int, count: int) -> tuple[int, int]:
    """First and last day of some months; the year 9999 ends where the calendar does."""
    end = year * 12 + month - 1 + count
    last = date.max.toordinal() - EPOCH if end // 12 > 9999 else _day(end // 12, end % 12 + 1) - 1
    return _day(year, month), last


def read_period(text: str) -> tuple[int, int] | None:
    """First and last day, counted from 1970, of a period as our hierarchies write it, or None.

    >>> read_period("1970-01"), read_period("1970-W01"), read_period("1969-1960")
    ((0, 30), (-3, 3), None)
    """
    match = PERIOD.fullmatch(text)
    if match is None:
        return None
    try:
        return _period(match)
    except ValueError:
        return None


def _period(match: re.Match[str]) -> tuple[int, int] | None:
    if match["from"]:
        # Groups of years begin in year 0 and may end after 9999; the calendar has neither.
        first = _day(max(int(match["from"]), 1), 1)
        last = _months(min(int(match["until"]), 9999), 1, 12)[1]
        return (first, last) if first < last else None
    if match["first"]:
        (year, month), (end, until) = (map(int, match[key].split("-")) for key in ("first", "last"))
        count = 12 * (end - year) + until - month + 1
        return _months(year, month, count) if count > 1 else None
    year = int(match["year"])
    if match["day"]:
        day = _day(year, int(match["month"]), int(match["day"]))
        return day, day
    if match["month"]:
        return _months(year, int(match["month"]), 1)
    if match["week"]:
        monday = date.fromisocalendar(year, int(match["week"]), 1)
        return monday.toordinal() - EPOCH, (monday + timedelta(6)).toordinal() - EPOCH
    if match["part"]:
        length = LONGEST[match["part"][0]]
        return _months(year, (int(match["part"][1]) - 1) * length + 1, length)
    return _months(year, 1, 12)


def repeating(text: str) -> Callable[[date], bool] | None:
    """What days belong to a weekday, a month of any year or a quarter of any year."""
    if text in WEEKDAYS:
        weekday = WEEKDAYS.index(text)
        return lambda day: day.weekday() == weekday
    if text in MONTHS:
        month = MONTHS.index(text) + 1
        return lambda day: day.month == month
    if re.fullmatch("Q[1-4]", text):
        quarter = int(text[1]) - 1
        return lambda day: (day.month - 1) // 3 == quarter
    return None


@dataclass(frozen=True, eq=False)
class DateAxis:
    """Knows the dates of a column, all in one format, and the periods our hierarchies write.

    ``known`` says that the policy calls the column dates: then ``1965-09-20`` is that day however
    it is written. Else a date is the text it is.
    """

    known: bool
    days: Mapping[str, tuple[int, int]]

    def __repr__(self) -> str:
        return f"DateAxis({len(self.days)} dates and periods)"

    @classmethod
    def of(
        cls, ground: Sequence[str], texts: Sequence[str], builder: Dates | None
    ) -> DateAxis | None:
        """Find how the dates of a column are written and read them; None if it cannot be told."""
        pivot = builder.pivot if builder else Dates.pivot
        given = builder.format if builder else None
        every = list(dict.fromkeys([*ground, *texts]))
        form = given or find_format(ground or texts, pivot)
        days = {} if form is None else read_days(every, form, pivot, found=given is None)
        for text in every:
            period = None if text in days else read_period(text)
            if period is not None and (builder is not None or period[0] < period[1]):
                days[text] = period
        return cls(builder is not None, days) if form or (builder and days) else None

    def place(self, text: str) -> Place | None:
        """Where a date or a period stands; a weekday on every day of its kind."""
        belongs = repeating(text)
        if belongs is not None and self.days:
            return joined(day for day in self._span() if belongs(date.fromordinal(day + EPOCH)))
        span = self.days.get(text)
        if span is None:
            return None
        label = read_period(text) == span and (self.known or span[0] < span[1])
        return Place(((before(span[0]), behind(span[1])),), exact=not label)

    def _span(self) -> range:
        """All days from the first that is known of to the last."""
        spans = self.days.values()
        return range(min(span[0] for span in spans), max(span[1] for span in spans) + 1)


def read_days(
    texts: Sequence[str], form: str, pivot: int, *, found: bool
) -> dict[str, tuple[int, int]]:
    """First and last day of each text that is a date in this format."""
    read = read_format(texts, form, pivot, found=found)
    right = [text for text, wrong in zip(texts, read.wrong, strict=True) if not wrong]
    starts: list[int] = read.days[~read.wrong].tolist()
    if read.precision == "day":
        return {text: (day, day) for text, day in zip(right, starts, strict=True)}
    count = 1 if read.precision == "month" else 12
    firsts = [date.fromordinal(day + EPOCH) for day in starts]
    return {
        text: _months(first.year, first.month, count)
        for text, first in zip(right, firsts, strict=True)
    }


def find_format(texts: Sequence[str], pivot: int) -> str | None:
    """The format of the dates, or that of most of them; None if several are possible."""
    if not texts:
        return None
    try:
        return read_dates("", texts, pivot)[0]
    except AmbiguousDatesError:
        return None
    except UnreadableValuesError:
        sample = list(texts)[:SAMPLE]
    reads = {form: read_format(sample, form, pivot, found=True) for form in FORMATS}
    counts = sorted(
        ((int((~read.wrong).sum()), form) for form, read in reads.items()), reverse=True
    )
    if counts[0][0] == 0 or any(a == b for a, b in pairwise(count for count, _ in counts[:2])):
        return None
    return counts[0][1]
