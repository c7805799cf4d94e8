"""Columns of which each value is read: ZIP codes, ages and dates."""

from __future__ import annotations

from discreet.identify.recognizers import Item
from discreet.safe_harbor.checked import ColumnStanding, Question, Standing
from discreet.safe_harbor.seen import Seen, rows

ZIP3 = "Give it technique: zip3"
AGE = "Give it technique: {top_code: {at: 90}}"


def zip_column(seen: Seen) -> ColumnStanding:
    """Rule (B): three digits of areas with enough people, or 000."""
    met, place = seen.tally, Item.PLACES
    long = met["five"] + met["plus four"] + met["zeros lost"]
    parts = [
        _part(met["five"] + met["plus four"], "more than three digits of a ZIP code"),
        _part(met["zeros lost"], "a ZIP code whose leading zeros a spreadsheet has dropped"),
        _part(met["small"], "three digits where 20,000 or fewer people live, instead of 000"),
        _part(met["other"], "no ZIP code of the United States, so no exception applies"),
    ]
    if long or met["small"] or met["other"]:
        return seen.stands(Standing.breaks, place, _told(parts), ZIP3)
    return seen.stands(Standing.meets, place, "three digits of areas with more people, or 000")


def age_column(seen: Seen, capped: bool) -> ColumnStanding:
    """Rule (C): no age over 89; ``capped`` if 90 stands for 90 or older."""
    met, dates = seen.tally, Item.DATES
    over = met["over"] + (met["beyond"] if capped else met["reaching"])
    if over:
        why = f"{rows(over)} tell an age over 89 other than as 90 or older"
        return seen.stands(Standing.breaks, dates, why, AGE)
    if met["ninety"] and not capped:
        why = f"{rows(met['ninety'])} say 90, and none more: does 90 stand for 90 or older?"
        return seen.stands(Standing.look, dates, why, f"{AGE}, or write 90+")
    if met["other"]:
        why = f"{rows(met['other'])} could not be read as ages"
        return seen.stands(Standing.look, dates, why, "Write ages in years, as numbers")
    return seen.stands(Standing.meets, dates, "no age over 89, or all of them as 90 or older")


def date_column(seen: Seen, question: Question) -> ColumnStanding:
    """Rule (C): years only, and none that shows an age over 89."""
    met, dates = seen.tally, Item.DATES
    fix = f"Give it technique: {{year: {{as_of: '{question.cutoff.day}'}}}}"
    parts = [
        _part(met["day"] + met["two-digit year"], "a day"),
        _part(met["month"], "a month, a quarter, a week or a weekday"),
        _part(met["old"], f"{question.cutoff.year} or an earlier year, so an age over 89"),
    ]
    if any(parts):
        return seen.stands(Standing.breaks, dates, _told(parts), fix)
    kind = "" if seen.recognizer is None else seen.recognizer.kind
    if met["two digits"] and kind in ("birth date", "birth year"):
        why = f"{rows(met['two digits'])} tell two digits, which may be those of a year"
        return seen.stands(Standing.look, dates, why, "Write years with four digits")
    if met["reaching"]:
        why = f"{rows(met['reaching'])} tell a span of years that may show an age over 89"
        return seen.stands(Standing.look, dates, why, fix)
    if met["other"]:
        why = f"{rows(met['other'])} could not be read as dates or years"
        return seen.stands(Standing.look, dates, why, f"{fix}, or leave it out")
    return seen.stands(Standing.meets, dates, "years only, and none that shows an age over 89")


def _part(count: int, what: str) -> str:
    return f"{rows(count)} {'tells' if count == 1 else 'tell'} {what}" if count else ""


def _told(parts: list[str]) -> str:
    return "; ".join(part for part in parts if part)
