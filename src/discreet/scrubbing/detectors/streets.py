"""Streets, with or without house number and flat, and post boxes; American and European forms."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrubbing.detectors.detector import Example, TemplateDetector, WordEnding
from discreet.scrubbing.finding import ADDRESS, FULL, Finding
from discreet.scrubbing.page import Page

_MOST = 6
"""Most characters of a house number."""
_CLOCK = re.compile(r"0\d[0-5]\d")
"""A time of day without a colon, as in logs."""


def is_house_number(page: Page, first: int, after: int) -> bool:
    """Whether letters and digits at the start of a street are a house number."""
    start = page.tokens[first].strip()
    if not start[0].isdigit():
        return True
    if _CLOCK.fullmatch(start):
        return False
    return len(start) <= _MOST and sum(map(str.isalpha, start)) <= 2 and not _is_time(page, first)


def _is_time(page: Page, first: int) -> bool:
    """Whether the number ends a time, date or amount: 10:30 Main Street."""
    return first > 0 and page.tokens[first - 1] in (":", "/", ".", "$", "€", "£")


STREET = TemplateDetector(
    "street",
    "places.txt",
    precedence=ADDRESS,
    check=is_house_number,
    examples=(
        ("He lives at 12 Main St Apt 4B.", (("12 Main St Apt 4B", "STREET"),)),
        ("Send it to P.O. Box 12, please.", (("P.O. Box 12", "STREET"),)),
        ("I met him at 221B Baker Street.", (("221B Baker Street", "STREET"),)),
        ("455 S. 10th Ave., Suite 300", (("455 S. 10th Ave., Suite 300", "STREET"),)),
        ("Adresse: 10 rue de la Paix", (("10 rue de la Paix", "STREET"),)),
        ("Berliner Straße 12", (("Berliner Straße 12", "STREET"),)),
        ("Calle Mayor 5", (("Calle Mayor 5", "STREET"),)),
        ("i am at 12 maple street", (("12 maple street", "STREET"),)),
        ("RR 2, Box 152", (("RR 2, Box 152", "STREET"),)),
        ("Flat 3, 12 High Street", (("Flat 3, 12 High Street", "STREET"),)),
        ("9120 Lehola 8 Apt. 3", (("9120 Lehola 8 Apt. 3", "STREET"),)),
        ("at ul. Lipowa 12", (("ul. Lipowa 12", "STREET"),)),
        ("Kossuth utca 9 is red", (("Kossuth utca 9", "STREET"),)),
        ("He has fourteen Marsden Close.", (("fourteen Marsden Close", "STREET"),)),
        ("75 Quince, Ste 9-F", (("75 Quince, Ste 9-F", "STREET"),)),
        ("at 62 County Road 9", (("62 County Road 9", "STREET"),)),
        ("Unit 3 Box 4 DPO AE 12345", (("Unit 3 Box 4 DPO AE 12345", "STREET"),)),
        ("USS Ardent FPO AA 12345", (("USS Ardent FPO AA 12345", "STREET"),)),
        ("by the corner of Elm and Third", (("the corner of Elm and Third", "STREET"),)),
        ("Cheviot House, 4 Sheep Market", (("Cheviot House, 4 Sheep Market", "STREET"),)),
        ("House 12-A, Street 5", (("House 12-A, Street 5", "STREET"),)),
        ("Carrera 7 # 45-12", (("Carrera 7 # 45-12", "STREET"),)),
        ("leads STE II III, RR 22, and 0455 Amio 300.", ()),
        ("She took 5 steps down the road.", ()),
        ("Seen at 10:30 by the court.", ()),
        ("It was a two way street.", ()),
    ),
)


# Streets without a house number: on Baker Street, Sycamore Drive, rue Lepic.


STREET_NAME = TemplateDetector(
    "street_name",
    "places.txt",
    precedence=FULL,
    examples=(
        ("They met on Baker Street.", (("Baker Street", "STREET"),)),
        ("a house on Sycamore Drive", (("Sycamore Drive", "STREET"),)),
        ("rue Lepic", (("rue Lepic", "STREET"),)),
        ("we met on marrick rd", (("marrick rd", "STREET"),)),
        ("her house on Stockwell St", (("Stockwell St", "STREET"),)),
        ("The road to the street was long. The Court sat.", ()),
    ),
)


# Streets whose type is the end of a word: Hauptstraße 12, Keizersgracht 8, Storgatan 3 B.
#
# German, Dutch, Scandinavian, Finnish, Estonian and Hungarian.


_TYPES = WordEnding(
    "straße strasse straat gracht gasse allee platz plein weg laan kade singel damm ufer str "
    "anlage markt chaussee ring gatan gata vägen väg gränd gränden katu polku kuja tie tänav gade "
    "vej stræde allé stien veien vegen gate utca steeg dreef dijk wal baan hof steig pfad graben",
    stem=0,
)
_OPEN = ("tie", "gate", "gata", "ring", "markt", "hof", "wal", "baan", "graben", "kuja", "dijk")
"""Endings that other words have too; a word with one of them must not be in any list."""
_SURE = ("straße", "strasse", "straat")
_NAME = 7
"""Fewest characters of a name that counts as a street."""
_LETTERS = tuple("abcdefgh")
_NUMBER = 5
"""Most characters of a house number."""


@dataclass(frozen=True)
class JoinedStreet:
    """Finds a capitalized word that ends in a street type and is followed by a house number."""

    name: str
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Streets; in turn 1 only."""
        if page.turn == 2:
            return
        for place in _TYPES.places(page):
            first, after = _find_first(page, place), _skip_number(page, place)
            if not page.tokens[place][0].isupper() or page.end(place) - page.start(first) < _NAME:
                continue
            if _is_open(page, place):
                continue
            if after:
                yield self._make_finding(page, first, after, 0.94)
            elif page.tokens[place].strip().lower().endswith(_SURE):
                yield self._make_finding(page, first, place + 1, 0.86)

    def _make_finding(self, page: Page, first: int, after: int, likelihood: float) -> Finding:
        start, end = page.start(first), page.end(after - 1)
        return Finding(start, end, "STREET", likelihood, self.name, "ends in a type", ADDRESS)


def _is_open(page: Page, place: int) -> bool:
    """Whether a word may have such an ending by chance: Katie, Delgate."""
    token = page.tokens[place]
    return token.strip().lower().endswith(_OPEN) and not page.lexicon.has(token, "unknown")


def _find_first(page: Page, place: int) -> int:
    """The first token of the name, with the words hyphenated to it (Karl-Marx-Allee)."""
    tokens = page.tokens
    while place > 1 and tokens[place - 1] == "-" and tokens[place - 2].isalpha():
        place -= 2
    return place


def _skip_number(page: Page, place: int) -> int:
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
