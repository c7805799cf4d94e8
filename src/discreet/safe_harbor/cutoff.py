"""From which year of birth on somebody may be over 89 on a stated day."""

from __future__ import annotations

import datetime

from discreet.display import dataclass
from discreet.errors import ParameterError

OLDEST = 89
"""Ages above this are told together only."""


@dataclass(frozen=True)
class Cutoff:
    """The day on which people's ages are looked at, and the last year whose people may be over 89.

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
        return cls(datetime.date.fromisoformat(iso_day(day, owner)))

    @property
    def year(self) -> int:
        """The last year whose people may be over 89 on the day."""
        return self.day.year - OLDEST - 1

    @property
    def label(self) -> str:
        """What stands for that year and all before it."""
        return f"{self.year} or before"


def iso_day(day: object, owner: str) -> str:
    """A day as text, from text or from what YAML reads as a date."""
    if isinstance(day, datetime.date) and not isinstance(day, datetime.datetime):
        return day.isoformat()
    try:
        if isinstance(day, str) and datetime.date.fromisoformat(day).isoformat() == day:
            return day
    except ValueError:
        pass
    raise ParameterError(owner, "as_of", "a day such as 2026-11-16")
