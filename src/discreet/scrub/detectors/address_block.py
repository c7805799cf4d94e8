"""Address blocks: a street and the town after it, with what stands between them.

Notes
-----
[Sweeney2001]_, sec. 9.3, fig. 111: address block, {street, city, state, zip, country}.

Departures: the parts keep their own kinds and get the precedence of the block.

Cost: one look at each street that was found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from discreet.display import dataclass
from discreet.scrub.detectors.address_tail import Part, is_town, parts_after
from discreet.scrub.detectors.detector import Example
from discreet.scrub.detectors.layout import uncovered
from discreet.scrub.finding import ADDRESS, PLACE, Finding
from discreet.scrub.page import Page

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
"""Characters before a street in which its flat is looked for."""
_LETTERS = 4
"""Capitals of the longest word that may be an abbreviation."""
_POST_CODE = re.compile(r" {1,3}(?P<it>\d{5,6})(?![\w%/]|[-.,:]\d)")
_TOWN = re.compile(r", (?P<it>[^\W\d_a-z][^\W\d_]+(?:-[^\W\d_]+)*)(?=[,.;)\n]|\Z)")


@dataclass(frozen=True)
class AddressBlock:
    """Finds what stands by a street: its flat, a quarter, the town, the country, the post code."""

    name: str
    likelihood: float = 0.82
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """What belongs to each street; in turn 2, on what turn 1 found."""
        if page.turn == 1:
            return
        parts = [f for f in page.found if f.kind in _PARTS]
        for part in parts:
            if part.kind == "STREET":
                yield from self._block(page, part)
            elif part.kind == "COUNTRY":
                yield from self._by_pattern(page, part, _POST_CODE, "ZIP", "after a country")
            elif part.kind == "ORGANIZATION":
                yield from self._by_pattern(page, part, _TOWN, "CITY", "after an organization")
        for one, next_one in pairwise(parts):
            if one.kind == "STREET" and next_one.kind in ("CITY", "STATE", "ZIP", "NAME"):
                yield from self._between(page, one, next_one)

    def _block(self, page: Page, street: Finding) -> Iterator[Finding]:
        """The street with its flat, and the town, state, country and code after it."""
        start, end = _start(page, street), _end(page, street)
        parts = parts_after(page, end)
        end = max([end, *(part.end for part in parts if part.kind == "STREET")])
        if _is_one(parts):
            yield self._finding(start, parts[-1].end, "ADDRESS", "street to country", 0.99)
            return
        if (start, end) != (street.start, street.end):
            yield self._finding(start, end, "STREET", "street with its flat", 0.99)
        for part in parts:
            if part.kind != "STREET":
                likelihood = 0.96 if part.kind in ("ZIP", "COUNTRY") else self.likelihood
                found = self._finding(*part[1:3], part.kind, "after a street", likelihood)
                yield found if part.kind != "CITY" else found._replace(precedence=PLACE)

    def _finding(self, start: int, end: int, kind: str, reason: str, likelihood: float) -> Finding:
        return Finding(start, end, kind, likelihood, self.name, reason, ADDRESS)

    def _by_pattern(
        self, page: Page, part: Finding, pattern: re.Pattern[str], kind: str, reason: str
    ) -> Iterator[Finding]:
        """What must stand right after a part to belong to it."""
        found = pattern.match(page.text, part.end)
        if found and (kind == "ZIP" or _is_place(page, found["it"])):
            yield Finding(*found.span("it"), kind, self.likelihood, self.name, reason, PLACE)

    def _between(self, page: Page, one: Finding, next_one: Finding) -> Iterator[Finding]:
        between = (one.end, next_one.start)
        if between[1] - between[0] > _WIDEST or not _BETWEEN.fullmatch(page.text, *between):
            return
        for start, end in uncovered(page.text, between, page.found):
            words = page.text[start:end].split()
            if _is_name(page, words[0]) and _is_name(page, words[-1]):
                reason = "between street and town"
                yield Finding(start, end, "STREET", self.likelihood, self.name, reason, ADDRESS)


def _start(page: Page, street: Finding) -> int:
    """Where a street starts, with its flat, or a number before a name that has one after it."""
    text = page.text[street.start : street.end]
    before = _BEFORE.search(page.text, max(0, street.start - _REACH), street.start)
    if not before or (before[0].strip().isdigit() and text.isalpha()):
        return street.start
    has_number = text[0].isdigit() or text[-1].isdigit()
    return before.start() if has_number or not before[0].strip().isdigit() else street.start


def _end(page: Page, street: Finding) -> int:
    """Where a street ends, with a house number after it if it has none."""
    if any(character.isdigit() for character in page.text[street.start : street.end]):
        return street.end
    number = _NUMBER.match(page.text, street.end)
    return number.end() if number else street.end


def _is_one(parts: list[Part]) -> bool:
    """Whether parts after a street are one run of words up to a country or code."""
    kinds = [part.kind for part in parts]
    runs_on = any(part.near and part.kind == "CITY" for part in parts)
    return kinds[-1:] in (["ZIP"], ["COUNTRY"]) and (runs_on or "COUNTRY" in kinds)


def _is_name(page: Page, word: str) -> bool:
    return word[0].isdigit() or (word[0].isupper() and is_town(page, word))


def _is_place(page: Page, word: str) -> bool:
    """Whether a word after an organization can be its town: no ordinary word, no letters."""
    known = page.lexicon.union("ordinary", "suffix")
    if not is_town(page, word) or page.lexicon.mask(word) & known:
        return False
    return not word.isupper() or len(word) > _LETTERS


ADDRESS_BLOCK = AddressBlock("address_block", examples=(("We live near a street.", ()),))
