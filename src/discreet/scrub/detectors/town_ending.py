"""Towns in no list, by the endings of English and German towns: Judithbury, Peabonville."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from discreet.scrub.detectors.detector import Example
from discreet.scrub.detectors.word_ending import WordEnding
from discreet.scrub.finding import Finding
from discreet.scrub.page import Page

_ENDINGS = WordEnding(
    "ville bury burgh borough mouth chester shire town burg port haven stadt hausen furt stad "
    "side field fort view wick"
)


@dataclass(frozen=True)
class TownEnding:
    """Finds capitalized words that no list has and that end as towns do."""

    name: str
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Towns; in turn 1 only."""
        if page.turn == 1:
            for place in _ENDINGS.places(page):
                token = page.tokens[place]
                if token[0].isupper() and page.lexicon.has(token, "unknown"):
                    start, end = page.start(place), page.end(place)
                    yield Finding(start, end, "CITY", 0.76, self.name, "ending of a town")


TOWN_ENDING = TownEnding(
    "town_ending",
    examples=(
        ("The bus to Judithbury left.", (("Judithbury", "CITY"),)),
        ("Report and Airport are no towns.", ()),
    ),
)
