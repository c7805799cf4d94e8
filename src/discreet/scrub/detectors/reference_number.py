"""Long numbers, and words of letters and digits, that point to somebody without any cue."""

from __future__ import annotations

import re

from discreet.scrub.detectors.detector import TemplateDetector
from discreet.scrub.page import Page

_RANGE = re.compile(r"(\d{1,5})[-–/](\d{1,5})")
_QUANTITY = re.compile(r"\d{1,5}(?:[.,]\d+)?([A-Za-zµ]{1,4})(?:/\w+)?")
_OF_A_YEAR = re.compile(r"(?!(?:19|20)\d\d/)\d{4,6}/(?:\d\d|(?:19|20)\d\d)")
_FOUR_AND_FOUR = re.compile(r"(?!20)[2-9]\d{3} (?!19|20)\d{4}")
_PLATE = re.compile(r"[A-Z]{2}-\d{3}-[A-Z]{2}|\d{2,3}-[A-Z]{1,2}-\d{1,6}|\d\d-[A-Z]{2,3}-\d{1,2}")
_SIZE = re.compile(r"\d+[xX]\d+|\d+-\d+s|KB\d{6,7}|G\dP\d+|\d{4}(?:/\d{4})+")
"""Sizes, decades, updates of an operating system, births, times of day."""


def is_spoken(page: Page, first: int, after: int) -> bool:
    """Whether words are digits said one by one: four at least, and no other number word alone."""
    lexicon = page.lexicon
    digit, large = lexicon.bit("digit_word"), lexicon.bit("number_word")
    count = letters = 0
    times = 1
    for token in page.tokens[first:after]:
        word = token.strip().lower()
        mask = lexicon.mask(word)
        if mask & digit:
            count += times
        elif mask & large:
            count += 1
        elif len(word) == 1 and word.isalpha():
            letters += times
        times = 2 if word == "double" else 3 if word in ("treble", "triple") else 1
    return count + letters > 3 and count > 1 and (not letters or count + letters > 4)


def is_reference(page: Page, first: int, after: int) -> bool:
    """Whether a number with marks or letters is none of range, quantity, norm or product."""
    text = page.text[page.start(first) : page.end(after - 1)]
    digits = sum(map(str.isdigit, text))
    if not digits:
        return is_spoken(page, first, after)
    letters = sum(map(str.isalpha, text))
    if text[0] == "#":
        return digits > 4 or (digits > 2 and page.tokens[first - 1].strip().istitle())
    if after - first == 2 and _FOUR_AND_FOUR.fullmatch(text):
        before = page.tokens[first - 1].strip() if first else ""
        return before in (",", ")", ":") or before.istitle()
    if _PLATE.fullmatch(text):
        return True
    if _SIZE.fullmatch(text):
        return False
    if _OF_A_YEAR.fullmatch(text):
        return digits > 5
    if digits < 4 or len(text) < 6 or re.search(r"[a-z]{4}(?=[-/]|$)", text):
        return False
    if "." in text or (" " in text and not letters):
        return (
            digits >= (8 if "-" in text else 9)
            and not ("." in text and "/" in text)
            and not re.fullmatch(r"\d{1,3}(?:\.\d{3})*|\d{1,3}(?: \d{3})* 000", text)
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
            "seven one double oh two, nine nine three four",
            (("seven one double oh two, nine nine three four", "PHONE"),),
        ),
        ("Bo Fox (guard), 6318 7405. Officer Fox #3906", (("6318 7405", "PHONE"), ("#3906", "ID"))),
        ("it is two oh seven one", (("two oh seven one", "ID"),)),
        (
            "41523/98, 12345678Z, CD-456-EF, KA 05 MX 1234",
            (("41523/98", "ID"), ("12345678Z", "ID"), ("CD-456-EF", "ID"), ("KA 05 MX 1234", "ID")),
        ),
        (
            "one or two of three, from 2019 2020, or 3000 4000, six to eight, twenty five, 2023/24,"
            " 600x1200, KB6120937",
            (),
        ),
        (
            "2019-2020, 1.250.000.000, 1000-20000, 5000mg, COVID-2019, ISO-9001, 1000000, in 2020",
            (),
        ),
        ("mid-1990s, 3-bedroom, well-2000-known", ()),
    ),
)
