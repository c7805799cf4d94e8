"""Dates in a person's life."""

from __future__ import annotations

import re

from discreet.kinds.recognizer import Item, Recognizer
from discreet.table.table import Role

_MONTH = (
    "jan|feb|mar|mrt|mrz|apr|avr|abr|may|mai|mei|mayo|jun|juin|jul|juil|aug|aout|ago|sep|sept|set"
    "|oct|okt|nov|dec|dez|dic|ene|fev"
)
_TIME = r"([T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?( ?[AaPp][Mm])?( ?(Z|UTC|[+-]\d{2}:?\d{2}))?)?"
_DATE = re.compile(
    r"(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})" + _TIME
    + r"|(?P<a>\d{1,2})(?P<t>[-/.])(?P<b>\d{1,2})(?P=t)(?P<z>\d{4}|\d{2})" + _TIME
    + rf"|\d{{1,2}}[. -]*({_MONTH})[a-z]*\.?[,. -]+(\d{{4}}|\d{{2}})"
    + rf"|({_MONTH})[a-z]*\.? +\d{{1,2}}(st|nd|rd|th)?,? +\d{{4}}"
    + rf"|(\d{{4}})[- ]({_MONTH})[a-z]*[- ]\d{{1,2}}",
    re.IGNORECASE,
)  # fmt: skip
_COMPACT = re.compile(r"(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
_MONTH_ONLY = re.compile(r"(19|20)\d\d[-/.](0?[1-9]|1[0-2])|(0?[1-9]|1[0-2])[-/.](19|20)\d\d")
_YEAR = re.compile(r"(18|19|20)\d\d")


def is_date(value: str) -> bool:
    """A day of the calendar, with or without the time."""
    found = _DATE.fullmatch(value)
    if found is None:
        return False
    if found["y"]:
        return int(found["m"]) in range(1, 13) and int(found["d"]) in range(1, 32)
    if found["a"]:
        first, second = int(found["a"]), int(found["b"])
        return 0 < min(first, second) <= 12 and max(first, second) <= 31
    return True


def may_be_date(value: str) -> bool:
    """A day, a month of a year, a year, or a day written as eight digits."""
    forms = (_COMPACT, _MONTH_ONLY, _YEAR)
    return is_date(value) or any(form.fullmatch(value) for form in forms)


def is_year(value: str) -> bool:
    """A year in which someone alive today could have been born."""
    return _YEAR.fullmatch(value) is not None


# Dates in a text. There a year has two digits as often as four, day and month come in any order,
# and the detector has settled the form: only the numbers are checked.


def may_be_date_in_text(text: str) -> bool:
    """Whether numbers can be day, month and year in some order, or month and year.

    Examples
    --------
    >>> [may_be_date_in_text(text) for text in ("3/1/91", "31.12.2020", "2024-13-01", "45/12/99")]
    [True, True, False, False]
    """
    parts = [int(p) for p in re.findall(r"\d+", text)[:3]]
    if len(parts) < 3:
        return False
    if parts[0] > 31:
        year, month, day = parts
        return _is_year(year) and _is_day(month, day) and len(str(year)) == 4
    return _is_year(parts[2]) and (_is_day(parts[0], parts[1]) or _is_day(parts[1], parts[0]))


def _is_year(year: int) -> bool:
    return year < 100 or 1700 <= year <= 2199


def _is_day(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def is_joined_date(text: str) -> bool:
    """Whether eight digits are a date of a person's lifetime: 19910301.

    Examples
    --------
    >>> is_joined_date("19910301"), is_joined_date("19911301")
    (True, False)
    """
    dashed = f"{text[:4]}-{text[4:6]}-{text[6:]}"
    return may_be_date_in_text(dashed) and 1880 <= int(text[:4]) <= 2099


BIRTH = Recognizer(
    "birth date", "dates of birth", "dates", Role.quasi, Item.DATES,
    names=("birth", "birth date", "birthday", "date of birth", "dob", "birth dt", "bdate", "born",
           "born on", "geburtsdatum", "geburtstag", "geb datum", "gebdat", "geboren",
           "geboortedatum", "geb dat", "date de naissance", "date naissance", "ddn", "naissance",
           "fecha de nacimiento", "fecha nacimiento", "fecha nac", "nacimiento"),
    fits=may_be_date,
    examples=("1965-09-20", "19650920", "09/1965"), counterexamples=("yes", "65", "1965-20-33"),
)  # fmt: skip
BIRTH_YEAR = Recognizer(
    "birth year", "years of birth", "dates", Role.quasi,
    names=("birth year", "year of birth", "yob", "geburtsjahr", "geboortejaar",
           "annee de naissance", "ano de nacimiento"),
    fits=is_year, examples=("1965",), counterexamples=("65", "1965-09-20"),
)  # fmt: skip
EVENT = Recognizer(
    "date", "dates about a person", "dates", Role.quasi, Item.DATES,
    names=("admission", "admission date", "date of admission", "admit date", "discharge",
           "discharge date", "date of discharge", "death date", "date of death", "dod", "died",
           "visit date", "date of visit", "service date", "date of service", "encounter date",
           "=visit", "visited", "registered", "created", "enrolled", "appointment",
           "diagnosis date", "date of diagnosis", "diagnosedatum", "date of surgery",
           "operationsdatum", "vaccination date", "impfdatum", "date of infection", "test date",
           "sample date", "surgery date", "operation date", "registration date", "hire date",
           "start date", "end date", "enrollment date", "wedding date", "marriage date",
           "offence date", "arrest date", "date", "timestamp", "datetime", "created at",
           "updated at", "datum", "aufnahmedatum", "entlassungsdatum", "todesdatum", "sterbedatum",
           "eintrittsdatum", "opnamedatum", "ontslagdatum", "overlijdensdatum", "date d admission",
           "date de sortie", "date de deces", "fecha", "fecha de ingreso", "fecha de alta",
           "fecha de defuncion"),
    fits=may_be_date, proof=is_date, weak=True,
    examples=("2020-01-31", "31.01.2020", "1/31/2020", "31-Jan-2020", "January 31, 2020",
              "2020-01-31T10:11:12Z", "2020/01/31 10:11"),
    counterexamples=("2020", "617-555-0100", "1.2.3.4", "2020-13-45", "10:11", "20200131"),
)  # fmt: skip

ALL = (BIRTH, BIRTH_YEAR, EVENT)
