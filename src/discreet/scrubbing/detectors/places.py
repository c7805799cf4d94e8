"""Towns with a state, ZIP or country next to them; each part is a finding of its own.

Notes
-----
[Sweeney2001]_, sec. 9.3, fig. 111: a location is {city, state, country}; "detecting a geographical
location may make it possible to identify a city, a state or a country".

Departures: the parts keep their own kinds, so that each is replaced by its own rule, and have the
precedence of the whole, which is that of an address block if there is a ZIP or a state.
"""

from __future__ import annotations

from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrubbing.detectors.detector import Example, TemplateDetector, WordEnding
from discreet.scrubbing.finding import ADDRESS, FULL, PLACE, Finding
from discreet.scrubbing.languages.load import Language
from discreet.scrubbing.page import Page
from discreet.scrubbing.templates.alphabet import NORMAL
from discreet.scrubbing.templates.lexicon import strip_accents

_STATES = ("state", "state_code", "province_code", "state_start", "state_short", "initial")
_SIZE = 3
"""Fewest digits of a ZIP or postcode."""


@dataclass(frozen=True)
class Location:
    """Finds a town by the state, ZIP or country after it or the postcode before it."""

    name: str
    file: str
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """The parts of each location."""
        for template, first, after in page.match(self.file, self.name):
            for kind, start, end in split_location(page, first, after):
                part = page.finding(template, start, end, ADDRESS)
                yield part._replace(kind=kind)


def split_location(page: Page, first: int, after: int) -> Iterator[tuple[str, int, int]]:
    """The kind, the first token and the token after the last for each part of a location."""
    start, end = first, after
    texts = [token.strip() for token in page.tokens[first:after]]
    digits = [i for i, text in enumerate(texts) if text.isdigit()]
    if digits and digits[0] == 0:
        start = first + _find_code_length(texts)
        yield "ZIP", first, start
    elif digits and len(texts[digits[0]]) >= _SIZE:
        end = first + digits[0]
        yield "ZIP", end, after
    comma = max((i for i, text in enumerate(texts) if text == ","), default=None)
    cut = first + comma if comma is not None and first + comma < end - 1 else None
    if cut is None and end < after:
        cut = _find_last_state(page, start, end)
    if cut is None:
        yield "CITY", start, _trim_end(texts, first, end)
        return
    region = cut + 1 if texts[cut - first] == "," else cut
    yield "CITY", start, cut
    yield _choose_kind(page, region), region, _trim_end(texts, first, end)


def _trim_end(texts: list[str], first: int, end: int) -> int:
    """The end, moved before trailing marks and line ends."""
    while not texts[end - 1 - first] or texts[end - 1 - first] == ",":
        end -= 1
    return end


def _find_code_length(texts: list[str]) -> int:
    """Tokens of a leading postcode: 80331, 1012 AB (Dutch), 1100-053 (Portuguese)."""
    if texts[1] == "-":
        return 3
    return 2 if len(texts) > 2 and len(texts[1]) == 2 and texts[1].isupper() else 1


def _find_last_state(page: Page, start: int, end: int) -> int | None:
    """Where the state starts in a location without a comma: Boston MA 02139."""
    while end - 1 > start and not page.tokens[end - 1].strip():
        end -= 1
    has, tokens = page.lexicon.has, page.tokens
    is_pair = has(tokens[end - 2], "state_start") and has(tokens[end - 1], "state_part")
    place = end - 2 if is_pair else end - 1
    return place if place > start else None


def _choose_kind(page: Page, place: int) -> str:
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


# Cities and towns on their own, by list and by the words before them.


CITY = TemplateDetector(
    "city",
    "places.txt",
    precedence=PLACE,
    examples=(
        ("She lives in Peabon now.", (("Peabon", "CITY"),)),
        ("The flight from Springfield was late.", (("Springfield", "CITY"),)),
        ("We like Chicago a lot.", (("Chicago", "CITY"),)),
        ("I am from chicago", (("chicago", "CITY"),)),
        ("a shop outside Larch Ridge", (("Larch Ridge", "CITY"),)),
        ("she works in the Lydford office", (("Lydford", "CITY"),)),
        ("They flew to Kenmarra on Sunday.", (("Kenmarra", "CITY"),)),
        ("Prague C2M4, Budapest 4 and the Edinburgh score", ()),
        ("Reading is Nice and Orange is Mobile.", ()),
        ("He was seen in May.", ()),
    ),
)


# States and provinces.


STATE = TemplateDetector(
    "state",
    "places.txt",
    precedence=PLACE,
    examples=(
        ("They left Massachusetts.", (("Massachusetts", "STATE"),)),
        ("She grew up in Virginia.", (("Virginia", "STATE"),)),
        ("I saw Virginia and Georgia today.", ()),
        ("OK, it is in my hand.", ()),
    ),
)


# Countries.


COUNTRY = TemplateDetector(
    "country",
    "places.txt",
    precedence=PLACE,
    examples=(
        ("We love Portugal.", (("Portugal", "COUNTRY"),)),
        ("He is from Jordan.", (("Jordan", "COUNTRY"),)),
        ("a flight to the USA", (("USA", "COUNTRY"),)),
        ("Jordan and Chad laughed.", ()),
        ("Tell us more.", ()),
    ),
)


# Counties, parks, lakes, airports: places other than towns.


AREA = TemplateDetector(
    "area",
    "places.txt",
    precedence=PLACE,
    examples=(
        ("She moved to Suffolk County.", (("Suffolk County", "LOCATION"),)),
        ("We left from Logan Airport.", (("Logan Airport", "LOCATION"),)),
        ("a farm in Co. Sligo", (("Co. Sligo", "LOCATION"),)),
        ("a cousin in Shropshire", (("Shropshire", "LOCATION"),)),
        ("the old Penmarch Lighthouse", (("Penmarch Lighthouse", "LOCATION"),)),
        ("the county paid for the park", ()),
    ),
)


# Cities, states and countries of several words, looked up as a phrase: Los Angeles, New York.


_FEATURE = {"CITY": "city", "STATE": "state", "COUNTRY": "country"}
_PAIR = 2
_LONG = 0.96
"""Likelihood of a known name of three words or more: San Luis Obispo."""
_MOST = 6
"""Tokens of the longest phrase that is looked up."""


@dataclass(frozen=True)
class PlacePhrase:
    """Finds the longest name of a place that starts at a word."""

    name: str
    file: str
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Names of places of several words."""
        for template, first, _ in page.match(self.file, self.name):
            after = _find_phrase_end(page, first, _FEATURE[template.kind])
            if after:
                long = after - first > _PAIR
                found = page.finding(template, first, after, FULL if long else PLACE)
                yield found._replace(likelihood=_LONG) if long else found


def _find_phrase_end(page: Page, first: int, feature: str) -> int:
    """The token after the longest known phrase from here, or 0."""
    phrases = page.lexicon.phrases.get(feature, ())
    for after in range(min(first + _MOST, len(page.tokens)), first + 1, -1):
        words = "".join(page.tokens[first:after]).strip().lower()
        known = words in phrases or (not words.isascii() and strip_accents(words) in phrases)
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


# Small towns: by a list outside the lexicon, and by endings of town names.
#
# Notes
# -----
# [Sweeney2001]_, sec. 9.2: common knowledge of places.
#
# Departures: the templates do not know the words of this list, as many are also last names.
#
# Cost: each distinct token is checked once.


_LOUD = 6
"""Fewest letters of a town that is written in capitals."""


class _Towns(WordEnding):
    """Words of the list, and words with the ending of a town name."""

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
        """Whether a word is capitalized, or follows a word that a place usually follows."""
        word = page.tokens[place].strip()
        if self.has(word):
            return word[0].isupper() or self._is_after(page, place)
        if super().ends(word):
            return word[0].isupper()
        return page.casing == NORMAL and self._is_after(page, place)

    def _is_after(self, page: Page, place: int) -> bool:
        return place > 0 and page.tokens[place - 1].strip().lower() in self._before


_BY_LANGUAGE: dict[str, _Towns] = {}


def _load_towns(language: Language) -> _Towns:
    if language.code not in _BY_LANGUAGE:
        _BY_LANGUAGE[language.code] = _Towns(language)
    return _BY_LANGUAGE[language.code]


@dataclass(frozen=True)
class TownEnding:
    """Finds words outside the lexicon that are small towns or have the ending of one."""

    name: str
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Towns; in turn 1 only."""
        if page.turn == 2:
            return
        towns = _load_towns(page.language)
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
