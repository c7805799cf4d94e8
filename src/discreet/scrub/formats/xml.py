"""XML: character data and attributes are looked at, and put back without touching the rest.

The source is cut by position, never parsed and written anew: name spaces, order and white space
stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple
from xml.sax.saxutils import unescape

from discreet.scrub.formats.flow import Edit, Flow, Slot

_TOKEN = re.compile(
    r"""(?P<comment><!--.*?(?:-->|\Z))|(?P<cdata><!\[CDATA\[(?P<raw>.*?)(?:\]\]>|\Z))
    |<\?.*?(?:\?>|\Z)|<!DOCTYPE[^<>\[]*+(?:\[[^\]]{0,9999}+\])?[^<>]*+>
    |<(?P<close>/?)(?P<name>[^\s/<>!?"']++)(?P<inside>(?:[^<>"']|"[^"<]*+"|'[^'<]*+')*+)>
    |(?P<text>[^<]+|<)""",
    re.DOTALL | re.VERBOSE,
)
_ATTRIBUTE = re.compile(r"""(?<!\S)([^\s=]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)')""")
_CODE = re.compile(r"&#(x[0-9a-fA-F]{1,8}|[0-9]{1,8});")


class Token(NamedTuple):
    """A tag or a stretch of text; ``name`` is empty for text, starts with / for a closing tag."""

    start: int
    end: int
    name: str
    text: str
    inside: int = 0


def tokens(source: str) -> Iterator[Token]:
    """Tags, text and comments of a source in their order; comments have the name !."""
    for found in _TOKEN.finditer(source):
        start, end = found.span()
        if found["comment"] is not None:
            yield Token(start, end, "!", "")
        elif found["cdata"] is not None:
            yield Token(start, end, "", found["raw"])
        elif found["text"] is not None:
            yield Token(start, end, "", characters(found["text"]))
        elif found["name"]:
            name = found["close"] + found["name"]
            inside = found.start("inside")
            yield Token(start, end, name, found["inside"], inside)


def attributes(token: Token) -> Iterator[tuple[str, int, int, str]]:
    """Name, place and value of each attribute of a tag."""
    for found in _ATTRIBUTE.finditer(token.text):
        group = 2 if found[2] is not None else 3
        start, end = found.span(group)
        yield found[1], token.inside + start, token.inside + end, characters(found[group])


def characters(raw: str) -> str:
    """Raw character data as a reader sees it."""
    if "&" not in raw:
        return raw
    raw = _CODE.sub(_character, raw)
    return unescape(raw, {"&quot;": '"', "&apos;": "'"})


def _character(found: re.Match[str]) -> str:
    code = found[1]
    number = int(code[1:], 16) if code[0] == "x" else int(code)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"


def xml_flow(source: str, part: int = 0, skip: Callable[[str], bool] | None = None) -> Flow:
    """All character data, an element a line, then attributes; comments are taken out.

    ``skip`` names attributes that are left alone.

    Examples
    --------
    >>> xml_flow('<r><name>Ann &amp; Bob</name><at by="Lee"/></r>').text
    'name: Ann & Bob\\nby: Lee'
    """
    slots: list[Slot] = []
    named: list[Slot] = []
    cuts: list[tuple[int, Edit]] = []
    element = ""
    for token in tokens(source):
        if token.name == "!":
            cuts.append((part, Edit(token.start, token.end, "")))
        elif token.name:
            element = token.name.lstrip("/").rpartition(":")[2]
            for name, start, end, value in attributes(token):
                if value.strip() and not (name.startswith("xmlns") or (skip and skip(name))):
                    cue = f"\n{name.rpartition(':')[2]}: "
                    named.append(Slot(part, start, end, value, cue, "attribute"))
        elif token.text.strip():
            cue = f"{element}: " if not slots else f"\n{element}: "
            slots.append(Slot(part, token.start, token.end, token.text, cue, "xml"))
    return Flow([source], slots + named, cuts)
