"""German and Dutch streets, whose type is the end of the word: Hauptstraße 12, Keizersgracht 8."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from discreet.scrub.detectors.detector import Example
from discreet.scrub.detectors.word_ending import WordEnding
from discreet.scrub.finding import ADDRESS, Finding
from discreet.scrub.page import Page

_TYPES = WordEnding(
    "straße strasse straat gracht gasse allee platz plein weg laan kade singel damm ufer str "
    "anlage markt chaussee ring",
    stem=0,
)
_SURE = ("straße", "strasse", "straat")
_NAME = 7
"""Characters of the shortest name that is taken for a street."""
_LETTERS = tuple("abcdefgh")
_NUMBER = 5
"""Characters of a house number."""


@dataclass(frozen=True)
class JoinedStreet:
    """Finds a capitalized word that ends in a street type and has a house number after it."""

    name: str
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Streets; in turn 1 only."""
        if page.turn == 2:
            return
        for place in _TYPES.places(page):
            first, after = _first(page, place), _after_number(page, place)
            if not page.tokens[place][0].isupper() or page.end(place) - page.start(first) < _NAME:
                continue
            if after:
                yield self._finding(page, first, after, 0.94)
            elif page.tokens[place].strip().lower().endswith(_SURE):
                yield self._finding(page, first, place + 1, 0.86)

    def _finding(self, page: Page, first: int, after: int, likelihood: float) -> Finding:
        start, end = page.start(first), page.end(after - 1)
        return Finding(start, end, "STREET", likelihood, self.name, "ends in a type", ADDRESS)


def _first(page: Page, place: int) -> int:
    """The first token of the name: hyphens tie words before to it (Karl-Marx-Allee)."""
    tokens = page.tokens
    while place > 1 and tokens[place - 1] == "-" and tokens[place - 2].isalpha():
        place -= 2
    return place


def _after_number(page: Page, place: int) -> int:
    """The token after the house number, or 0 if there is none."""
    tokens = page.tokens
    place += 1
    if place < len(tokens) and tokens[place].strip() == ".":
        place += 1
    if place >= len(tokens) or not _is_number(tokens[place].strip()):
        return 0
    place += 1
    if place < len(tokens) and tokens[place].strip().lower() in _LETTERS:
        return place + 1
    if place + 1 < len(tokens) and tokens[place].strip() in "-/" and tokens[place + 1][0].isdigit():
        return place + 2
    return place


def _is_number(text: str) -> bool:
    return text[:1].isdigit() and len(text) <= _NUMBER


JOINED_STREET = JoinedStreet(
    "joined_street",
    examples=(
        ("Hauptstraße 12 in Ulm", (("Hauptstraße 12", "STREET"),)),
        ("Keizersgracht 123-2", (("Keizersgracht 123-2", "STREET"),)),
        ("Karl-Marx-Allee 3 a", (("Karl-Marx-Allee 3 a", "STREET"),)),
        ("Bahnhofstr. 7b", (("Bahnhofstr. 7b", "STREET"),)),
        ("He goes his own weg 3 times.", ()),
        ("The Weg 12 of the map", ()),
    ),
)
