"""Dates: to the month or shifted, written as they were found; relative ones kept or removed.

Notes
-----
[Sweeney2001]_, sec. 9.3.1, fig. 108 and 110.

Departures: see ``date_form.py`` and ``date_rule.py``. Figure 108 leaves the day out (``February,
1994``); that is ``month-only`` here.

Cost: some tens of microseconds for a date that is new in its scope.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from functools import lru_cache

from discreet.scrub.replace.case import written_like
from discreet.scrub.replace.context import Context
from discreet.scrub.replace.date_form import (
    Written,
    month_numbers,
    read_date,
    weekday_numbers,
)
from discreet.scrub.replace.date_rule import Moved, lumped, shifted
from discreet.scrub.replace.words import Words

RULES = ("month", "nearest", "month-only", "year", "shift", "keep")
_WORD = re.compile(r"[^\W_]+")
_CLOCK = re.compile(
    r"\d{1,2}(?::\d{2}){1,2}(?:\s?(?:[ap]\.?m\.?|uhr))?|\d{1,2}\s?(?:[ap]\.?m\.?|uhr)", re.I
)
_DECADE = re.compile(r"(?:(?:the|early|mid|late)[\s-]+)*(?:\d{2})?['’]?\d0['’]?s", re.I)


def date(found: str, kind: str, context: Context) -> str | None:
    """A date in the form found; none if its form is not known."""
    if context.choices.dates == "keep":
        return found
    written = read_date(found, context.words)
    if written is not None:
        return _replaced(written, context)
    if _CLOCK.fullmatch(found) or _DECADE.fullmatch(found):
        return found
    if _is_relative(found, context.words):
        return found if context.choices.relative == "keep" else None
    if _is_season(found, context.words):
        return found if context.choices.dates in ("month", "nearest", "month-only") else None
    return _range(found, kind, context)


def _replaced(written: Written, context: Context) -> str | None:
    rule = context.choices.dates
    moved = shifted(written, context.shift) if rule == "shift" else lumped(written, rule)
    if moved is None:
        return None
    new = _parts(written, moved, context.words, lump=rule != "shift")
    if rule == "month-only" and written.day is not None:
        return _without_day(written, new)
    return _put(written.text, written.places, new)


def _parts(written: Written, moved: Moved, words: Words, lump: bool) -> dict[str, str]:
    """The new text of each part that is written."""
    new: dict[str, str] = {}
    wide = _is_wide(written)
    if moved.year is not None:
        new["year"] = (
            f"{moved.year % 100:02d}" if len(written.part("year")) == 2 else (f"{moved.year:04d}")
        )
    for name, value in (("month", moved.month), ("day", moved.day)):
        if name in written.places and value is not None:
            new[name] = f"{value:02d}" if wide else str(value)
    if "monthname" in written.places and moved.month is not None:
        new["monthname"] = _named(written.part("monthname"), moved.month, words, "months")
    if "dayword" in written.places and moved.day is not None:
        new["dayword"] = written_like(
            written.part("dayword"), words.order("ordinals")[moved.day - 1]
        )
    if "ending" in written.places and moved.day is not None:
        new["ending"] = written_like(written.part("ending"), _ending(moved.day, words))
    if "weekday" in written.places:
        new["weekday"] = _weekday(written, moved, words)
    if "time" in written.places and lump:
        new["time"] = _midnight(written.part("time"))
    return new


def _is_wide(written: Written) -> bool:
    """Whether small numbers have a zero before them; in numeric dates if nothing speaks against."""
    parts = [written.part(name) for name in ("month", "day") if name in written.places]
    if any(part[0] == "0" for part in parts):
        return True
    return "month" in written.places and all(len(part) == 2 for part in parts)


def _named(found: str, number: int, words: Words, lists: str) -> str:
    """A month or weekday in the same length of name: March, Mar."""
    first, numbers = (1, month_numbers) if lists == "months" else (0, weekday_numbers)
    if numbers(words)[found.lower()] == number:
        return found
    full = found.lower() in words.order(lists)
    return written_like(found, words.order(lists if full else f"short_{lists}")[number - first])


def _ending(day: int, words: Words) -> str:
    endings = words.order("day_endings")
    if 10 < day % 100 < 14 or not 1 <= day % 10 <= 3:
        return endings[-1]
    return endings[day % 10 - 1]


def _weekday(written: Written, moved: Moved, words: Words) -> str:
    """The right day of the week, or nothing if the year, month or day is not told."""
    if moved.year is None or moved.month is None or moved.day is None:
        return ""
    number = datetime.date(moved.year, moved.month, moved.day).weekday()
    return _named(written.part("weekday"), number, words, "weekdays")


def _midnight(time: str) -> str:
    """A time of day as midnight, in its form."""
    twelve = bool(re.search(r"[ap]\.?m", time, re.IGNORECASE))
    clock = re.sub(r"\d", "0", time)
    if not twelve:
        return clock
    clock = re.sub(r"^0+", "12", clock)
    return re.sub(r"p(?=\.?m)", "a", re.sub(r"P(?=\.?M)", "A", clock))


def _put(text: str, places: Mapping[str, tuple[int, int]], new: Mapping[str, str]) -> str:
    """The text with some of its parts written anew; a part that goes takes its mark along."""
    for name, (start, end) in sorted(places.items(), key=lambda item: -item[1][0]):
        if name in new:
            rest = text[end:]
            text = text[:start] + new[name] + (rest if new[name] else rest.lstrip(" ,."))
    return text


def _without_day(written: Written, new: Mapping[str, str]) -> str | None:
    """The date with year and month alone: ``February, 1994``, ``05/86``."""
    places = written.places
    if "month" in places:
        if "year" not in places:
            return None
        mark = written.part("s") if "s" in places else ""
        names = ("year", "month") if places["year"] < places["month"] else ("month", "year")
        return mark.join(new[name] for name in names)
    if "monthname" not in places or "year" not in places:
        return new.get("monthname")
    day_end = max(places[k][1] for k in ("day", "dayword", "ending") if k in places)
    gap = written.text[max(day_end, places["monthname"][1]) : places["year"][0]]
    return new["monthname"] + gap + new["year"]


def _is_relative(found: str, words: Words) -> bool:
    """Whether all words are of the kind that dates are told from today with."""
    told = [word.lower() for word in _WORD.findall(found)]
    known, weekdays = words.set("relative"), weekday_numbers(words)
    numbers = [word for word in told if word.isdecimal() and len(word) <= 2]
    rest = [w for w in told if w not in known and w not in weekdays and w not in numbers]
    return bool(told) and not rest and len(numbers) < len(told)


def _is_season(found: str, words: Words) -> bool:
    told = [word.lower() for word in _WORD.findall(found)]
    seasons = [word for word in told if word in words.set("seasons")]
    rest = [w for w in told if w not in seasons and not re.fullmatch(r"\d{2}|\d{4}", w)]
    return bool(seasons) and not rest


def _range(found: str, kind: str, context: Context) -> str | None:
    """Two dates with a word or dash between them; none if either is not understood."""
    for between in _between(context.words).finditer(found):
        sides = found[: between.start()], found[between.end() :]
        if all(read_date(side, context.words) for side in sides):
            new = [date(side, kind, context) for side in sides]
            return None if None in new else f"{new[0]}{between[0]}{new[1]}"
    return None


@lru_cache(maxsize=8)
def _between(words: Words) -> re.Pattern[str]:
    return re.compile(rf"\s*[-–—]\s*|\s+(?:{words.any_of('to')})\s+", re.IGNORECASE)
