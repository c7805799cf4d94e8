"""Cities, states and countries of several words, looked up as a whole: Los Angeles, New York."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrub.detectors.detector import Example
from discreet.scrub.finding import FULL, PLACE, Finding
from discreet.scrub.lexicon import unaccented
from discreet.scrub.page import Page

_FEATURE = {"CITY": "city", "STATE": "state", "COUNTRY": "country"}
_PAIR = 2
_LONG = 0.96
"""How likely a known name of three words or more is that place: San Luis Obispo."""
_MOST = 6
"""Tokens of the longest name that is looked up."""


@dataclass(frozen=True)
class PlacePhrase:
    """Finds the longest name of a place that starts at a word."""

    name: str
    file: str
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Names of places of several words."""
        for template, first, _ in page.match(self.file, self.name):
            after = _end_of_phrase(page, first, _FEATURE[template.kind])
            if after:
                long = after - first > _PAIR
                found = page.finding(template, first, after, FULL if long else PLACE)
                yield found._replace(likelihood=_LONG) if long else found


def _end_of_phrase(page: Page, first: int, feature: str) -> int:
    """The token after the longest known phrase from here, or 0."""
    phrases = page.lexicon.phrases.get(feature, ())
    for after in range(min(first + _MOST, len(page.tokens)), first + 1, -1):
        words = "".join(page.tokens[first:after]).strip().lower()
        known = words in phrases or (not words.isascii() and unaccented(words) in phrases)
        if known and (page.tokens[first].islower() or not page.tokens[after - 1].islower()):
            return after
    return 0


PLACE_PHRASE = PlacePhrase(
    "place_phrase",
    "places.txt",
    examples=(
        ("We flew to Los Angeles.", (("Los Angeles", "CITY"),)),
        (
            "South Africa and North Carolina",
            (("South Africa", "COUNTRY"), ("North Carolina", "STATE")),
        ),
        ("near St. Paul", (("St. Paul", "CITY"),)),
        ("she drove to long beach", (("long beach", "CITY"),)),
        ("A new plan for the north.", ()),
    ),
)
