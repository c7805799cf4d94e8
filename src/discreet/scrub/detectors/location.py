"""Towns with what stands beside them: state, ZIP or country; each part is a finding of its own.

Notes
-----
[Sweeney2001]_, sec. 9.3, fig. 111: a location is {city, state, country}; "detecting a geographical
location may make it possible to identify a city, a state or a country".

Departures: the parts keep their own kinds, so that each is replaced by its own rule, and have the
precedence of the whole: with a ZIP or a state that of an address block.
"""

from __future__ import annotations

from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrub.detectors.detector import Example
from discreet.scrub.finding import ADDRESS, Finding
from discreet.scrub.page import Page

_STATES = ("state", "state_code", "province_code", "state_start", "state_short", "initial")
_SIZE = 3
"""Digits that a ZIP or a postcode has at least."""


@dataclass(frozen=True)
class Location:
    """Finds a town by the state, ZIP or country after it or the postcode before it."""

    name: str
    file: str
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """The parts of each location."""
        for template, first, after in page.match(self.file, self.name):
            for kind, start, end in location_parts(page, first, after):
                part = page.finding(template, start, end, ADDRESS)
                yield part._replace(kind=kind)


def location_parts(page: Page, first: int, after: int) -> Iterator[tuple[str, int, int]]:
    """Kind, first token and token after the last of each part of a location."""
    start, end = first, after
    texts = [token.strip() for token in page.tokens[first:after]]
    digits = [i for i, text in enumerate(texts) if text.isdigit()]
    if digits and digits[0] == 0:
        start = first + _code_length(texts)
        yield "ZIP", first, start
    elif digits and len(texts[digits[0]]) >= _SIZE:
        end = first + digits[0]
        yield "ZIP", end, after
    comma = max((i for i, text in enumerate(texts) if text == ","), default=None)
    cut = first + comma if comma is not None and first + comma < end - 1 else None
    if cut is None and end < after:
        cut = _last_state(page, start, end)
    if cut is None:
        yield "CITY", start, _trimmed(texts, first, end)
        return
    region = cut + 1 if texts[cut - first] == "," else cut
    yield "CITY", start, cut
    yield _kind(page, region), region, _trimmed(texts, first, end)


def _trimmed(texts: list[str], first: int, end: int) -> int:
    """The end without marks and line ends before it."""
    while not texts[end - 1 - first] or texts[end - 1 - first] == ",":
        end -= 1
    return end


def _code_length(texts: list[str]) -> int:
    """Tokens of a postcode that goes first: 80331, 1012 AB (Dutch), 1100-053 (Portuguese)."""
    if texts[1] == "-":
        return 3
    return 2 if len(texts) > 2 and len(texts[1]) == 2 and texts[1].isupper() else 1


def _last_state(page: Page, start: int, end: int) -> int | None:
    """Where the state starts in a location without a comma: Boston MA 02139."""
    while end - 1 > start and not page.tokens[end - 1].strip():
        end -= 1
    has, tokens = page.lexicon.has, page.tokens
    is_pair = has(tokens[end - 2], "state_start") and has(tokens[end - 1], "state_part")
    place = end - 2 if is_pair else end - 1
    return place if place > start else None


def _kind(page: Page, place: int) -> str:
    token = page.tokens[place]
    return "STATE" if any(page.lexicon.has(token, s) for s in _STATES) else "COUNTRY"


LOCATION = Location(
    "location",
    "places.txt",
    examples=(
        ("Boston, MA 02139", (("Boston", "CITY"), ("MA", "STATE"), ("02139", "ZIP"))),
        (
            "South Kelly, MT 28420-1234",
            (("South Kelly", "CITY"), ("MT", "STATE"), ("28420-1234", "ZIP")),
        ),
        ("Peabon Falls OH 44113", (("Peabon Falls", "CITY"), ("OH", "STATE"), ("44113", "ZIP"))),
        ("from Mobile, Alabama.", (("Mobile", "CITY"), ("Alabama", "STATE"))),
        ("in Reading, PA for a day", (("Reading", "CITY"), ("PA", "STATE"))),
        ("80331 München", (("80331", "ZIP"), ("München", "CITY"))),
        ("75002 Paris", (("75002", "ZIP"), ("Paris", "CITY"))),
        ("1012 AB Amsterdam", (("1012 AB", "ZIP"), ("Amsterdam", "CITY"))),
        ("Lyon, France", (("Lyon", "CITY"), ("France", "COUNTRY"))),
        ("She left Eureka, Calif. last year", (("Eureka", "CITY"), ("Calif.", "STATE"))),
        ("in Beckley, W.Va. again", (("Beckley", "CITY"), ("W.Va.", "STATE"))),
        ("Raleigh, North Carolina", (("Raleigh", "CITY"), ("North Carolina", "STATE"))),
        ("Patrick Hayes, MD", ()),
        ("We saw 12345 people, and more", ()),
    ),
)
