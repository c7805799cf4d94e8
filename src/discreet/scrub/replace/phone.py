"""Phone and fax numbers: the same marks around digits that no line has.

Notes
-----
[Sweeney2001]_, fig. 110 and 113 for the forms.

Departures: figure 108 has a number that may be somebody's. Here a number of the North American
plan becomes 555-01dd, which is set apart for fiction in every area, with any area code; any other
number starts with 000, which no plan gives out. Short numbers (extensions, pagers) become others of
their length.

Cost: a few microseconds.
"""

from __future__ import annotations

import re

from discreet.scrub.replace.context import Context

_EXTENSION = re.compile(
    r"(?:\bext(?:ension|n)?\b|\bdurchwahl\b|(?<=\d)\s*x(?=\s*\d)|#)", re.IGNORECASE
)
_CODE = re.compile(
    r"\s*(?:\+|\b00)\s?(\d{1,3}(?=[\s./(-])|1|7|2[07]|3[0123469]|4[\d]|5[1-8]|6[0-6]|8[1246]|9[\d])"
)
_WORD = re.compile(r"[^\W\d_]{2,}")


def phone(found: str, kind: str, context: Context) -> str | None:
    """A number never issued, written as found; none if it has letters that are no label."""
    labels = context.words.set("labels", "line_words")
    words = _WORD.findall(found)
    if words and not all(word.lower() in labels for word in words):
        return None
    extension = _EXTENSION.search(found)
    end = extension.start() if extension else len(found)
    line, rest = found[:end], found[end:]
    code = _CODE.match(line)
    head = code[0] if code else ""
    line = line[len(head) :]
    count = sum(map(str.isdecimal, line))
    extra = "".join(filter(str.isdecimal, rest))
    if not count and not extra:
        return None
    digits = _digits("".join(filter(str.isdecimal, line)), code[1] if code else "", context)
    new = head + _filled(line, digits)
    return new + _filled(rest, context.stream.digits("line", extra)) if rest else new


def _digits(digits: str, code: str, context: Context) -> str:
    """Other digits for a number behind a country code, if there is one.

    The line and the area are chosen apart, so 255-1423 agrees with (304) 255-1423.
    """
    count = len(digits)
    chances = context.stream.digits("line", digits[-7:])
    american = code == "1" or (not code and context.words.code == "en")
    if not american or count not in (7, 10, 11):
        return chances[:count] if count < 7 else "000" + chances[: count - 3]
    area = context.stream.digits("area", digits[-10:-7])
    area = "23456789"[int(area[0]) % 8] + area[1:3]
    return ("1" + area + "55501" + chances[:2])[-count:] if count > 7 else "55501" + chances[:2]


def _filled(written: str, digits: str) -> str:
    """The marks of what was written, with other digits."""
    left = iter(digits)
    return "".join([next(left) if c.isdecimal() else c for c in written])
