"""Numbers and codes: letters become letters, digits digits; marks, spaces and labels stay.

Notes
-----
[Sweeney2001]_, fig. 108: ``CH#32-841-09787`` becomes ``CH#18-512-32871``.

Departures: a number with a check is given a wrong one, so that it is nobody's. The country of an
IBAN and a label before a number (``label.py``) stay.

Cost: a microsecond for each character.
"""

from __future__ import annotations

import re

from discreet.scrub.replace.checks import WRONG
from discreet.scrub.replace.context import Context
from discreet.scrub.replace.label import label
from discreet.scrub.replace.stream import LETTERS, Stream

_COUNTRY = re.compile(r"(?:IBAN:?\s*)?[A-Za-z]{2}(?=\d)", re.IGNORECASE)
_TURNS = 50


def number(found: str, kind: str, context: Context) -> str | None:
    """A code of the same shape; none if it has no letter and no digit."""
    pattern = _COUNTRY if kind == "IBAN" else label(context.words)
    start = None if found[:1].isdecimal() else pattern.match(found)
    head = start[0] if start else ""
    code = found[len(head) :]
    wrong = WRONG.get(kind, WRONG["ID"])
    for turn in range(_TURNS):
        new = wrong(shaped(code, "code", context.stream, turn))
        if new.casefold() != code.casefold():
            return head + new
    return None


def shaped(code: str, about: str, stream: Stream, turn: int = 0) -> str:
    """Each letter another letter of its case, each digit another digit, by the key.

    Case and marks do not count: a code written in two ways has one replacement.

    Examples
    --------
    >>> import re
    >>> new = shaped("AB-12 c", "ID", Stream(bytes(32), "document", "a"))
    >>> bool(re.fullmatch(r"[A-Z]{2}-[0-9]{2} [a-z]", new))
    True
    """
    plain = "".join(filter(str.isalnum, code))
    chances = iter(stream.characters(about, plain.casefold(), len(plain), turn))
    return "".join([_other(c, next(chances)) if c.isalnum() else c for c in code])


def _other(character: str, chance: int) -> str:
    if not character.isalpha():
        return "0123456789"[chance % 10]
    letter = LETTERS[chance % 26]
    return letter.upper() if character.isupper() else letter
