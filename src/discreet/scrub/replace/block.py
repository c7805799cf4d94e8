"""Blocks of several entities (identification block, mailing label): each part by its own replacer.

Notes
-----
[Sweeney2001]_, fig. 107 and 111: an identification block holds names, numbers, dates, addresses.

Departures: the parts are found again by their shape; labels stay (``label.py``).

Cost: some tens of microseconds for a block.
"""

from __future__ import annotations

import re
from functools import lru_cache

from discreet.scrub.replace.age import age
from discreet.scrub.replace.context import Context, Replace
from discreet.scrub.replace.date import date
from discreet.scrub.replace.label import label
from discreet.scrub.replace.mail import mail, url
from discreet.scrub.replace.name import name
from discreet.scrub.replace.number import number
from discreet.scrub.replace.phone import phone
from discreet.scrub.replace.place import address
from discreet.scrub.replace.social_security import social_security
from discreet.scrub.replace.words import Words
from discreet.scrub.replace.zip_code import zip_code

_STATE = re.compile(r"(?<!\w)[A-Z]{2}[\s,]*$")
_FIRST = 5
"""How many kinds of parts are looked for before labels."""
_PARTS: dict[str, tuple[str, Replace]] = {
    "EMAIL": (r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", mail),
    "URL": (r"(?:https?://|www\.)\S+", url),
    "SSN": (r"(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)", social_security),
    "DATE": (
        r"(?<!\w)(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|[A-Z][a-z]{2,8}\.? "
        r"\d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2}[ -][A-Za-z]{3,9}[ -]\d{2,4})(?!\w)",
        date,
    ),
    "PHONE": (r"(?<!\w)(?:\+?1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[-. /] ?)?\d{3}[-. ]\d{4}(?!\w)", phone),
    "ADDRESS": (
        r"(?m:^[ \t]*\d+[A-Za-z]? [^\d\n]*$)|[^\W\d][^\d\n:#]*,? [A-Z]{2} \d{5}(?:-\d{4})?",
        address,
    ),
    "ZIP": (r"(?<![\w-])\d{5}(?:-\d{4})?(?![\w-])", zip_code),
    "AGE": (r"(?<!\w)\d{1,3}(?= ?(?:years?|yrs?|y/?o)\b)", age),
    "ID": (r"(?:[A-Za-z]{0,4}\d[\w-]*)", number),
    "NAME": (r"[^\W\d_][^\d\n:#;|]*[^\W\d_]\.?|[^\W\d_]", name),
}


def block(found: str, kind: str, context: Context) -> str | None:
    """The block with every part replaced; a part without a replacement is removed."""
    return _pattern(context.words).sub(lambda part: _replaced(part, context), found)


@lru_cache(maxsize=8)
def _pattern(words: Words) -> re.Pattern[str]:
    """All parts; labels go before names and numbers."""
    parts = [f"(?P<{kind}>{pattern})" for kind, (pattern, _) in _PARTS.items()]
    labels = rf"(?P<LABEL>{label(words).pattern}|\b(?:dob|mrn|ssn|re|sex|male|female)\b)"
    return re.compile("|".join([*parts[:_FIRST], labels, *parts[_FIRST:]]), re.IGNORECASE)


def _replaced(part: re.Match[str], context: Context) -> str:
    kind = str(part.lastgroup)
    if kind == "LABEL":
        return part[0]
    if kind in ("ZIP", "ID"):
        kind = _number_kind(part, context.words)
    return _PARTS[kind][1](part[0], kind, context) or f"[{kind}]"


def _number_kind(part: re.Match[str], words: Words) -> str:
    """Five digits are a ZIP code beside a state or town; what follows ``Age:`` is an age."""
    before, after = part.string[: part.start()], part.string[part.end() :]
    if part[0].isdecimal() and _after_label(words, "age_labels").search(before):
        return "AGE"
    if part.lastgroup != "ZIP":
        return "ID"
    town_follows = words.code == "de" and re.match(r" [^\W\d_]{2}", after)
    named = _after_label(words, "zip_labels").search(before) or _STATE.search(before)
    return "ZIP" if named or town_follows else "ID"


@lru_cache(maxsize=16)
def _after_label(words: Words, name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words.any_of(name)})(?: code)?[\s:#.]*$", re.IGNORECASE)
