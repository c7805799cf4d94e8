"""Names of people with several parts: title, first, middle, last, initials, nickname."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.scrubbing.detectors.detector import Example, TemplateDetector
from discreet.scrubbing.finding import FULL, SINGLE, Finding
from discreet.scrubbing.page import Page
from discreet.scrubbing.templates.lexicon import Lexicon
from discreet.scrubbing.templates.tokens import tokenize

_PLACES = ("city", "state", "country")
_EDGES = 2
"""White space before and after a place, each at most one token."""


def is_no_place(page: Page, first: int, after: int) -> bool:
    """Whether the words together are not the name of a city, state or country (Virginia Beach)."""
    if after - first < 2:
        return True
    places = _list_places(page.lexicon)
    head = page.tokens[first].strip().lower()
    if after - first > places.longest + _EDGES or (head and head not in places.firsts):
        return True
    return "".join(page.tokens[first:after]).strip().lower() not in places.phrases


@safe_repr
class _Places(NamedTuple):
    """Places of several words, the tokens that they begin with, and the most tokens of one."""

    phrases: frozenset[str]
    firsts: frozenset[str]
    longest: int


@lru_cache(maxsize=4)
def _list_places(lexicon: Lexicon) -> _Places:
    phrases = lexicon.any_phrase(*_PLACES)
    cut = list(map(tokenize, phrases))
    firsts = frozenset(tokens[0].strip() for tokens in cut)
    return _Places(phrases, firsts, max(map(len, cut), default=0))


FULL_NAME = TemplateDetector(
    "full_name",
    "names.txt",
    precedence=FULL,
    check=is_no_place,
    examples=(
        ("We saw Frank Graves today.", (("Frank Graves", "NAME"),)),
        ("F. R. Graves, MD", (("F. R. Graves", "NAME"),)),
        ("Seen by Dr. Graves today.", (("Graves", "NAME"),)),
        ("Frank Red Graves", (("Frank Red Graves", "NAME"),)),
        ("“Red” Graves", (("“Red” Graves", "NAME"),)),
        ("frank red graves", (("frank red graves", "NAME"),)),
        ("SMITH, JOHN R. was here", (("SMITH, JOHN R.", "NAME"),)),
        ("They live in Virginia Beach.", ()),
        ("Mrs. O'Brien and Ms. Smith-Jones", (("O'Brien", "NAME"), ("Smith-Jones", "NAME"))),
        ("Maria de la Cruz called.", (("Maria de la Cruz", "NAME"),)),
    ),
)


# First names, last names and nicknames on their own, mostly known from the blackboard.


def is_no_part_of_a_place(page: Page, first: int, after: int) -> bool:
    """Whether the name is not half of a place name: York in New York, Virginia Beach."""
    before = is_no_place(page, first - 1, after) if first else True
    return before and is_no_place(page, first, min(after + 1, len(page.tokens)))


SINGLE_NAME = TemplateDetector(
    "single_name",
    "names.txt",
    check=is_no_part_of_a_place,
    examples=(
        ("I talked with Jennifer.", (("Jennifer", "NAME"),)),
        ("He flew from New York to Virginia Beach.", ()),
        ("Will you come in May? I hope so.", ()),
    ),
)


# Names recognized by the words around them: greetings, signatures, labels, family, speech.


CONTEXT_NAME = TemplateDetector(
    "context_name",
    "names.txt",
    check=is_no_place,
    examples=(
        ("Dear Bob,", (("Bob", "NAME"),)),
        ("Dear Team,", ()),
        ("Name: Ada Okonkwo", (("Ada Okonkwo", "NAME"),)),
        ("my name is ada", (("ada", "NAME"),)),
        ("Her sister Ann came.", (("Ann", "NAME"),)),
        ("likes to be called Ace.", (("Ace", "NAME"),)),
        ("She called Dr. on Monday.", ()),
    ),
)


# A family called by its name: the Fitzgibbons, both Achterbergs.


_SHORTEST = 4


def is_plural_of_a_name(page: Page, first: int, after: int) -> bool:
    """Whether the word without its s is a last name or in no list at all."""
    word = page.lexicon.plains[page.tokens[after - 1]]
    stems = [word.removesuffix(end) for end in ("s", "es") if word.endswith(end)]
    names = page.lexicon.union("last", "unknown")
    ordinary = page.lexicon.bit("ordinary")
    known = [page.lexicon.known(stem) for stem in stems if len(stem) >= _SHORTEST]
    return any(bits & names for bits in known) and not any(bits & ordinary for bits in known)


FAMILY_NAME = TemplateDetector(
    "family_name",
    "names.txt",
    check=is_plural_of_a_name,
    examples=(
        ("send two cards to the Fitzgibbons", (("Fitzgibbons", "NAME"),)),
        ("beds from both Ostrowskis.", (("Ostrowskis", "NAME"),)),
        ("the Wikipedia page, the Ostrowski test, the Managers", ()),
    ),
)


# Initials that a text defines for a person: ``Hugh Ainsty (HA)``, and ``HA`` from then on.


_GIVEN = re.compile(r" \(([^\W\d_]{2,4})(?=[),;])")


@dataclass(frozen=True)
class OwnInitialsDetector:
    """Finds initials in parentheses after a known name, and wherever they occur again."""

    name: str = "own_initials"
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """The initials; in turn 2, when names are known."""
        if page.turn == 1 or "(" not in page.text:
            return
        given = {found for finding in page.found if (found := _read_initials(page.text, finding))}
        if not given:
            return
        for place, token in enumerate(page.tokens):
            if token.rstrip() in given:
                yield Finding(
                    page.start(place),
                    page.end(place),
                    "NAME",
                    0.88,
                    self.name,
                    "initials of a person named before",
                    SINGLE,
                )


def _read_initials(text: str, finding: Finding) -> str:
    """The initials after a name, if they match it."""
    if finding.kind != "NAME" or finding.keep:
        return ""
    given = _GIVEN.match(text, finding.end)
    if given is None:
        return ""
    words = re.findall(r"[^\W\d_]+", text[finding.start : finding.end])
    firsts = "".join(word[0] for word in words).upper()
    letters = given[1].upper()
    return given[1] if letters in firsts or letters == firsts[:1] + firsts[-1:] else ""


OWN_INITIALS = OwnInitialsDetector(
    examples=(("An MRI (MRI) was done, and HA is no hospital.", ()),),
)
