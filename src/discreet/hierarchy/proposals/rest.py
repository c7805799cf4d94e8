"""A hierarchy for a column in which most values, but not all, are dates, codes or numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple

from discreet.display import safe_repr
from discreet.hierarchy.cuts import Cuts
from discreet.hierarchy.date_formats import decide_formats
from discreet.hierarchy.dates import Dates
from discreet.hierarchy.hierarchy import Builder
from discreet.hierarchy.intervals import Intervals
from discreet.hierarchy.numbers import NumberReader
from discreet.hierarchy.prefix import Prefix
from discreet.hierarchy.ranges import is_above, read_span

MOST = 0.8
"""Least share of the distinct values that a kind must fit for the others to be its rest."""
BEYOND = 0.2
"""Largest share of the numbers that an open end may cover."""
LONGEST_CODE = 12
CODE = re.compile(r"[A-Za-z0-9]+", re.ASCII)


@safe_repr
class WithRest(NamedTuple):
    """A proposal with a rest, or the reason for having none; with counts, never values."""

    builder: Builder | None
    reason: str
    undecided: int = 0
    """Dates that fit two formats which disagree on day and month."""


def propose_dates(texts: Sequence[str]) -> WithRest:
    """Suggest periods for dates in several formats, with a rest.

    If day and month are unclear there is no proposal: the data holder must decide.

    >>> dates = [f"1999-03-{day:02}" for day in range(10, 20)]
    >>> propose_dates([*dates, "03/25/1999", "soon"]).builder.others
    'group'
    >>> propose_dates([*dates, "03/04/1999"]).reason
    '1 of 11 dates fit %d/%m/%Y and %m/%d/%Y: say which with dates: {levels: [...], format: [...]}'
    """
    found = decide_formats(texts)
    read = len(texts) - int(found.wrong.sum())
    undecided = sum(one.dates for one in (*found.unclear, *found.contrary))
    if read + undecided < MOST * len(texts) or not texts:
        return WithRest(None, f"{len(texts) - read} of {len(texts)} values are not dates")
    if undecided:
        pairs = [one.formats for one in (*found.unclear, *found.contrary)]
        forms = " and ".join(dict.fromkeys(form for pair in pairs for form in pair))
        what = f"{undecided} of {len(texts)} dates fit {forms}"
        reason = f"{what}: say which with dates: {{levels: [...], format: [...]}}"
        return WithRest(None, reason, undecided)
    precision, days = found.precision[~found.wrong], found.days[~found.wrong]
    if (precision == 2).mean() > 1 - MOST:
        return WithRest(None, "they tell the year only")
    first = "month" if (precision == 0).mean() >= MOST else "quarter"
    long = int(days.max() - days.min()) > 2 * 366
    levels = (first, "year", "5 years", "10 years") if long else (first, "half", "year")
    odd = len(texts) - read + int((precision > precision.min()).sum())
    others: Any = "group" if odd else "refuse"
    forms = f"{len(found.formats)} format{'s' if len(found.formats) > 1 else ''}"
    return WithRest(Dates(levels, others=others), f"dates in {forms}{_say(odd, len(texts))}")


def propose_codes(column_tells: bool, texts: Sequence[str]) -> WithRest:
    """Suggest prefixes for codes of one length, some with a suffix, with a rest.

    ``column_tells`` says that the column's name is that of codes; otherwise a leading zero must
    show it.

    >>> zips = ["02138", "02139", "02141", "02142", "02138-1234", "n/a"]
    >>> propose_codes(True, zips).builder.code
    5
    """
    lengths = [len(text) for text in texts if CODE.fullmatch(text)]
    length = max(set(lengths), key=lambda each: (lengths.count(each), each), default=0)
    if not 3 <= length <= LONGEST_CODE:
        return WithRest(None, "they are not codes of one length")
    builder = Prefix(tuple(range(length - 1, max(length - 4, 0), -1)), code=length, others="group")
    fits = [builder.has_code(text) for text in texts]
    zero = any(text[0] == "0" for text, fit in zip(texts, fits, strict=True) if fit)
    odd = len(texts) - sum(fits)
    if sum(fits) < MOST * len(texts) or not (column_tells or zero):
        return WithRest(None, f"{odd} of {len(texts)} values are not codes of {length} characters")
    return WithRest(builder, f"codes of {length} characters{_say(odd, len(texts))}")


def take_rest(builder: Intervals | Cuts, texts: Sequence[str]) -> WithRest:
    """The same intervals with a rest, and a top and bottom for the open ends among the values.

    Cuts already have open ends. An open end becomes the top only if few numbers are beyond it.

    >>> ages = [str(age) for age in range(20, 90)]
    >>> take_rest(Intervals([5, 10]), [*ages, "90+", "n/k"]).builder.top
    90
    """
    reader = NumberReader(texts, builder.decimal)
    numbers = [number for text in texts if (number := reader.read(text)) is not None]
    if len(numbers) < MOST * len(texts):
        return WithRest(None, f"{len(texts) - len(numbers)} of {len(texts)} values are not numbers")
    odd = len(texts) - len(numbers)
    if isinstance(builder, Cuts):  # its ends are already open
        made: Builder = replace(builder, others="group") if odd else builder
        return WithRest(made, f"numbers{_say(odd, len(texts))}")
    whole = all(number == number.to_integral_value() for number in numbers)
    tops, bottoms = [], []
    for text in texts:
        span = read_span(text, reader) if reader.read(text) is None else None
        if span is not None and span.high is None and span.low is not None:
            tops.append(span.low + (1 if whole and is_above(text) else 0))
        elif span is not None and span.low is None and span.high is not None:
            bottoms.append(span.high)
    few = BEYOND * len(numbers)
    top = next((end for end in sorted(tops) if sum(n >= end for n in numbers) <= few), None)
    below = (end for end in sorted(bottoms, reverse=True) if sum(n < end for n in numbers) <= few)
    bottom = next(below, None)
    if top is not None and bottom is not None and bottom >= top:
        bottom = None
    made = replace(
        builder,
        others="group" if odd else builder.others,
        top=builder.top if top is None else _plain(top),
        bottom=builder.bottom if bottom is None else _plain(bottom),
    )
    return WithRest(made, f"numbers{_say(odd, len(texts))}")


def _say(odd: int, total: int) -> str:
    return f"; {odd} of {total} values are open ends, less exact or in a rest" if odd else ""


def _plain(number: Decimal) -> int | float:
    return int(number) if number == int(number) else float(number)
