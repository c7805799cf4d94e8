"""Dates and ages in the forms that people write."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from tests.scrubbing.corpus.mark import Mark


def day(rng: Random, first: int = 1990, last: int = 2025) -> date:
    """Some day in these years."""
    start = date(first, 1, 1)
    return start + timedelta(days=rng.randrange((date(last, 12, 31) - start).days))


def written(rng: Random, when: date, locale: str = "us") -> Mark:
    """A full date in one of many forms."""
    month, short = when.strftime("%B"), when.strftime("%b")
    number, ordinal = when.day, f"{when.day}{_suffix(when.day)}"
    forms = {
        "month d, y": f"{month} {number}, {when.year}",
        "weekday": f"{when:%A}, {month} {number}, {when.year}",
        "m/d/y": f"{when.month}/{number}/{when:%y}",
        "mm/dd/yyyy": f"{when:%m/%d/%Y}",
        "mm-dd-yy": f"{when:%m-%d-%y}",
        "d-MON-yy": f"{number}-{short.upper()}-{when:%y}",
        "iso": when.isoformat(),
        "d month y": f"{number} {month} {when.year}",
        "mon d y": f"{short}. {number}, {when.year}",
        "ordinal": f"{month} {ordinal}, {when.year}",
        "ordinal of": f"{ordinal} of {month} {when.year}",
        "dots": f"{when:%d.%m.%Y}",
    }
    if locale == "uk":
        forms |= {"uk slash": f"{when:%d/%m/%Y}", "uk ordinal": f"{ordinal} {month} {when.year}"}
    form = rng.choice(list(forms))
    return Mark(forms[form], "DATE", form)


def without_year(rng: Random, when: date) -> Mark:
    """A day of a month."""
    month, ordinal = when.strftime("%B"), f"{when.day}{_suffix(when.day)}"
    forms = {
        "month d": f"{month} {when.day}",
        "month dth": f"{month} {ordinal}",
        "d of month": f"{ordinal} of {month}",
        "m/d": f"{when.month}/{when.day}",
        "d mon": f"{when.day} {when:%b}",
    }
    form = rng.choice(list(forms))
    return Mark(forms[form], "DATE", form)


def month_year(rng: Random, when: date) -> Mark:
    """A month with its year: allowed to stay, as in figure 108."""
    forms = (f"{when:%B} {when.year}", f"{when:%B} of {when.year}", f"{when:%b} {when.year}")
    return Mark(rng.choice(forms), "DATE", "month year", optional=True)


def relative(rng: Random) -> Mark:
    """A day told from another: allowed to stay."""
    told = ("yesterday", "last Tuesday", "next Monday", "two weeks ago", "tomorrow", "on Friday")
    return Mark(rng.choice(told), "DATE", "relative", optional=True)


def old_age(rng: Random) -> Mark:
    """An age that says a lot."""
    years = rng.randrange(90, 105)
    return Mark(str(years), "AGE", "over 89")


def age(rng: Random) -> Mark:
    """An age that says little: allowed to stay."""
    return Mark(str(rng.randrange(19, 89)), "AGE", "age", optional=True)


def _suffix(number: int) -> str:
    if number in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
