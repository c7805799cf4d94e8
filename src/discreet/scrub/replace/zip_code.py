"""ZIP codes: three digits where enough people live, zeros for the rest.

Notes
-----
[Sweeney2001]_, fig. 108: ``02151`` becomes ``02100``. The rule is that of 45 CFR 164.514(b): three
digits are kept if more than 20,000 people live there, otherwise they become 000.

Departures: none. The table of areas is that of :mod:`discreet.kinds.zip_area`, with its date, the
same that safe harbor goes by; another can be given. An area that it does not list counts as small.
German codes keep two digits, whose areas all have several hundred thousand people. Codes
of other countries lose every letter (X) and digit (0).

Cost: a microsecond.
"""

from __future__ import annotations

import re

from discreet.scrub.replace.context import Context

_AMERICAN = re.compile(r"\s*(?P<area>\d{3})\d{2}(?:[-\s]?\d{4})?\s*")
_GERMAN = re.compile(r"\s*(?:D-)?\d{5}\s*")


def zip_code(found: str, kind: str, context: Context) -> str | None:
    """The code made coarse, in the form found."""
    american = _AMERICAN.fullmatch(found)
    kept = 0
    if context.words.code == "en" and american:
        kept = 3 if context.choices.zip_table.keeps(american["area"]) else 0
    elif context.words.code == "de" and _GERMAN.fullmatch(found):
        kept = 2
    new = ""
    for c in found:
        if c.isdecimal():
            new, kept = new + (c if kept > 0 else "0"), kept - 1
        else:
            foreign = c.isalpha() and kept <= 0 and not _GERMAN.fullmatch(found)
            new += ("X" if c.isupper() else "x") if foreign else c
    return new
