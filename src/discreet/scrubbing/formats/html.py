"""HTML: text and attributes are scrubbed, tags stay; comments and scripts are removed."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from urllib.parse import quote

from discreet.scrubbing.formats.flow import Edit, Flow, Slot

# Percent-encoded letters in links: ``Frank%20Lee`` is read as ``Frank Lee``.


_TAG = re.compile(r"<[A-Za-z](?:[^<>\"']|\"[^\"]*\"|'[^']*')*+>")
_QUOTED = re.compile(r"\"[^\"]*%[^\"]*\"|'[^']*%[^']*'")
_CODES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_SAFE = " @.,-_~"


def decode_links(source: str) -> str:
    """The markup with letters, digits, spaces and a few marks in its attributes decoded.

    The meaning is the same: a browser encodes them itself where necessary.

    Examples
    --------
    >>> decode_links('<a href="/Ann%20Lee%2Fx%22">100%20</a>')
    '<a href="/Ann Lee%2Fx%22">100%20</a>'
    """
    if "%" not in source:
        return source
    return _TAG.sub(
        lambda tag: _QUOTED.sub(_decode_quoted, tag[0]) if "%" in tag[0] else tag[0], source
    )


def _decode_quoted(value: re.Match[str]) -> str:
    return _CODES.sub(_decode_codes, value[0])


def _decode_codes(codes: re.Match[str]) -> str:
    try:
        text = bytes.fromhex(codes[0].replace("%", "")).decode()
    except UnicodeError:
        return codes[0]
    return "".join(c if c.isalnum() or c in _SAFE else quote(c, safe="") for c in text)


_TOKEN = re.compile(
    r"""(?P<declared><!DOCTYPE\s+html(?:\s[^<>\[]*+)?>)
    |<!\[CDATA\[(?P<raw>.*?)(?:\]\]>|\Z)
    |(?P<comment><!--.*?(?:-->|\Z)|<\?.*?(?:>|\Z)|<![^>]*+(?:>|\Z))
    |(?P<script><(?P<name>script|template|noscript|object|embed|iframe)\b.*?
        (?:</(?P=name)\s*>|\Z))
    |(?P<tag></?(?P<element>[A-Za-z][A-Za-z0-9:-]*+)(?=[\s/>])
        (?P<inside>(?:[^<>"']|"[^"]*"|'[^']*')*+)>)
    |(?P<text>[^<]+|<)""",
    re.DOTALL | re.VERBOSE | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"""(?<![^\s/"'])(?P<key>[^\s=/"'>]++)\s*+=\s*+(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"'>]+))"""
)
_SPACE = re.compile(r"[ \t\r\n\f]+")


def _split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


INLINE = _split_words(
    "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark q s samp small "
    "span strike strong sub sup time tt u var wbr"
)
BLOCK = _split_words(
    "address applet area article aside audio base basefont blockquote body br button canvas "
    "caption center col colgroup data datalist dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html img input "
    "legend li link main map menu meta meter nav noframes ol optgroup option output p param "
    "picture pre progress search section select slot source style summary svg table tbody td "
    "textarea tfoot th thead title tr track ul video"
)
SAFE = _split_words(
    "class style type rel lang dir width height border align valign colspan rowspan cellpadding "
    "cellspacing bgcolor color face size method enctype charset media role tabindex target "
    "xmlns http-equiv"
)
"""Attributes that define appearance or behaviour, which are left unchanged."""
_HANDLER = re.compile(r"on[a-z]+|srcdoc")
_NO_ADDRESS = ("data:", "javascript:")
_NO_CODE = re.compile(r"&#[0-9]{8,}+;?")
_CLOSED = re.compile(r"</([a-z][a-z0-9:-]*)")


def read_html_flow(source: str, part: int = 0) -> Flow:
    """The text of a page, then the values of its attributes, each on its own line.

    Comments, scripts, frames and embedded objects are removed, and event handlers emptied: nobody
    reads them, and they may contain anything. ``data:`` addresses are removed too, and counted.

    Examples
    --------
    >>> read_html_flow("<p>Mr. <b>Fra</b>nk</p><p title='for Ann'>left").text
    'Mr. Frank\\nleft\\nfor Ann'
    """
    slots: list[Slot] = []
    named: list[Slot] = []
    source = decode_links(source)
    flow = Flow([source], slots)
    closed = set(_CLOSED.findall(source.casefold()))
    before = ""
    for token in _TOKEN.finditer(source):
        if token["comment"] is not None or token["script"] is not None:
            flow.cuts.append((part, Edit(token.start(), token.end(), "")))
            flow.removed["comments and scripts"] += 1
        elif token["tag"] is not None and _is_tag(token["element"], closed):
            if token["element"].casefold() not in INLINE:
                before = "\n"
            named += _read_attributes(token, part, flow)
        elif token["declared"] is None:
            after_space = bool(slots) and not before and slots[-1].text.endswith(" ")
            raw = token["raw"]
            text = _read(token[0], after_space) if raw is None else raw
            if text.strip() or not before:
                gap = before if slots else ""
                slots.append(Slot(part, token.start(), token.end(), text, gap, "html"))
                before = ""
    slots += named
    return flow


def _read(raw: str, after_space: bool) -> str:
    """Text as a reader sees it: runs of white space become one space."""
    text = _SPACE.sub(" ", _unescape(raw))
    return text[1:] if after_space and text.startswith(" ") else text


def _unescape(raw: str) -> str:
    """Text with character references decoded; no character has a code of eight digits."""
    return html.unescape(_NO_CODE.sub("\ufffd", raw)) if "&" in raw else raw


def _is_tag(element: str, closed: set[str]) -> bool:
    """Whether this is a tag; something that only looks like one, such as <Ann Lee>, is text."""
    name = element.casefold()
    return name in INLINE or name in BLOCK or name in closed


def _read_attributes(tag: re.Match[str], part: int, flow: Flow) -> Iterator[Slot]:
    """Values to scrub; what has to be removed is noted in the flow."""
    offset = tag.start("inside")
    for found in _ATTRIBUTE.finditer(tag["inside"]):
        group = next(name for name in ("double", "single", "bare") if found[name] is not None)
        start, end = offset + found.start(group), offset + found.end(group)
        key, value = found["key"].casefold(), _unescape(found[group])
        if _HANDLER.fullmatch(key) or value.lstrip().casefold().startswith(_NO_ADDRESS):
            flow.cuts.append((part, Edit(start, end, "" if group != "bare" else '""')))
            flow.removed["embedded data and scripts"] += 1
        elif (key not in SAFE or (key == "style" and "(" in value)) and value.strip():
            write = "quoted attribute" if group == "bare" else "attribute"
            yield Slot(part, start, end, value, "\n", write)
