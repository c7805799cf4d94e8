"""A family called by its name: the Fitzgibbons, both Achterbergs."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.page import Page

_SHORTEST = 4


def is_plural_of_a_name(page: Page, first: int, after: int) -> bool:
    """Whether the word without its s is a last name, or no word of any list."""
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
