"""Small towns: by a list that is no part of the lexicon, and by endings that towns have.

Notes
-----
[Sweeney2001]_, sec. 9.2: common knowledge of places.

Departures: words of this list stay unknown to the templates, as many of them are last names too.

Cost: each different token is looked at once.
"""

from __future__ import annotations

from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrub.alphabet import NORMAL
from discreet.scrub.detectors.detector import Example
from discreet.scrub.detectors.word_ending import WordEnding
from discreet.scrub.finding import Finding
from discreet.scrub.languages.load import Language
from discreet.scrub.page import Page

_LOUD = 6
"""Letters of a town that is written in capitals."""


class _Towns(WordEnding):
    """Words of the list, and words that end as towns do."""

    def __init__(self, language: Language) -> None:
        super().__init__(" ".join(language.extra("town_endings")))
        self._towns, self._before = language.extra("towns"), language.extra("before_towns")

    def ends(self, token: str) -> bool:
        """Whether a token is a town, has the ending of one, or is all capitals and long."""
        word = token.strip()
        if word.isupper() and len(word) >= _LOUD and word.isalpha():
            return True
        return self.has(token) or super().ends(token)

    def has(self, token: str) -> bool:
        """Whether a token is a town of the list."""
        return token.strip().lower() in self._towns

    def is_name(self, page: Page, place: int) -> bool:
        """Whether a word has a capital, or a word before it after which a place stands."""
        word = page.tokens[place].strip()
        if self.has(word):
            return word[0].isupper() or self._is_after(page, place)
        if super().ends(word):
            return word[0].isupper()
        return page.casing == NORMAL and self._is_after(page, place)

    def _is_after(self, page: Page, place: int) -> bool:
        return place > 0 and page.tokens[place - 1].strip().lower() in self._before


_BY_LANGUAGE: dict[str, _Towns] = {}


def _towns(language: Language) -> _Towns:
    if language.code not in _BY_LANGUAGE:
        _BY_LANGUAGE[language.code] = _Towns(language)
    return _BY_LANGUAGE[language.code]


@dataclass(frozen=True)
class TownEnding:
    """Finds words that no list of the lexicon has and that are towns or end as towns do."""

    name: str
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Towns; in turn 1 only."""
        if page.turn == 2:
            return
        towns = _towns(page.language)
        for place in towns.places(page):
            token = page.tokens[place]
            if page.lexicon.has(token, "unknown") and towns.is_name(page, place):
                reason = "small town" if towns.has(token) else "ending of a town"
                start, end = page.start(place), page.end(place)
                yield Finding(start, end, "CITY", 0.76, self.name, reason)


TOWN_ENDING = TownEnding(
    "town_ending",
    examples=(
        ("The bus to Judithbury left.", (("Judithbury", "CITY"),)),
        ("Her sister in Kilrush and Chipping Norton", (("Kilrush", "CITY"),)),
        ("The train to KORVASKYLÄ left.", (("KORVASKYLÄ", "CITY"),)),
        ("we met in kilrush", (("kilrush", "CITY"),)),
        ("NO CHANGE IN OROPHARYNX TODAY AT ALL", ()),
        ("A WARNING: SYSTMCTL is no town.", ()),
        ("Report and Airport are no towns.", ()),
    ),
)
