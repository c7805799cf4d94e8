"""Which replacer serves which kind; kinds that are not here are removed."""

from __future__ import annotations

import re
from functools import lru_cache

from discreet.scrubbing.replace.age import age
from discreet.scrubbing.replace.context import Context, Replace
from discreet.scrubbing.replace.dates import date
from discreet.scrubbing.replace.mail import mail, url, username
from discreet.scrubbing.replace.name import name
from discreet.scrubbing.replace.numbers import (
    device,
    ip,
    label,
    number,
    phone,
    social_security,
    zip_code,
)
from discreet.scrubbing.replace.place import address, city, organization, state, street
from discreet.scrubbing.replace.words import Words

# Blocks of several entities (identification block, mailing label): each part by its own replacer.
#
# Notes
# -----
# [Sweeney2001]_, fig. 107 and 111: an identification block holds names, numbers, dates, addresses.
#
# Departures: the parts are found again by their shape; labels stay (``label.py``).
#
# Cost: some tens of microseconds for a block.


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


REPLACERS: dict[str, Replace] = {
    "NAME": name,
    "ORGANIZATION": organization,
    "STREET": street,
    "CITY": city,
    "STATE": state,
    "COUNTRY": state,
    "ZIP": zip_code,
    "ADDRESS": address,
    "LOCATION": address,
    "BLOCK": block,
    "PHONE": phone,
    "FAX": phone,
    "EMAIL": mail,
    "URL": url,
    "USERNAME": username,
    "IP": ip,
    "DATE": date,
    "AGE": age,
    "SSN": social_security,
    "RECORD": number,
    "ACCOUNT": number,
    "LICENSE": number,
    "VEHICLE": number,
    "DEVICE": device,
    "ID": number,
    "CARD": number,
    "IBAN": number,
}
"""TEAM, OCCUPATION, PASSWORD and kinds nobody knows here cannot be replaced sensibly."""

MAY_STAY = frozenset({"STATE", "COUNTRY", "ZIP", "DATE", "AGE"})
"""Kinds whose value may come out as it was; any other that does is removed."""
