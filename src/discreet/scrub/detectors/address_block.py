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
from dataclasses import dataclass
from itertools import pairwise

from discreet.scrub.alphabet import UPPER
from discreet.scrub.detectors.detector import Example
from discreet.scrub.detectors.layout import uncovered
from discreet.scrub.finding import ADDRESS, PLACE, Finding
from discreet.scrub.page import Page

_PARTS = ("STREET", "CITY", "STATE", "ZIP", "COUNTRY", "LOCATION", "ORGANIZATION", "NAME")
_BETWEEN = re.compile(r"[\s,;|/-]*(?:(?:[\w'’#-]|\.(?! ))+[ ,]*){0,5}[\s,;|/-]*")
_UPPER = r"[A-ZÀ-ÖØ-Þ](?:[^\W\d_]|['’-])*"
_TOWN = re.compile(
    rf"(?:\.?,|\n) *(?P<it>{_UPPER}(?: (?:(?:[a-z]{{2,4}}) ){{0,2}}{_UPPER}){{0,3}})"
    r"(?=[,.;)\n]|\Z| \d| [A-Z]{1,2}\d)"
)
_NO_TOWN = ("heading", "title", "closing", "greeting", "month", "weekday", "relation")
_WIDEST = 40


@dataclass(frozen=True)
class AddressBlock:
    """Finds what stands between a street and its town: a quarter, a building, a district."""

    name: str
    likelihood: float = 0.82
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Stretches between a street and a town; in turn 2, on what turn 1 found."""
        if page.turn == 1:
            return
        parts = [f for f in page.found if f.kind in _PARTS]
        for street in parts:
            if street.kind == "STREET":
                yield from self._after(page, street)
        for one, next_one in pairwise(parts):
            if one.kind == "STREET" and next_one.kind in ("CITY", "STATE", "ZIP", "NAME"):
                yield from self._between(page, one, next_one)

    def _after(self, page: Page, street: Finding) -> Iterator[Finding]:
        """The towns after a street, a comma or a line end before each."""
        end = street.end
        for _ in range(2):
            town = _TOWN.match(page.text, end)
            if town is None or not _is_name(page, town["it"].split()[0]):
                return
            if page.casing == UPPER and town[0][0] == "\n":
                return
            end = town.end()
            reason = "after a street"
            yield Finding(*town.span("it"), "CITY", self.likelihood, self.name, reason, PLACE)

    def _between(self, page: Page, one: Finding, next_one: Finding) -> Iterator[Finding]:
        between = (one.end, next_one.start)
        if between[1] - between[0] > _WIDEST or not _BETWEEN.fullmatch(page.text, *between):
            return
        for start, end in uncovered(page.text, between, page.found):
            words = page.text[start:end].split()
            if _is_name(page, words[0]) and _is_name(page, words[-1]):
                reason = "between street and town"
                yield Finding(start, end, "STREET", self.likelihood, self.name, reason, ADDRESS)


def _is_name(page: Page, word: str) -> bool:
    return word[0].isdigit() or (
        word[0].isupper() and not any(page.lexicon.has(word, feature) for feature in _NO_TOWN)
    )


ADDRESS_BLOCK = AddressBlock("address_block", examples=(("We live near a street.", ()),))
