"""What a date becomes: the first of its month, of the nearest month, of the year, or shifted.

Notes
-----
[Sweeney2001]_, sec. 9.3.1: "the replacement date may involve lumping days to the first of the
nearest month or some other grouping".

Departures: by default the month is kept (``month``); the thesis' nearest month (``nearest``) moves
the 26th of May to June. ``shift`` is ours: days of one person move by one number, so the time
between them stays.

Cost: a microsecond.
"""

from __future__ import annotations

import datetime
from typing import NamedTuple

from discreet.display import safe_repr
from discreet.scrub.replace.date_form import Written
from discreet.scrub.replace.stream import Stream

FARTHEST = 365
_MIDDLE = 16


@safe_repr
class Moved(NamedTuple):
    """The year, month and day to write; what was not written stays none."""

    year: int | None
    month: int | None
    day: int | None


def lumped(date: Written, rule: str) -> Moved:
    """The first of the month, of the nearest month, or of the year.

    The rule ``month-only`` says the month too; the day is then left out when it is written.
    """
    day = None if date.day is None else 1
    if rule == "year":
        return Moved(date.year, None if date.month is None else 1, day)
    if rule == "nearest" and date.day is not None and date.day >= _MIDDLE and date.month:
        if date.month == 12:
            return Moved(None if date.year is None else date.year + 1, 1, day)
        return Moved(date.year, date.month + 1, day)
    return Moved(date.year, date.month, day)


def shifted(date: Written, shift: Stream) -> Moved | None:
    """The date some days away, as many for all dates of a person; none if that is no date.

    A month is taken as its 15th, a year as its 1st of July, and a day without its year as one of
    2001 (2004 for the 29th of February): there the time between dates is near, not exact.
    """
    if date.month is None and date.year is None:
        return None
    leap = date.month == 2 and date.day == 29
    year = date.year if date.year is not None else 2004 if leap else 2001
    month, day = (7, 1) if date.month is None else (date.month, date.day or 15)
    try:
        moved = datetime.date(year, month, day) + datetime.timedelta(days(shift))
    except (ValueError, OverflowError):
        return None
    return Moved(
        None if date.year is None else moved.year,
        None if date.month is None else moved.month,
        None if date.day is None else moved.day,
    )


def days(shift: Stream) -> int:
    """By how many days a person's dates move: 1 to 365, back or forth."""
    number = shift.number("days", "", 2 * FARTHEST)
    return number - FARTHEST if number < FARTHEST else number - FARTHEST + 1
