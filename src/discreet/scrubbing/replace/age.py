"""Ages: above 89 they become ``90 or older``, others stay.

Notes
-----
The rule is that of 45 CFR 164.514(b). [Sweeney2001]_, fig. 108, keeps the age of a child.

Departures: none. An age that cannot be read is removed. Ages in months, weeks or days stay.

Cost: a few microseconds.
"""

from __future__ import annotations

import re
from functools import lru_cache

from discreet.scrubbing.replace.context import Context
from discreet.scrubbing.replace.words import Words, copy_case

_DIGITS = re.compile(r"(\d+)(?:[.,]\d+)?")
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST = 3
_SPELT = re.compile(r"[^\W\d_]{3,}")


def replace_age(found: str, kind: str, context: Context) -> str | None:
    """The age as found, or the statement that it is above the limit."""
    place, value = _read(found, context.words)
    words, limit = context.words, context.choices.oldest + 1
    if place is None:
        told = {word.lower() for word in _WORD.findall(found)}
        is_high = told & words.set("high_words") or any(map(str.isdigit, found))
        return found if _SPELT.search(found) and not is_high else None
    unit = _WORD.match(found, place.end() + 1)
    if value < limit or (unit and unit[0].lower() in words.set("small_units")):
        others = [int(n) for n in _DIGITS.findall(found)[1:]]
        return found if all(n < limit for n in others) else None
    before, rest = found[: place.start()], found[place.end() :]
    if not rest.strip():
        return before + _copy_capitals(found, words.text("oldest").format(age=limit)) + rest
    years = rf"\s+(?:{words.any_of('years')})(?:\s+(?:old|of age|alt))?"
    if re.fullmatch(years, rest, re.IGNORECASE):
        return before + _copy_capitals(found, words.text("oldest_years").format(age=limit))
    in_years = re.match(rf"[-\s]*(?:{words.any_of('years')})", rest, re.IGNORECASE)
    if not place[0][0].isdecimal() and not in_years:
        return None
    return f"{before}{limit}{'-plus' if rest[0] == '-' else '+'}{rest}"


def _read(found: str, words: Words) -> tuple[re.Match[str] | None, int]:
    """The place and value of the number of years: digits, or a high number in words."""
    place = _DIGITS.search(found)
    if place:
        return (place, int(place[1])) if len(place[1]) <= _LONGEST else (None, 0)
    place = _compile_high_numbers(words).search(found)
    if place:
        spelt = re.sub(r"\s+", " ", place[0].lower())
        numbers = words.numbers("high_numbers")
        return place, numbers.get(spelt) or numbers[spelt.replace(" ", "-")]
    return None, 0


@lru_cache(maxsize=8)
def _compile_high_numbers(words: Words) -> re.Pattern[str]:
    names = sorted(words.numbers("high_numbers"), key=len, reverse=True)
    spelt = "|".join(re.sub(r"[- ]", r"[-\\s]+", name) for name in names)
    return re.compile(rf"(?<!\w)(?:{spelt})(?!\w)", re.IGNORECASE)


def _copy_capitals(found: str, new: str) -> str:
    letters = "".join(filter(str.isalpha, found))
    return copy_case(letters, new) if len(letters) > 1 and letters.isupper() else new
