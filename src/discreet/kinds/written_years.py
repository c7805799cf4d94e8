"""Dates in the forms that people write, mixed as they come, and their years."""

from __future__ import annotations

import datetime
from collections import Counter

import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.kinds.tally import Flags, Ints, count_first_forms, make_flags, match_form

# From which year of birth on somebody may be over 89 on a stated day.


OLDEST = 89
"""Ages above this are told together only."""


@dataclass(frozen=True)
class Cutoff:
    """The day on which people's ages are checked, and the last birth year of people over 89.

    Somebody born in that year is 89 or 90 on the day, which the year alone does not tell, so the
    year belongs to the group of the oldest.

    Notes
    -----
    [HIPAA2002]_, 45 CFR 164.514(b)(2)(i)(C); [HHS2012]_, on dates: a year of birth that shows
    an age over 89 at the time of service is reported as "on or before". *Departures*: we take one
    day for all rows, that of the release, which is never more lenient.

    >>> Cutoff.of("2026-11-16").year, Cutoff.of("2026-11-16").label
    (1936, '1936 or before')
    """

    day: datetime.date

    @classmethod
    def of(cls, day: object, owner: str = "safe_harbor") -> Cutoff:
        """From a day as a policy writes it, such as 2026-11-16."""
        return cls(datetime.date.fromisoformat(write_iso_day(day, owner)))

    @property
    def year(self) -> int:
        """The last year whose people may be over 89 on the day."""
        return self.day.year - OLDEST - 1

    @property
    def label(self) -> str:
        """The text for that year and all before it."""
        return f"{self.year} or before"


def write_iso_day(day: object, owner: str) -> str:
    """A day as text, from text or from what YAML reads as a date."""
    if isinstance(day, datetime.date) and not isinstance(day, datetime.datetime):
        return day.isoformat()
    try:
        if isinstance(day, str) and datetime.date.fromisoformat(day).isoformat() == day:
            return day
    except ValueError:
        pass
    raise ParameterError(owner, "as_of", "a day such as 2026-11-16")


_MON = (
    "jan|feb|mar|mrt|mrz|mär|apr|avr|abr|may|mai|mei|jun|juin|jul|juil|aug|aou|aoû|ago|sep|set|oct"
    "|okt|nov|dec|déc|dez|dic|ene|fev|fév"
)
_M, _D = r"(?:0?[1-9]|1[0-2])", r"(?:0?[1-9]|[12]\d|3[01])"
_TIME = r"(?:[T ,]+\d{1,2}:\d{2}.*)?"
_Y = r"(?P<y>\d{4})"
_NTH = r"(?:st|nd|rd|th|\.)?"
DAYS = (
    rf"{_Y}[-/.]{_M}[-/.]{_D}{_TIME}",
    rf"\d{{1,2}}[-/. ]\d{{1,2}}[-/. ]{_Y}{_TIME}",
    rf"(?:[a-z]{{2,9}}\.?,? )?\d{{1,2}}{_NTH}[. /-]*(?:{_MON})[\pL]*\.?[,. /-]+{_Y}{_TIME}",
    rf"(?:[a-z]{{2,9}}\.?,? )?(?:{_MON})[\pL]*\.?[. /-]*\d{{1,2}}{_NTH},?[,. /-]+{_Y}{_TIME}",
    rf"{_Y}[- ](?:{_MON})[\pL]*[- ]\d{{1,2}}",
)
"""Days with their year, which nothing else looks like."""
DAY = "|".join(form.replace("(?P<y>", "(?:") for form in DAYS)
"""Any of them."""
COMPACT = r"(?P<y>(?:18|19|20)\d{2})(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{4}|\d{6})?"
"""Days as eight digits, which in a column of dates are no numbers."""
MONTHS = (
    rf"{_Y}[-/.]{_M}",
    rf"{_M}[-/.]{_Y}",
    rf"(?:{_MON})[\pL]*\.?[,. -]*{_Y}",
    rf"{_Y}[- ](?:{_MON})[\pL]*",
    rf"{_Y}[ -]?(?:Q[1-4]|H[12]|W\d{{2}})",
)
"""Months, quarters and weeks of a year."""
SHORT = (
    rf"\d{{1,2}}[-/. ]\d{{1,2}}[-/. ]\d{{2}}{_TIME}"
    rf"|\d{{1,2}}[. -]*(?:{_MON})[\pL]*\.?[,. -]+\d{{2}}"
)
"""Days whose year has two digits."""
YEAR = r"(?P<y>(?:1[5-9]|20)\d{2})(?:\.0)?"
GROUP = (
    r"(?:on or )?before \d{4}|\d{4} (?:or|and) (?:before|earlier)|(?:<|<=|≤) ?\d{4}"
    r"|(?:>|>=|≥) ?\d{4}"
)
"""Years told as one group up to a year, or from one on."""
UP_TO = r"(?:on or before|<=|≤) ?(?P<y>\d{4})|(?P<z>\d{4}) (?:or|and) (?:before|earlier)"
BELOW = r"(?:before|<) ?(?P<y>\d{4})"
"""The groups up to a year, with it and without it."""
SPAN = r"(?P<y>\d{4})(?: ?[-–] ?| to <?)(?P<z>\d{4})"
PART = (
    r"mon(day)?|tue(sday)?|wed(nesday)?|thu(rsday)?|fri(day)?|sat(urday)?|sun(day)?"
    rf"|(?:{_MON})[a-z]*|Q[1-4]"
)
"""Weekdays, months and quarters without a year: elements of a date as well."""

PLAIN_PART = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?[,. -]*(?:19|20)\d{2}"
    r"|(?:19|20)\d{2}[ -]?(?:Q[1-4]|W\d{2})|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
)
"""Months and weeks of a year and weekdays that nothing else looks like."""

_FORMS = {
    "two digits": r"\d{2}",
    "number": r"-?\d{1,3}(?:\.\d+)?",
    "day": "|".join(form.replace("(?P<y>", "(?:") for form in (*DAYS, COMPACT)),
    "month": "|".join(form.replace("(?P<y>", "(?:") for form in MONTHS) + f"|{PART}",
    "two-digit year": SHORT,
    "year": YEAR.replace("(?P<y>", "(?:"),
    "group": GROUP,
    "span": SPAN.replace("(?P<y>", "(?:").replace("(?P<z>", "(?:"),
}


def tally_dates(values: pa.Array, counts: Ints, cutoff: Cutoff) -> Counter[str]:
    """Rows by how much of a date they tell.

    ``old`` are years and spans that show an age over 89, ``reaching`` spans that may and groups
    that divide the oldest, ``grouped`` all dates whose year belongs to the group of the oldest.
    """
    found = count_first_forms(values, counts, _FORMS)
    first, last = _find_old_spans(values, cutoff)
    old = _find_at_most(values, YEAR, "y", cutoff.year) | (first & last)
    early = make_flags(pc.less_equal(read_years(values)[0], cutoff.year))
    found["old"] = int(counts[old].sum())
    found["reaching"] = int(
        counts[(first ^ last) | find_oldest_groups(values, cutoff.year - 1)].sum()
    )
    found["grouped"] = int(counts[early].sum())
    return found


def read_years(values: pa.Array) -> tuple[pa.Array, Flags]:
    """The year of each date, missing where there is none; and which years have two digits."""
    text = pc.fill_null(pc.utf8_trim_whitespace(values), "")
    found = pa.nulls(len(text), pa.string())
    for form in (*DAYS, COMPACT, *MONTHS, YEAR):
        taken = pc.struct_field(pc.extract_regex(text, f"(?i)^(?:{form})$"), "y")
        found = pc.coalesce(found, taken)
    return found.cast(pa.int64()), match_form(text, SHORT)


def find_year_groups(values: pa.Array, cutoff: Cutoff) -> Flags:
    """Which values are groups or spans of years that tell no age over 89 apart."""
    text = pc.fill_null(pc.utf8_trim_whitespace(values), "")
    first, last = _find_old_spans(text, cutoff)
    return match_form(text, GROUP) | (match_form(text, _FORMS["span"]) & ~first & ~last)


def find_oldest_groups(values: pa.Array, year: int) -> Flags:
    """Which values are a group of years that ends with this year, or earlier."""
    return (
        _find_at_most(values, UP_TO, "y", year)
        | _find_at_most(values, UP_TO, "z", year)
        | _find_at_most(values, BELOW, "y", year + 1)
    )


def _find_old_spans(values: pa.Array, cutoff: Cutoff) -> tuple[Flags, Flags]:
    """Which spans of years reach back to an age over 89, with either end."""
    year = cutoff.year
    return _find_at_most(values, SPAN, "y", year), _find_at_most(values, SPAN, "z", year)


def _find_at_most(values: pa.Array, form: str, name: str, year: int) -> Flags:
    taken = pc.struct_field(pc.extract_regex(values, f"(?i)^(?:{form})$"), name)
    number = pc.if_else(pc.equal(taken, ""), pa.scalar(None, taken.type), taken)
    return make_flags(pc.less_equal(number.cast(pa.int64()), year))
