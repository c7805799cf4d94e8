"""Long numbers, and words of letters and digits, that point to somebody without any cue."""

from __future__ import annotations

import re

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.page import Page

_RANGE = re.compile(r"(\d{1,5})[-–/](\d{1,5})")
_QUANTITY = re.compile(r"\d+(?:[.,]\d+)?([A-Za-zµ]{1,4})(?:/\w+)?")


def is_reference(page: Page, first: int, after: int) -> bool:
    """Whether a number with marks or letters is none of range, quantity, norm or product."""
    text = page.text[page.start(first) : page.end(after - 1)]
    digits = sum(map(str.isdigit, text))
    letters = sum(map(str.isalpha, text))
    if text[0] == "#":
        return digits > 4
    if digits < 4 or len(text) < 6 or re.search(r"[a-z]{4,}(?=[-/]|$)", text):
        return False
    if "." in text or (" " in text and not letters):
        return (
            digits >= 9
            and not re.fullmatch(r"\d{1,3}(?:[. ]\d{3})*", text)
            and (not letters or "-" in text)
        )
    if not letters:
        parts_are_few = not _RANGE.fullmatch(text) and text.count("/") < 2
        return digits >= 7 and parts_are_few and not text.endswith("000")
    if _QUANTITY.fullmatch(text) or re.fullmatch(r"\d{4}s?|(?:19|20)\d\d[A-Z]\w?|FY\d+", text):
        return False
    head = re.match(r"[A-Za-z]*", text)
    word = head[0].lower() if head else ""
    lexicon = page.lexicon
    return (
        (digits > 5 and "-" not in text)
        or not word
        or not lexicon.mask(word) & (lexicon.bit("standard") | lexicon.bit("month"))
    )


REFERENCE_NUMBER = TemplateDetector(
    "reference_number",
    "numbers.txt",
    check=is_reference,
    examples=(
        ("filed as 32-841-09787", (("32-841-09787", "ID"),)),
        ("see CL-123456 or MN93567LM", (("CL-123456", "ID"), ("MN93567LM", "ID"))),
        ("2019-CV-12345 and 4471/A/2231", (("2019-CV-12345", "ID"), ("4471/A/2231", "ID"))),
        ("4471/a/22, inc-118606", (("4471/a/22", "ID"), ("inc-118606", "ID"))),
        ("box 4963990", (("4963990", "ID"),)),
        ("number 48213377", (("48213377", "ID"),)),
        ("#44712", (("#44712", "ID"),)),
        (
            "AHV 756.1234.5678.97, 1300 555 0122",
            (("756.1234.5678.97", "ID"), ("1300 555 0122", "ID")),
        ),
        (
            "2019-2020, 1.250.000.000, 1000-20000, 5000mg, COVID-2019, ISO-9001, 1000000, in 2020",
            (),
        ),
        ("mid-1990s, 3-bedroom, well-2000-known", ()),
    ),
)
