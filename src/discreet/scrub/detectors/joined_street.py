"""Streets whose type is the end of the word: Hauptstraße 12, Keizersgracht 8, Storgatan 3 B.

German, Dutch, Scandinavian, Finnish, Estonian and Hungarian.
"""

from __future__ import annotations

from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrub.detectors.detector import Example
from discreet.scrub.detectors.word_ending import WordEnding
from discreet.scrub.finding import ADDRESS, Finding
from discreet.scrub.page import Page

_TYPES = WordEnding(
    "straße strasse straat gracht gasse allee platz plein weg laan kade singel damm ufer str "
    "anlage markt chaussee ring gatan gata vägen väg gränd gränden katu polku kuja tie tänav gade "
    "vej stræde allé stien veien vegen gate utca steeg dreef dijk wal baan hof steig pfad graben",
    stem=0,
)
_OPEN = ("tie", "gate", "gata", "ring", "markt", "hof", "wal", "baan", "graben", "kuja", "dijk")
"""Endings that words of other kinds have too; such a word must be in no list."""
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
            if _is_open(page, place):
                continue
            if after:
                yield self._finding(page, first, after, 0.94)
            elif page.tokens[place].strip().lower().endswith(_SURE):
                yield self._finding(page, first, place + 1, 0.86)

    def _finding(self, page: Page, first: int, after: int, likelihood: float) -> Finding:
        start, end = page.start(first), page.end(after - 1)
        return Finding(start, end, "STREET", likelihood, self.name, "ends in a type", ADDRESS)


def _is_open(page: Page, place: int) -> bool:
    """Whether a word has such an ending by chance: Katie, Delgate."""
    token = page.tokens[place]
    return token.strip().lower().endswith(_OPEN) and not page.lexicon.has(token, "unknown")


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
    after = [token.strip() for token in tokens[place : place + 2]] + ["", ""]
    if after[0].lower() in _LETTERS and (after[0].isupper() or not after[1].isalpha()):
        return place + (2 if after[1].isdigit() and len(after[1]) <= 2 else 1)
    if after[0] in ("-", "/") and (after[1][:1].isdigit() or after[1].strip("IVX") == ""):
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
        ("Östra Storgatan 14 B 3", (("Storgatan 14 B 3", "STREET"),)),
        ("Herengracht 41-II", (("Herengracht 41-II", "STREET"),)),
        ("Mannerheimintie 5", (("Mannerheimintie 5", "STREET"),)),
        ("Katie 5 and Bertie 3 won.", ()),
        ("He goes his own weg 3 times.", ()),
        ("The Weg 12 of the map", ()),
    ),
)
