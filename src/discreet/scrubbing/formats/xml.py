"""XML: character data and attributes are scrubbed, and put back without touching the rest.

The source is edited by position, never parsed and serialized again: namespaces, order and white
space stay unchanged. Comments, processing instructions and declarations are removed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple
from xml.sax.saxutils import unescape

from discreet.display import safe_repr
from discreet.scrubbing.formats.fields import write_cue
from discreet.scrubbing.formats.flow import Edit, Flow, Slot

_TOKEN = re.compile(
    r"""(?P<comment><!--.*?(?:-->|\Z))|(?P<cdata><!\[CDATA\[(?P<raw>.*?)(?:\]\]>|\Z))
    |(?P<told><\?.*?(?:\?>|\Z)|<!DOCTYPE[^<>\[]*+(?:\[[^\]]{0,9999}+\])?[^<>]*+>)
    |<(?P<close>/?)(?P<name>[^\s/<>!?"']++)(?P<inside>(?:[^<>"']|"[^"<]*+"|'[^'<]*+')*+)>
    |(?P<text>[^<]+|<)""",
    re.DOTALL | re.VERBOSE,
)
_ATTRIBUTE = re.compile(r"""(?<!\S)([^\s=]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)')""")
_HARMLESS = re.compile(
    r"""<\?xml\s+version\s*=[\w\s=."'-]*\?>|<\?mso-application\s+progid="[\w.]+"\?>
    |<!DOCTYPE\s+[\w:-]+(?:\s+PUBLIC\s+"-//W3C//[^"]*"\s+"https?://www\.w3\.org/[^"]*")?\s*>""",
    re.VERBOSE,
)
_CODE = re.compile(r"&#(x[0-9a-fA-F]{1,8}|[0-9]{1,8});")


@safe_repr
class Token(NamedTuple):
    """A tag or a run of text; ``name`` is empty for text and starts with / for a closing tag."""

    start: int
    end: int
    name: str
    text: str
    inside: int = 0


def read_tokens(source: str) -> Iterator[Token]:
    """Tags, text and comments of a source, in order.

    Comments have the name !, and so do instructions and declarations that may hold more than the
    standard ones.
    """
    for found in _TOKEN.finditer(source):
        start, end = found.span()
        if found["comment"] is not None:
            yield Token(start, end, "!", "")
        elif found["told"] is not None:
            if not _HARMLESS.fullmatch(found[0]):
                yield Token(start, end, "!", "")
        elif found["cdata"] is not None:
            yield Token(start, end, "", found["raw"])
        elif found["text"] is not None:
            yield Token(start, end, "", decode_characters(found["text"]))
        elif found["name"]:
            name = found["close"] + found["name"]
            inside = found.start("inside")
            yield Token(start, end, name, found["inside"], inside)


def read_attributes(token: Token) -> Iterator[tuple[str, int, int, str]]:
    """Name, place and value of each attribute of a tag."""
    for found in _ATTRIBUTE.finditer(token.text):
        group = 2 if found[2] is not None else 3
        start, end = found.span(group)
        yield found[1], token.inside + start, token.inside + end, decode_characters(found[group])


def decode_characters(raw: str) -> str:
    """Raw character data, decoded."""
    if "&" not in raw:
        return raw
    raw = _CODE.sub(_decode_character, raw)
    return unescape(raw, {"&quot;": '"', "&apos;": "'"})


def _decode_character(found: re.Match[str]) -> str:
    code = found[1]
    number = int(code[1:], 16) if code[0] == "x" else int(code)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"


def read_xml_flow(source: str, part: int = 0, skip: Callable[[str], bool] | None = None) -> Flow:
    """All character data, one element per line, then attributes; comments are removed.

    Text with elements in it is one line. ``skip`` names attributes that are left unchanged.

    Examples
    --------
    >>> read_xml_flow('<r><name>Ann &amp; Bob</name><at by="Lee"/></r>').text
    'name: Ann & Bob\\nby: Lee'
    >>> read_xml_flow("<p>Dr. <b>Fr</b>ank <i>left</i></p>").text
    'p: Dr. Frank left'
    """
    slots: list[Slot] = []
    named: list[Slot] = []
    flow = Flow([source], slots)
    lines = _Lines()
    for token in read_tokens(source):
        if token.name == "!":
            flow.cuts.append((part, Edit(token.start, token.end, "")))
            flow.removed["comments and declarations"] += 1
        elif token.name:
            lines.tag(token)
            for name, start, end, value in read_attributes(token):
                if value.strip() and not (name.startswith("xmlns") or (skip and skip(name))):
                    named.append(Slot(part, start, end, value, "\n" + write_cue(name), "attribute"))
        else:
            before = lines.before(token.text)
            if before is not None:
                before = before if slots else before.lstrip("\n")
                slots.append(Slot(part, token.start, token.end, token.text, before, "xml"))
    slots += named
    return flow


class _Lines:
    """Which texts share a line: those of an element with text, including its descendants."""

    def __init__(self) -> None:
        self._open: list[tuple[str, int]] = []
        self._last = self._line = 0
        self._closed_only = False
        self._broken = False

    def tag(self, token: Token) -> None:
        """Enter or leave an element."""
        if token.name.startswith("/"):
            if self._open:
                self._open.pop()
            return
        if token.text.endswith("/"):
            self._broken = True
            return
        self._closed_only = False
        self._open.append((token.name, self._open[-1][1] if self._open else 0))

    def before(self, text: str) -> str | None:
        """The text that the reader sees before a text; None for white space between elements."""
        name, line = self._open[-1] if self._open else ("", 0)
        if not text.strip() and (not line or line != self._last):
            return None
        if not line:
            self._line += 1
            line = self._last if self._closed_only and self._last else self._line
            if self._open:
                self._open[-1] = (name, line)
        same = line == self._last and not self._broken
        self._last, self._closed_only, self._broken = line, True, False
        return "" if same else "\n" + write_cue(name)
