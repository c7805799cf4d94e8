"""Hospitals, clinics, schools, universities, banks, churches; wards and departments are not."""

from __future__ import annotations

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.finding import FULL
from discreet.scrub.page import Page

_GENERAL = ("specialty", "institution", "medical", "general", "center_word", "heading")
_NAMED = ("fancy", "sure_last", "sure_first", "sure_city", "state", "country")


def is_a_certain_one(page: Page, first: int, after: int) -> bool:
    """Whether a word says which one it is: not the Cardiology Clinic, not a High School."""
    if any(token.strip() in ("'s", "’s") for token in page.tokens[first:after]):
        return True
    return any(is_telling(page, token) for token in page.tokens[first:after] if token[0].isalpha())


def is_telling(page: Page, word: str) -> bool:
    """Whether a word of an organization's name tells it from others of its kind."""
    lexicon = page.lexicon
    mask = lexicon.mask(word)
    if mask & lexicon.union(*_GENERAL):
        return False
    return not mask & lexicon.bits["ordinary"] or bool(mask & lexicon.union(*_NAMED))


INSTITUTION = TemplateDetector(
    "institution",
    "places.txt",
    precedence=FULL,
    check=is_a_certain_one,
    examples=(
        ("at St. Mary's Hospital.", (("St. Mary's Hospital", "ORGANIZATION"),)),
        ("seen at Massachusetts General today", (("Massachusetts General", "ORGANIZATION"),)),
        ("by Dr. Frank at Brigham's.", (("Brigham's", "ORGANIZATION"),)),
        ("First National Bank of Peabon", (("First National Bank of Peabon", "ORGANIZATION"),)),
        ("the University of Utrecht", (("University of Utrecht", "ORGANIZATION"),)),
        ("Mercy Medical Center", (("Mercy Medical Center", "ORGANIZATION"),)),
        ("Lincoln Elementary School", (("Lincoln Elementary School", "ORGANIZATION"),)),
        ("She goes to school and to the hospital.", ()),
        ("Seen in the Cardiology Clinic. He left High School.", ()),
        ("The Hospital has a ward. The Emergency Department is full.", ()),
    ),
)
