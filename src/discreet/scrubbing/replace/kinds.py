"""The replacer for each kind; kinds that are not listed here are removed."""

from __future__ import annotations

import re
from functools import lru_cache

from discreet.scrubbing.replace.age import replace_age
from discreet.scrubbing.replace.context import Context, Replace
from discreet.scrubbing.replace.dates import replace_date
from discreet.scrubbing.replace.mail import replace_mail, replace_url, replace_username
from discreet.scrubbing.replace.name import replace_name
from discreet.scrubbing.replace.numbers import (
    compile_label_pattern,
    replace_device,
    replace_ip,
    replace_number,
    replace_phone,
    replace_social_security,
    replace_zip_code,
)
from discreet.scrubbing.replace.place import (
    replace_address,
    replace_city,
    replace_organization,
    replace_state,
    replace_street,
)
from discreet.scrubbing.replace.words import Words

# Blocks of several entities (identification block, mailing label): each part by its own replacer.
#
# Notes
# -----
# [Sweeney2001]_, fig. 107 and 111: an identification block holds names, numbers, dates, addresses.
#
# Departures: the parts are found again by their shape; labels stay (``numbers.py``).
#
# Cost: some tens of microseconds for a block.


_STATE = re.compile(r"(?<!\w)[A-Z]{2}[\s,]*$")
_FIRST = 5
"""How many kinds of parts are tried before labels."""
_PARTS: dict[str, tuple[str, Replace]] = {
    "EMAIL": (r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", replace_mail),
    "URL": (r"(?:https?://|www\.)\S+", replace_url),
    "SSN": (r"(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)", replace_social_security),
    "DATE": (
        r"(?<!\w)(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|[A-Z][a-z]{2,8}\.? "
        r"\d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2}[ -][A-Za-z]{3,9}[ -]\d{2,4})(?!\w)",
        replace_date,
    ),
    "PHONE": (
        r"(?<!\w)(?:\+?1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[-. /] ?)?\d{3}[-. ]\d{4}(?!\w)",
        replace_phone,
    ),
    "ADDRESS": (
        r"(?m:^[ \t]*\d+[A-Za-z]? [^\d\n]*$)|[^\W\d][^\d\n:#]*,? [A-Z]{2} \d{5}(?:-\d{4})?",
        replace_address,
    ),
    "ZIP": (r"(?<![\w-])\d{5}(?:-\d{4})?(?![\w-])", replace_zip_code),
    "AGE": (r"(?<!\w)\d{1,3}(?= ?(?:years?|yrs?|y/?o)\b)", replace_age),
    "ID": (r"(?:[A-Za-z]{0,4}\d[\w-]*)", replace_number),
    "NAME": (r"[^\W\d_][^\d\n:#;|]*[^\W\d_]\.?|[^\W\d_]", replace_name),
}


def replace_block(found: str, kind: str, context: Context) -> str | None:
    """The block with every part replaced; a part without a replacement is removed."""
    return _compile_pattern(context.words).sub(lambda part: _replace_part(part, context), found)


@lru_cache(maxsize=8)
def _compile_pattern(words: Words) -> re.Pattern[str]:
    """All parts; labels go before names and numbers."""
    parts = [f"(?P<{kind}>{pattern})" for kind, (pattern, _) in _PARTS.items()]
    labels = (
        rf"(?P<LABEL>{compile_label_pattern(words).pattern}|\b(?:dob|mrn|ssn|re|sex|male|female)\b)"
    )
    return re.compile("|".join([*parts[:_FIRST], labels, *parts[_FIRST:]]), re.IGNORECASE)


def _replace_part(part: re.Match[str], context: Context) -> str:
    kind = str(part.lastgroup)
    if kind == "LABEL":
        return part[0]
    if kind in ("ZIP", "ID"):
        kind = _choose_number_kind(part, context.words)
    return _PARTS[kind][1](part[0], kind, context) or f"[{kind}]"


def _choose_number_kind(part: re.Match[str], words: Words) -> str:
    """Five digits are a ZIP code next to a state or town; what follows ``Age:`` is an age."""
    before, after = part.string[: part.start()], part.string[part.end() :]
    if part[0].isdecimal() and _compile_label(words, "age_labels").search(before):
        return "AGE"
    if part.lastgroup != "ZIP":
        return "ID"
    town_follows = words.code == "de" and re.match(r" [^\W\d_]{2}", after)
    named = _compile_label(words, "zip_labels").search(before) or _STATE.search(before)
    return "ZIP" if named or town_follows else "ID"


@lru_cache(maxsize=16)
def _compile_label(words: Words, name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words.any_of(name)})(?: code)?[\s:#.]*$", re.IGNORECASE)


REPLACERS: dict[str, Replace] = {
    "NAME": replace_name,
    "ORGANIZATION": replace_organization,
    "STREET": replace_street,
    "CITY": replace_city,
    "STATE": replace_state,
    "COUNTRY": replace_state,
    "ZIP": replace_zip_code,
    "ADDRESS": replace_address,
    "LOCATION": replace_address,
    "BLOCK": replace_block,
    "PHONE": replace_phone,
    "FAX": replace_phone,
    "EMAIL": replace_mail,
    "URL": replace_url,
    "USERNAME": replace_username,
    "IP": replace_ip,
    "DATE": replace_date,
    "AGE": replace_age,
    "SSN": replace_social_security,
    "RECORD": replace_number,
    "ACCOUNT": replace_number,
    "LICENSE": replace_number,
    "VEHICLE": replace_number,
    "DEVICE": replace_device,
    "ID": replace_number,
    "CARD": replace_number,
    "IBAN": replace_number,
}
"""TEAM, OCCUPATION, PASSWORD and unknown kinds cannot be replaced sensibly."""

MAY_STAY = frozenset({"STATE", "COUNTRY", "ZIP", "DATE", "AGE"})
"""Kinds whose value may stay the same; any other unchanged value is removed."""
