"""Social security numbers: they look like one and were never given to anybody.

Notes
-----
[Sweeney2001]_, fig. 111, entity 16.

Departures: the thesis does not say how it is replaced. Areas 900 to 999 are not given out as social
security numbers; with groups 01 to 49 they are no taxpayer numbers either. These are used.

Cost: a few microseconds.
"""

from __future__ import annotations

from discreet.scrub.replace.context import Context
from discreet.scrub.replace.number import number

_LENGTH = 9


def social_security(found: str, kind: str, context: Context) -> str | None:
    """A number of area 9xx and group 01 to 49, with the marks as found.

    A part of a number (the last four digits) becomes another of its length; numbers of other
    countries become others of their shape.
    """
    digits = "".join(filter(str.isdecimal, found))
    if set(filter(str.isalpha, found)) <= {"x", "X"} and 0 < len(digits) < _LENGTH:
        left = iter(context.stream.digits("ssn", digits))
        return "".join(next(left) if c.isdecimal() else c for c in found)
    if len(digits) != _LENGTH or any(map(str.isalpha, found)):
        return number(found, kind, context)
    chances = context.stream.digits("ssn", digits)
    group, serial = 1 + int(chances[2:6]) % 49, 1 + int(chances[6:14]) % 9999
    left = iter(f"9{chances[:2]}{group:02d}{serial:04d}")
    return "".join(next(left) if c.isdecimal() else c for c in found)
