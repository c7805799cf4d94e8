"""Address blocks: a street, the town after it, and what is written between them.

Notes
-----
[Sweeney2001]_, sec. 9.3, fig. 111: address block, {street, city, state, zip, country}.

Departures: the parts keep their own kinds and get the precedence of the block.

Cost: a few short expressions for each street found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.scrubbing.detectors.detector import Example
from discreet.scrubbing.detectors.layout import find_uncovered
from discreet.scrubbing.finding import ADDRESS, PLACE, Finding
from discreet.scrubbing.page import Page
from discreet.scrubbing.templates.alphabet import UPPER

# What may follow a street: flat, town, state, country and post code, in any order.
#
# Notes
# -----
# [Sweeney2001]_, sec. 9.3, fig. 111: address block, {street, city, state, zip, country}.
#
# Departures: none.
#
# Cost: a few short expressions for each street found.


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
    """A part of an address after its street; ``near`` if only a space precedes it."""

    kind: str
    start: int
    end: int
    near: bool


def find_parts_after(page: Page, place: int) -> list[Part]:
    """The address parts that follow a street ending at a place."""
    parts: list[Part] = []
    for _ in range(_MOST):
        between = _BREAK.match(page.text, place)
        if not between or between[0].count("\n") > 1:
            break
        part = _read_part(page, between.end(), not set(between[0]) & set(",;|\n\\"), parts)
        if part is None:
            break
        parts.append(part)
        place = part.end
    return list(_select_believed(page, parts))


def is_town(page: Page, words: str) -> bool:
    """Whether capitalized words can be a town."""
    first = words.split()[0].rstrip(".,")
    if first.lower() in _LABELS:
        return False
    return not page.lexicon.mask(first) & page.lexicon.union(*_NO_TOWN)


def _read_part(page: Page, place: int, near: bool, before: list[Part]) -> Part | None:
    text, kinds = page.text, [part.kind for part in before]
    unit = _UNIT.match(text, place)
    if unit and not set(kinds) - {"STREET"}:
        return Part("STREET", place, unit.end(), near)
    code = _CODE.match(text, place)
    if code and "ZIP" not in kinds and (kinds[-1:] not in ([], ["STREET"]) or not near):
        return Part("ZIP", place, code.end(), near)
    end = _find_country_end(page, place)
    if end and "COUNTRY" not in kinds:
        return Part("COUNTRY", place, end, near)
    state = _STATE.match(text, place)
    if state and kinds[-1:] == ["CITY"]:
        return Part("STATE", place, state.end(), near)
    return _read_town(page, place, near, kinds)


def _read_town(page: Page, place: int, near: bool, kinds: list[str]) -> Part | None:
    """A town, without its last words if these are a country or a state."""
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
        if _find_country_end(page, start) or _STATE.match(page.text, start):
            end = place + space.start()
            break
    if page.text[end - 1] == "." and page.text[end - 2].islower():
        end -= 1
    return Part("CITY", place, end, near)


def _is_plain(page: Page, words: str) -> bool:
    """Whether the first word is ordinary and no town, in a text where case says nothing."""
    lexicon, mask = page.lexicon, page.lexicon.mask(words.split()[0])
    return bool(mask & lexicon.bits["ordinary"]) and not mask & lexicon.union("city", "city_start")


def _find_country_end(page: Page, place: int) -> int:
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


def _select_believed(page: Page, parts: list[Part]) -> Iterator[Part]:
    """Parts up to the last country or code; later ones only after a comma or a line end."""
    sure = max((i for i, part in enumerate(parts) if _is_sure(page, part)), default=-1)
    for number, part in enumerate(parts):
        is_sure = number <= sure or part.kind == "STREET"
        is_open = part.near or part.kind == "STATE" or not _ENDED.match(page.text, part.end)
        if is_open and not is_sure:
            return
        yield part


def _is_sure(page: Page, part: Part) -> bool:
    """Whether a part proves that this is an address: a country, a code, a state."""
    if part.kind == "STATE":
        state = page.lexicon.union("state_code", "province_code")
        return bool(page.lexicon.mask(page.text[part.start : part.end]) & state)
    return part.kind in ("ZIP", "COUNTRY")


_PARTS = ("STREET", "CITY", "STATE", "ZIP", "COUNTRY", "LOCATION", "ORGANIZATION", "NAME")
_BETWEEN = re.compile(r"[\s,;|/-]*(?:(?:[\w'’#-]|\.(?! ))+[ ,]*){0,5}[\s,;|/-]*")
_WIDEST = 40
_HOUSE = (
    r"(?:flat|unit|apt|apartment|room|shop|plot|stand|lot|level|block|blk|suite|buzzer|door|house|no)"
    r"\b\.?"
)
_BUILDING = (
    r"(?-i:(?:[A-Z][\w'’]+ ){1,3}(?:Mansions?|Court|House|Heights|Towers?|Building|Apartments|"
    r"Residency|Gardens?|Plaza|Cottage|Lodge|Villa|Chambers|Centre|Estate|Arcade|Complex), )"
)
_BEFORE = re.compile(
    rf"(?<![\w.:/-])(?:{_HOUSE}(?: no\.?)? ?(?:#?(?:\d[\w/-]{{0,9}}|[a-z]),? )?|{_BUILDING}"
    r"|\d{1,3}[a-z]?/\d{1,3}[a-z]?, |(?:\d{1,2}|g)/f, |\d[a-z]\d, |(?-i:[A-Z])-\d{1,4}, "
    r"|rr ?#?\d{1,2}, |\d{2,5} |\d{1,2}(?:st|nd|rd|th) (?:floor|fl\.?), )+\Z",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\.? \d{1,4}[a-z]?(?=[,;\n]|\.(?!\d)|\Z)")
_REACH = 60
"""Characters before a street that are searched for its flat."""
_LETTERS = 4
"""Capitals of the longest word that may be an abbreviation."""
_POST_CODE = re.compile(r" {1,3}(?P<it>\d{5,6})(?![\w%/]|[-.,:]\d)")
_TOWN = re.compile(r", (?P<it>[^\W\d_a-z][^\W\d_]+(?:-[^\W\d_]+)*)(?=[,.;)\n]|\Z)")


@dataclass(frozen=True)
class AddressBlock:
    """Finds what belongs to a street: flat, quarter, town, country, post code."""

    name: str
    likelihood: float = 0.82
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """What belongs to each street; in turn 2, using what turn 1 found."""
        if page.turn == 1:
            return
        parts = [f for f in page.found if f.kind in _PARTS]
        for part in parts:
            if part.kind == "STREET":
                yield from self._find_block(page, part)
            elif part.kind == "COUNTRY":
                yield from self._find_by_pattern(page, part, _POST_CODE, "ZIP", "after a country")
            elif part.kind == "ORGANIZATION":
                yield from self._find_by_pattern(page, part, _TOWN, "CITY", "after an organization")
        for one, next_one in pairwise(parts):
            if one.kind == "STREET" and next_one.kind in ("CITY", "STATE", "ZIP", "NAME"):
                yield from self._find_between(page, one, next_one)

    def _find_block(self, page: Page, street: Finding) -> Iterator[Finding]:
        """The street with its flat, and the town, state, country and code after it."""
        start, end = _find_start(page, street), _find_end(page, street)
        parts = find_parts_after(page, end)
        end = max([end, *(part.end for part in parts if part.kind == "STREET")])
        if _is_one(parts):
            yield self._make_finding(start, parts[-1].end, "ADDRESS", "street to country", 0.99)
            return
        if (start, end) != (street.start, street.end):
            yield self._make_finding(start, end, "STREET", "street with its flat", 0.99)
        for part in parts:
            if part.kind != "STREET":
                likelihood = 0.96 if part.kind in ("ZIP", "COUNTRY") else self.likelihood
                found = self._make_finding(*part[1:3], part.kind, "after a street", likelihood)
                yield found if part.kind != "CITY" else found._replace(precedence=PLACE)

    def _make_finding(
        self, start: int, end: int, kind: str, reason: str, likelihood: float
    ) -> Finding:
        return Finding(start, end, kind, likelihood, self.name, reason, ADDRESS)

    def _find_by_pattern(
        self, page: Page, part: Finding, pattern: re.Pattern[str], kind: str, reason: str
    ) -> Iterator[Finding]:
        """What belongs to a part because it follows it directly."""
        found = pattern.match(page.text, part.end)
        if found and (kind == "ZIP" or _is_place(page, found["it"])):
            yield Finding(*found.span("it"), kind, self.likelihood, self.name, reason, PLACE)

    def _find_between(self, page: Page, one: Finding, next_one: Finding) -> Iterator[Finding]:
        between = (one.end, next_one.start)
        if between[1] - between[0] > _WIDEST or not _BETWEEN.fullmatch(page.text, *between):
            return
        for start, end in find_uncovered(page.text, between, page.found):
            words = page.text[start:end].split()
            if _is_name(page, words[0]) and _is_name(page, words[-1]):
                reason = "between street and town"
                yield Finding(start, end, "STREET", self.likelihood, self.name, reason, ADDRESS)


def _find_start(page: Page, street: Finding) -> int:
    """Where a street starts, with its flat, or a number before a name that has one after it."""
    text = page.text[street.start : street.end]
    before = _BEFORE.search(page.text, max(0, street.start - _REACH), street.start)
    if not before or (before[0].strip().isdigit() and text.isalpha()):
        return street.start
    has_number = text[0].isdigit() or text[-1].isdigit()
    return before.start() if has_number or not before[0].strip().isdigit() else street.start


def _find_end(page: Page, street: Finding) -> int:
    """Where a street ends, with a house number after it if it has none."""
    if any(character.isdigit() for character in page.text[street.start : street.end]):
        return street.end
    number = _NUMBER.match(page.text, street.end)
    return number.end() if number else street.end


def _is_one(parts: list[Part]) -> bool:
    """Whether the parts after a street are one run of words up to a country or code."""
    kinds = [part.kind for part in parts]
    runs_on = any(part.near and part.kind == "CITY" for part in parts)
    return kinds[-1:] in (["ZIP"], ["COUNTRY"]) and (runs_on or "COUNTRY" in kinds)


def _is_name(page: Page, word: str) -> bool:
    return word[0].isdigit() or (word[0].isupper() and is_town(page, word))


def _is_place(page: Page, word: str) -> bool:
    """Whether a word after an organization can be its town, not a common word or initials."""
    known = page.lexicon.union("ordinary", "suffix")
    if not is_town(page, word) or page.lexicon.mask(word) & known:
        return False
    return not word.isupper() or len(word) > _LETTERS


ADDRESS_BLOCK = AddressBlock("address_block", examples=(("We live near a street.", ()),))
