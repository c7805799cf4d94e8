"""Mail addresses, web addresses and user names: made-up words at domains that cannot exist.

Notes
-----
Not in the thesis. ``.example`` is reserved by RFC 2606 and 6761: no such name is ever registered.
Words of an address are replaced as in names, so ``frank.graves@...`` agrees with Frank Graves.

Departures: the thesis has no such entity.

Cost: some microseconds for each word that is new in its scope.
"""

from __future__ import annotations

import re

from discreet.kinds.contact import UNISSUED_DOMAIN
from discreet.scrubbing.replace.context import Context
from discreet.scrubbing.replace.numbers import replace_characters, replace_ip
from discreet.scrubbing.replace.words import copy_case, fold_word, is_latin

_PART = re.compile(r"[^\W\d_]+|\d+")
_URL = re.compile(
    r"(?P<scheme>(?:[a-z][a-z0-9+.-]*://)?)(?P<user>(?:[^@/\s]*@)?)(?P<www>(?:www\.)?)"
    r"(?P<host>\[[^\]]*\]|[^:/?#\s]+)(?P<port>(?::\d+)?)(?P<path>.*)",
    re.I | re.S,
)
_SECOND = frozenset({"co", "com", "ac", "org", "gov", "edu", "net", "or", "ne", "go"})
_NUMERIC = re.compile(r"[\d.]+|\[.*\]")


def replace_mail(found: str, kind: str, context: Context) -> str | None:
    """Another local part at another domain; ``mailto:`` and angle brackets stay."""
    local, at, domain = found.rpartition("@")
    if not at or not local or not domain:
        return replace_username(found, kind, context)
    head = re.match(r"\W*(?:mailto:)?", local, re.IGNORECASE)
    start = head.end() if head else 0
    tail = re.search(r"\W*$", domain)
    end = tail.start() if tail else len(domain)
    if start == len(local) or not end:
        return None
    new = replace_username(local[start:], kind, context)
    return (
        f"{local[:start]}{new}@{_replace_host(domain[:end], context)}{domain[end:]}"
        if new
        else None
    )


def replace_username(found: str, kind: str, context: Context) -> str | None:
    """Replace each word by another word and each number by another number; marks stay."""
    new = _PART.sub(lambda part: _replace_part(part[0], context), found)
    return new if new != found and is_latin("".join(_PART.findall(found))) else None


def replace_url(found: str, kind: str, context: Context) -> str | None:
    """The same scheme, another host, a path of the same shape."""
    match = _URL.fullmatch(found)
    if not match:
        return None
    host, path = match["host"], match["path"]
    if _NUMERIC.fullmatch(host):
        new_host = replace_ip(host.strip("[]"), "IP", context)
        if new_host is None:
            return None
        new_host = f"[{new_host}]" if host.startswith("[") else new_host
    else:
        new_host = _replace_host(host, context)
    user = replace_characters(match["user"], "user", context.stream)
    new_path = replace_characters(path, "path", context.stream)
    return f"{match['scheme']}{user}{match['www']}{new_host}{match['port']}{new_path}"


def _replace_host(host: str, context: Context) -> str:
    """One made-up word for all hosts of a domain, whatever their case."""
    labels = fold_word(host).split(".")
    count = 3 if len(labels[-1]) == 2 and len(labels) > 2 and labels[-2] in _SECOND else 2
    new = context.name(".".join(labels[-count:])) + UNISSUED_DOMAIN
    return new.upper() if host.isupper() else new


def _replace_part(part: str, context: Context) -> str:
    if part.isdecimal():
        return context.stream.digits("digits", part)[: len(part)]
    if len(part) == 1:
        return replace_characters(part, "letter", context.stream)
    return copy_case(part, context.name(fold_word(part)))
