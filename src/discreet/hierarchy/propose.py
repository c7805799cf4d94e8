"""A first hierarchy for a column, from its name and values, for the data holder to edit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from discreet.hierarchy.date_formats import find_fitting_formats
from discreet.hierarchy.dates import Dates, read_dates
from discreet.hierarchy.flat import Flat
from discreet.hierarchy.hierarchy import Builder
from discreet.hierarchy.intervals import Intervals
from discreet.hierarchy.numbers import read_numbers
from discreet.hierarchy.prefix import Prefix
from discreet.hierarchy.propose_rest import propose_codes, propose_dates, take_rest
from discreet.hierarchy.refusals import AmbiguousDatesError, UnreadableValuesError

FEW = 5  # as many different values or fewer are categories, numbers too
FINEST = 16  # about so many intervals at level 1
LONGEST_CODE = 12
CODE_NAMES = re.compile(
    r"zip|post.?(al)?.?code|postcode|plz|npa|cap$|icd|fips|nuts|naics|sic", re.I
)
CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 .\-]*", re.ASCII)


def propose(column: str, values: Sequence[str | None]) -> Builder:
    """Suggest how to blur a column: dates by month and year, codes by prefix, numbers by interval.

    Anything else, and whatever has only a few different values, is released as found or not at
    all. A few values that do not fit the others (``90+``, a ZIP+4, a word) become a rest. The
    proposal always builds on the values it was made from. Dates whose day and month cannot be told
    apart get no proposal: the data holder has to say the format.

    >>> propose("age", [str(age) for age in range(17, 91)])
    Intervals(widths=(5, 10, 20), origin=0, bottom=None, top=None)
    """
    texts = [value for value in values if value is not None]
    if len(texts) <= FEW:
        return Flat()
    numbers = [number for number in read_numbers(texts) if number is not None]
    numeric = len(numbers) == len(texts)
    dates = _propose_dates(column, texts) if not numeric or _has_eight_digits(texts) else None
    codes = None if dates else _propose_prefix(column, texts, numeric)
    exact = dates or codes or (_propose_intervals(numbers) if numeric else None)
    return exact or _propose_rest(column, texts, numbers) or Flat()


def _propose_rest(
    column: str, texts: Sequence[str], numbers: Sequence[Decimal | int]
) -> Builder | None:
    """Suggest a hierarchy that takes the few values that are not like the others."""
    if len(numbers) == len(texts):
        return None
    dates = propose_dates(texts).builder
    codes = propose_codes(bool(CODE_NAMES.search(column)), texts).builder
    widths = _propose_intervals(numbers) if numbers else None
    rest = take_rest(widths, texts).builder if isinstance(widths, Intervals) else None
    return dates or codes or rest


def _propose_prefix(column: str, texts: Sequence[str], numeric: bool) -> Builder | None:
    """Suggest prefixes for codes of one length: a leading zero or the column's name tells."""
    length = len(texts[0])
    if not 3 <= length <= LONGEST_CODE or any(len(text) != length for text in texts):
        return None
    if not all(map(CODE.fullmatch, texts)):
        return None
    if not numeric:
        telling = all(any(sign.isdigit() for sign in text) for text in texts)
    else:
        whole = all(text.isdecimal() for text in texts)
        zero = any(text[0] == "0" for text in texts)
        telling = whole and (zero or bool(CODE_NAMES.search(column)))
    return Prefix(tuple(range(length - 1, max(length - 4, 0), -1))) if telling else None


def _propose_intervals(numbers: Sequence[Decimal | int]) -> Builder | None:
    """Suggest intervals for numbers: three widths, each twice the one before, then ``*``."""
    whole = all(number == int(number) for number in numbers)
    width = _round_up(Decimal(max(numbers) - min(numbers)) / FINEST)
    width = max(width, Decimal(2)) if whole else width
    if not width:
        return None
    widths = tuple(width * factor for factor in (1, 2, 4))
    return Intervals(tuple(int(w) if w == int(w) else float(w) for w in widths))


def _round_up(number: Decimal) -> Decimal:
    """Round up to 1, 2 or 5 times a power of ten."""
    if number <= 0:
        return Decimal(0)
    unit = Decimal(1).scaleb(number.adjusted())
    return next(step * unit for step in (1, 2, 5, 10) if step * unit >= number)


def _has_eight_digits(texts: Sequence[str]) -> bool:
    """Tell numbers that are days of the last or this century, such as 19650920."""
    return all(len(text) == 8 and text[:2] in ("19", "20") for text in texts)


def _propose_dates(column: str, texts: Sequence[str]) -> Builder | None:
    """Suggest periods for dates, by how much the values tell and how far apart they are."""
    if not find_fitting_formats(texts):
        return None
    try:
        _, read = read_dates(column, texts)
    except AmbiguousDatesError:
        return Flat()  # day and month are never guessed
    except UnreadableValuesError:
        return None
    if read.precision == "year":
        return None
    first = ("month",) if read.precision == "day" else ("quarter",)
    long = int(read.days.max() - read.days.min()) > 2 * 366
    above = ("year", "5 years", "10 years") if long else ("half", "year")
    return Dates((*first, *above))
