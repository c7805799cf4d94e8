"""What may stand after a street: flat, town, state, country and post code, whatever the order.

Notes
-----
[Sweeney2001]_, sec. 9.3, fig. 111: address block, {street, city, state, zip, country}.

Departures: none.

Cost: a few short expressions at each street that was found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from discreet.display import safe_repr
from discreet.scrub.alphabet import UPPER
from discreet.scrub.page import Page

_BREAK = re.compile(r"(?:[ \t]|\\n|[;|\n]|\.?,)+(?:[}?]+ ?)?")
_ENDED = re.compile(r"[,.;)\n]|\Z| \d| [A-Z]{1,2}\d|\\n")
_UPPER = r"[^\W\d_a-zß-öø-ÿ](?:[^\W\d_]|['’])*\.?(?:-[^\W\d_]+)*"
_SMALL = (
    r"(?:de|del|della|di|la|le|les|las|los|am|an|der|den|im|in|on|upon|sur|en|nad|pod|na|of|the|"
    r"y|e|do|da|dos) "
)
_WORDS = re.compile(rf"{_UPPER}(?: (?:{_SMALL}){{0,2}}{_UPPER}){{0,3}}")
_CODE = re.compile(
    r"(?:\d{4} ?[A-Z]{2}(?!\w)|\d{4,6}(?:-\d{3,4})?|\d{3} \d{2,3}"
    r"|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]\d[\dW] ?[A-Z\d]{4})"
    r"(?![\w/]|[-.,:]\d)"
)
_STATE = re.compile(r"[A-Z]{2,3}(?= *(?:\n|\\n|\Z|[,.;)]|  | [A-Z\d]))(?! [a-z])")
_UNIT = re.compile(
    r"(?:#\w{1,5}(?:-\w{1,4})?|(?:bus|bte|apto?|ap|kv|daire|pta|sc|m|lok|et|scala|int|bl|bât|esc|stair|lgh|block|unit|no|ste|"
    r"suite|apt|flat|floor|fl|rm|room|building|bldg)\b\.? ?#?[A-Z]?\d{1,4}[A-Z]?"
    r"|(?:block|scala|bl|bât)\.? [A-Z]|\d{1,2}[A-Z]"
    r"|\d{1,2}(?:st|nd|rd|th|º|°|\.)? ?(?:floor|fl|tv|th|mf|izq|dcha|étage|piso)\b\.?)(?!\w)",
    re.IGNORECASE,
)
_NO_TOWN = ("heading", "title", "closing", "greeting", "month", "weekday", "relation", "role")
_LABELS = ("city", "town", "state", "county", "country", "zip", "tel", "post", "po")
_MOST = 7


@safe_repr
class Part(NamedTuple):
    """A part of an address after its street; ``near`` if only a space goes before it."""

    kind: str
    start: int
    end: int
    near: bool


def parts_after(page: Page, place: int) -> list[Part]:
    """The parts after a street that ends at a place, as far as it is an address."""
    parts: list[Part] = []
    for _ in range(_MOST):
        between = _BREAK.match(page.text, place)
        if not between or between[0].count("\n") > 1:
            break
        part = _part(page, between.end(), not set(between[0]) & set(",;|\n\\"), parts)
        if part is None:
            break
        parts.append(part)
        place = part.end
    return list(_believed(page, parts))


def is_town(page: Page, words: str) -> bool:
    """Whether capitalized words can be a town."""
    first = words.split()[0].rstrip(".,")
    if first.lower() in _LABELS:
        return False
    return not page.lexicon.mask(first) & page.lexicon.union(*_NO_TOWN)


def _part(page: Page, place: int, near: bool, before: list[Part]) -> Part | None:
    text, kinds = page.text, [part.kind for part in before]
    unit = _UNIT.match(text, place)
    if unit and not set(kinds) - {"STREET"}:
        return Part("STREET", place, unit.end(), near)
    code = _CODE.match(text, place)
    if code and "ZIP" not in kinds and (kinds[-1:] not in ([], ["STREET"]) or not near):
        return Part("ZIP", place, code.end(), near)
    end = _country(page, place)
    if end and "COUNTRY" not in kinds:
        return Part("COUNTRY", place, end, near)
    state = _STATE.match(text, place)
    if state and kinds[-1:] == ["CITY"]:
        return Part("STATE", place, state.end(), near)
    return _town(page, place, near, kinds)


def _town(page: Page, place: int, near: bool, kinds: list[str]) -> Part | None:
    """A town; its last words are given back if they are a country or a state."""
    words = _WORDS.match(page.text, place)
    if not words or kinds.count("CITY") > 1 or "COUNTRY" in kinds or not is_town(page, words[0]):
        return None
    if "ZIP" in kinds and "CITY" in kinds:
        return None
    if page.casing == UPPER and (page.text[place - 1] == "\n" or _is_plain(page, words[0])):
        return None
    end = words.end()
    for space in re.finditer(" ", words[0]):
        start = place + space.end()
        if _country(page, start) or _STATE.match(page.text, start):
            end = place + space.start()
            break
    if page.text[end - 1] == "." and page.text[end - 2].islower():
        end -= 1
    return Part("CITY", place, end, near)


def _is_plain(page: Page, words: str) -> bool:
    """Whether the first word is ordinary and no town, in a text where a capital says nothing."""
    lexicon, mask = page.lexicon, page.lexicon.mask(words.split()[0])
    return bool(mask & lexicon.bits["ordinary"]) and not mask & lexicon.union("city", "city_start")


def _country(page: Page, place: int) -> int:
    """The end of the country that starts at a place, or 0."""
    words = _WORDS.match(page.text, place)
    if not words:
        return 0
    pieces = words[0].split(" ")
    for size in range(len(pieces), 0, -1):
        name = " ".join(pieces[:size]).rstrip(".").lower()
        listed = page.lexicon.phrases.get("country", ()) if size > 1 else ()
        if name in listed or (
            size == 1 and page.lexicon.mask(name) & page.lexicon.union("country")
        ):
            return place + len(" ".join(pieces[:size]).rstrip("."))
    return 0


def _believed(page: Page, parts: list[Part]) -> Iterator[Part]:
    """Parts up to the last country or code; of the rest, those with a comma or line end before."""
    sure = max((i for i, part in enumerate(parts) if _is_sure(page, part)), default=-1)
    for number, part in enumerate(parts):
        is_sure = number <= sure or part.kind == "STREET"
        is_open = part.near or part.kind == "STATE" or not _ENDED.match(page.text, part.end)
        if is_open and not is_sure:
            return
        yield part


def _is_sure(page: Page, part: Part) -> bool:
    """Whether a part shows that it is an address: a country, a code, a state."""
    if part.kind == "STATE":
        state = page.lexicon.union("state_code", "province_code")
        return bool(page.lexicon.mask(page.text[part.start : part.end]) & state)
    return part.kind in ("ZIP", "COUNTRY")
