"""Dates: generalized or shifted, in the form found; relative dates are kept or removed.

Notes
-----
[Sweeney2001]_, sec. 9.3.1, fig. 108 and 110.

Departures: see the sections below. Figure 108 leaves the day out (``February,
1994``); that is ``month-only`` here.

Cost: some tens of microseconds for a date that is new in its scope.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.scrubbing.replace.context import Context, Stream
from discreet.scrubbing.replace.words import Words, copy_case

# Written dates, parsed so that they can be written again in the same form.
#
# Notes
# -----
# [Sweeney2001]_, fig. 110: March 1, 1991; 3/1/91; first of March; 1-MAR-91; 03-01-91; March 1st.
#
# Departures: two-digit years below 50 belong to the 2000s.
#
# Cost: a few tens of microseconds for a date that is new in its scope.


_TIME = (
    r"\d{1,2}(?::\d{2}){1,2}(?:[.,]\d+)?(?:\s?[ap]\.?m\b\.?)?(?:\s?uhr\b)?(?:\s?(?:z|utc|gmt)\b)?"
    r"(?:\s?[+-]\d{2}:?\d{2})?|\d{1,2}\s?[ap]\.?m\b\.?"
)
_YEAR = r"['’]?(?P<year>\d{4}|\d{2})"
_DAY = r"(?P<day>\d{1,2})(?P<ending>ENDINGS)?"
_FORMS = (
    r"(?P<year>\d{4})(?P<s>[-/.])(?P<month>\d{1,2})(?P=s)(?P<day>\d{1,2})",
    r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)",
    r"(?P<a>\d{1,2})\s?(?P<s>[-/.])\s?(?P<b>\d{1,2})\s?(?P=s)\s?(?P<year>\d{4}|\d{2})",
    r"(?P<month>\d{1,2})\s?[-/.]\s?(?P<year>\d{4})",
    r"(?P<year>\d{4})[-/](?P<month>\d{1,2})",
    r"(?P<a>\d{1,2})[-/.](?P<b>\d{1,2})\.?",
    r"MONTH\.?(?:\s*,|\s+OF|-)?\s*['’]?(?P<year>\d{4}|(?<=['’])\d\d)",
    rf"MONTH\.?\s*[-,./]?\s*(?:BEFORE\s+)?{_DAY}(?!\d)(?:\s*[,./-]?\s*{_YEAR})?",
    rf"(?:BEFORE\s+)*{_DAY}\.?[\s/-]*(?:(?:day\s+)?OF\s+)?MONTH(?:\.?\s*[,/-]?\s*(?:OF\s+)?{_YEAR})?",
    rf"(?:BEFORE\s+)*(?P<dayword>ORDINALS)\s+(?:(?:day\s+)?OF\s+)?MONTH(?:\.?\s*,?\s*(?:OF\s+)?{_YEAR})?",
    rf"MONTH\.?\s+(?:BEFORE\s+)?(?P<dayword>ORDINALS)(?:\s*,?\s*{_YEAR})?",
    r"MONTH\.?",
    r"['’]?(?P<year>(?:1[789]|20)\d\d|(?<=['’])\d\d)",
    r"(?:BEFORE\s+)*(?P<day>\d{1,2})(?P<ending>ENDINGS)",
)


@dataclass(frozen=True, repr=False)
class Written:
    """A date in a text: its value, and the places of its parts in the text."""

    text: str
    places: dict[str, tuple[int, int]]
    year: int | None
    month: int | None
    day: int | None

    def part(self, name: str) -> str:
        """A part as it is written."""
        start, end = self.places[name]
        return self.text[start:end]


def read_date(text: str, words: Words) -> Written | None:
    """Parse a written date; None if its form is unknown or its month or day is impossible."""
    for form in compile_forms(words):
        match = form.fullmatch(text)
        if match:
            found = _read_match(match, words)
            if found is not None:
                return found
    return None


@lru_cache(maxsize=8)
def compile_forms(words: Words) -> tuple[re.Pattern[str], ...]:
    """The forms of dates in a language."""
    put = {
        "MONTH": rf"(?P<monthname>{_join_alternatives(number_months(words))})(?![^\W\d_])",
        "ENDINGS": words.any_of("day_endings"),
        "ORDINALS": words.any_of("ordinals"),
        "BEFORE": f"(?:{words.any_of('before_day')})",
        "OF": f"(?:{words.any_of('of')})",
    }
    weekdays = _join_alternatives(number_weekdays(words))
    head = rf"\s*(?:(?P<weekday>{weekdays})\b\.?\s*,?\s*(?:{words.any_of('before_day')})?\s*)?"
    tail = rf"(?:(?:\s*,)?(?:\s*T|\s+(?:{words.any_of('at')})|\s)\s*(?P<time>{_TIME}))?\s*,?"
    filled = []
    for form in _FORMS:
        for name, pattern in put.items():
            form = form.replace(name, pattern)
        filled.append(re.compile(f"{head}(?:{form}){tail}", re.IGNORECASE))
    return tuple(filled)


@lru_cache(maxsize=8)
def number_months(words: Words) -> dict[str, int]:
    """Months by name, 1 to 12."""
    return _number_names(words, "months", 1)


@lru_cache(maxsize=8)
def number_weekdays(words: Words) -> dict[str, int]:
    """Days of the week by name, Monday is 0."""
    return _number_names(words, "weekdays", 0)


def _number_names(words: Words, name: str, first: int) -> dict[str, int]:
    full = {word: n for n, word in enumerate(words.order(name), first)}
    short = {word: n for n, word in enumerate(words.order(f"short_{name}"), first)}
    return full | short | words.numbers(f"other_{name}")


def _join_alternatives(names: dict[str, int]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


def _read_match(match: re.Match[str], words: Words) -> Written | None:
    """The date of a match, with numbers in the language's order."""
    groups = {name: text for name, text in match.groupdict().items() if text is not None}
    places = {name: match.span(name) for name in groups}
    if "a" in groups:
        _order(groups, places, words.text("date_order") == "mdy")
    year, month, day = (
        _read_number(groups, "year"),
        _read_number(groups, "month"),
        _read_number(groups, "day"),
    )
    if year is not None and len(groups["year"]) == 2:
        year += 2000 if year < 50 else 1900
    if "monthname" in groups:
        month = number_months(words)[groups["monthname"].lower()]
    if "dayword" in groups:
        day = 1 + words.order("ordinals").index(groups["dayword"].lower())
    if (month is not None and not 1 <= month <= 12) or (day is not None and not 1 <= day <= 31):
        return None
    return Written(match.string, places, year, month, day)


def _order(groups: dict[str, str], places: dict[str, tuple[int, int]], month_first: bool) -> None:
    """Decide which of two numbers is the month: by the language, unless only the other can be."""
    a, b = int(groups["a"]), int(groups["b"])
    if "year" not in groups and b > 31:
        names = ("month", "year")
    elif month_first:
        names = ("day", "month") if a > 12 else ("month", "day")
    else:
        names = ("month", "day") if b > 12 else ("day", "month")
    for old, new in zip("ab", names, strict=True):
        groups[new], places[new] = groups.pop(old), places.pop(old)


def _read_number(groups: dict[str, str], name: str) -> int | None:
    return int(groups[name]) if name in groups else None


# What a date becomes: the first of its month, of the nearest month, of the year, or shifted.
#
# Notes
# -----
# [Sweeney2001]_, sec. 9.3.1: "the replacement date may involve lumping days to the first of the
# nearest month or some other grouping".
#
# Departures: by default the month is kept (``month``); the thesis' nearest month (``nearest``)
# moves the 26th of May to June. ``shift`` is ours: all dates of a person move by the same number of
# days, so intervals between them stay.
#
# Cost: a microsecond.


FARTHEST = 365
_MIDDLE = 16


@safe_repr
class Moved(NamedTuple):
    """The year, month and day to write; parts that were not written stay None."""

    year: int | None
    month: int | None
    day: int | None


def generalize_date(date: Written, rule: str) -> Moved:
    """The first of the month, of the nearest month, or of the year.

    The rule ``month-only`` generalizes like ``month``; the day is then dropped in writing.
    """
    day = None if date.day is None else 1
    if rule == "year":
        return Moved(date.year, None if date.month is None else 1, day)
    if rule == "nearest" and date.day is not None and date.day >= _MIDDLE and date.month:
        if date.month == 12:
            return Moved(None if date.year is None else date.year + 1, 1, day)
        return Moved(date.year, date.month + 1, day)
    return Moved(date.year, date.month, day)


def shift_date(date: Written, shift: Stream) -> Moved | None:
    """The date moved by ``shift`` days, the same for all dates of a person; None if out of range.

    A month is taken as its 15th, a year as its 1st of July, and a day without its year as one of
    2001 (2004 for the 29th of February): intervals between such dates are approximate.
    """
    if date.month is None and date.year is None:
        return None
    leap = date.month == 2 and date.day == 29
    year = date.year if date.year is not None else 2004 if leap else 2001
    month, day = (7, 1) if date.month is None else (date.month, date.day or 15)
    try:
        moved = datetime.date(year, month, day) + datetime.timedelta(draw_shift_days(shift))
    except (ValueError, OverflowError):
        return None
    return Moved(
        None if date.year is None else moved.year,
        None if date.month is None else moved.month,
        None if date.day is None else moved.day,
    )


def draw_shift_days(shift: Stream) -> int:
    """The number of days by which a person's dates move: 1 to 365, back or forth."""
    number = shift.number("days", "", 2 * FARTHEST)
    return number - FARTHEST if number < FARTHEST else number - FARTHEST + 1


RULES = ("month", "nearest", "month-only", "year", "shift", "keep")
_WORD = re.compile(r"[^\W_]+")
_CLOCK = re.compile(
    r"\d{1,2}(?::\d{2}){1,2}(?:\s?(?:[ap]\.?m\.?|uhr))?|\d{1,2}\s?(?:[ap]\.?m\.?|uhr)", re.I
)
_DECADE = re.compile(r"(?:(?:the|early|mid|late)[\s-]+)*(?:\d{2})?['’]?\d0['’]?s", re.I)


def replace_date(found: str, kind: str, context: Context) -> str | None:
    """A date in the form found; None if its form is not known."""
    if context.choices.dates == "keep":
        return found
    written = read_date(found, context.words)
    if written is not None:
        return _rewrite_date(written, context)
    if _CLOCK.fullmatch(found) or _DECADE.fullmatch(found):
        return found
    if _is_relative(found, context.words):
        return found if context.choices.relative == "keep" else None
    if _is_season(found, context.words):
        return found if context.choices.dates in ("month", "nearest", "month-only") else None
    return _replace_range(found, kind, context)


def _rewrite_date(written: Written, context: Context) -> str | None:
    rule = context.choices.dates
    moved = (
        shift_date(written, context.shift) if rule == "shift" else generalize_date(written, rule)
    )
    if moved is None:
        return None
    new = _write_parts(written, moved, context.words, lump=rule != "shift")
    if rule == "month-only" and written.day is not None:
        return _drop_day(written, new)
    return _put(written.text, written.places, new)


def _write_parts(written: Written, moved: Moved, words: Words, lump: bool) -> dict[str, str]:
    """The new text of each written part."""
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
        new["monthname"] = _write_name(written.part("monthname"), moved.month, words, "months")
    if "dayword" in written.places and moved.day is not None:
        new["dayword"] = copy_case(written.part("dayword"), words.order("ordinals")[moved.day - 1])
    if "ending" in written.places and moved.day is not None:
        new["ending"] = copy_case(written.part("ending"), _choose_ending(moved.day, words))
    if "weekday" in written.places:
        new["weekday"] = _write_weekday(written, moved, words)
    if "time" in written.places and lump:
        new["time"] = _write_midnight(written.part("time"))
    return new


def _is_wide(written: Written) -> bool:
    """Whether numbers below 10 get a leading zero; in numeric dates unless the form has none."""
    parts = [written.part(name) for name in ("month", "day") if name in written.places]
    if any(part[0] == "0" for part in parts):
        return True
    return "month" in written.places and all(len(part) == 2 for part in parts)


def _write_name(found: str, number: int, words: Words, lists: str) -> str:
    """A month or weekday in a name of the same form: March, Mar."""
    first, numbers = (1, number_months) if lists == "months" else (0, number_weekdays)
    if numbers(words)[found.lower()] == number:
        return found
    full = found.lower() in words.order(lists)
    return copy_case(found, words.order(lists if full else f"short_{lists}")[number - first])


def _choose_ending(day: int, words: Words) -> str:
    endings = words.order("day_endings")
    if 10 < day % 100 < 14 or not 1 <= day % 10 <= 3:
        return endings[-1]
    return endings[day % 10 - 1]


def _write_weekday(written: Written, moved: Moved, words: Words) -> str:
    """The right day of the week, or nothing if the year, month or day is missing."""
    if moved.year is None or moved.month is None or moved.day is None:
        return ""
    number = datetime.date(moved.year, moved.month, moved.day).weekday()
    return _write_name(written.part("weekday"), number, words, "weekdays")


def _write_midnight(time: str) -> str:
    """Midnight, in the form of the time of day found."""
    twelve = bool(re.search(r"[ap]\.?m", time, re.IGNORECASE))
    clock = re.sub(r"\d", "0", time)
    if not twelve:
        return clock
    clock = re.sub(r"^0+", "12", clock)
    return re.sub(r"p(?=\.?m)", "a", re.sub(r"P(?=\.?M)", "A", clock))


def _put(text: str, places: Mapping[str, tuple[int, int]], new: Mapping[str, str]) -> str:
    """The text with some parts rewritten; a part that is removed takes its mark along."""
    for name, (start, end) in sorted(places.items(), key=lambda item: -item[1][0]):
        if name in new:
            rest = text[end:]
            text = text[:start] + new[name] + (rest if new[name] else rest.lstrip(" ,."))
    return text


def _drop_day(written: Written, new: Mapping[str, str]) -> str | None:
    """The date with year and month only: ``February, 1994``, ``05/86``."""
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
    """Whether all words are words for relative dates."""
    told = [word.lower() for word in _WORD.findall(found)]
    known, weekdays = words.set("relative"), number_weekdays(words)
    numbers = [word for word in told if word.isdecimal() and len(word) <= 2]
    rest = [w for w in told if w not in known and w not in weekdays and w not in numbers]
    return bool(told) and not rest and len(numbers) < len(told)


def _is_season(found: str, words: Words) -> bool:
    told = [word.lower() for word in _WORD.findall(found)]
    seasons = [word for word in told if word in words.set("seasons")]
    rest = [w for w in told if w not in seasons and not re.fullmatch(r"\d{2}|\d{4}", w)]
    return bool(seasons) and not rest


def _replace_range(found: str, kind: str, context: Context) -> str | None:
    """Two dates with a word or dash between them; None if either is not understood."""
    for between in _compile_between(context.words).finditer(found):
        sides = found[: between.start()], found[between.end() :]
        if all(read_date(side, context.words) for side in sides):
            new = [replace_date(side, kind, context) for side in sides]
            return None if None in new else f"{new[0]}{between[0]}{new[1]}"
    return None


@lru_cache(maxsize=8)
def _compile_between(words: Words) -> re.Pattern[str]:
    return re.compile(rf"\s*[-–—]\s*|\s+(?:{words.any_of('to')})\s+", re.IGNORECASE)
