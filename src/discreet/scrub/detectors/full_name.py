"""Names of people in more than one part: title, first, middle, last, initials, nick name."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import FULL
from discreet.scrub.page import Page

_PLACES = ("city", "state", "country")


def is_no_place(page: Page, first: int, after: int) -> bool:
    """Whether the words are not together the name of a city, state or country (Virginia Beach)."""
    if after - first < 2:
        return True
    words = "".join(page.tokens[first:after]).strip().lower()
    return words not in page.lexicon.any_phrase(*_PLACES)


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
