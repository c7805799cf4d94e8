"""Letters in links that are written as codes: ``Frank%20Lee`` is looked at as ``Frank Lee``."""

from __future__ import annotations

import re
from urllib.parse import quote

_TAG = re.compile(r"<[A-Za-z](?:[^<>\"']|\"[^\"]*\"|'[^']*')*+>")
_QUOTED = re.compile(r"\"[^\"]*%[^\"]*\"|'[^']*%[^']*'")
_CODES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_SAFE = " @.,-_~"


def plain_links(source: str) -> str:
    """Markup in whose attributes letters, digits, spaces and a few marks are no codes.

    Any program reads them the same: a browser writes the codes itself where it needs them.

    Examples
    --------
    >>> plain_links('<a href="/Ann%20Lee%2Fx%22">100%20</a>')
    '<a href="/Ann Lee%2Fx%22">100%20</a>'
    """
    if "%" not in source:
        return source
    return _TAG.sub(lambda tag: _QUOTED.sub(_plain, tag[0]) if "%" in tag[0] else tag[0], source)


def _plain(value: re.Match[str]) -> str:
    return _CODES.sub(_letters, value[0])


def _letters(codes: re.Match[str]) -> str:
    try:
        text = bytes.fromhex(codes[0].replace("%", "")).decode()
    except UnicodeError:
        return codes[0]
    return "".join(c if c.isalnum() or c in _SAFE else quote(c, safe="") for c in text)
