"""Signatures: the lines after a closing are a name, what the person does, and where.

Notes
-----
[Sweeney2001]_, sec. 9.2: letters end with the writer's name, in a place that tells it.

Departures: none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrub.detectors.detector import Example
from discreet.scrub.detectors.institution import is_telling
from discreet.scrub.detectors.layout import Span, line_at, line_below
from discreet.scrub.finding import Finding
from discreet.scrub.page import Page

_LINES = 4
_FEW = 4
_MOST = 9
"""Words of a line."""
_WORD = re.compile(r"[^\W\d_]+")
_PART = re.compile(r"[^\W_][^|•·\n]*[^\W_]")


@dataclass(frozen=True)
class Signature:
    """Finds the name after a closing, and the organization in the lines under it."""

    name: str
    file: str
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """The lines of each signature; in turn 1 only."""
        for template, first, after in page.match(self.file, self.name):
            line = line_at(page.text, page.start(first))
            yield page.finding(template, first, after)
            yield from self._under(page, line)

    def _under(self, page: Page, line: Span) -> Iterator[Finding]:
        for _ in range(_LINES):
            below = line_below(page.text, line[1])
            if below is None or not _is_signed(page, page.text[below[0] : below[1]]):
                return
            line = below
            for part in _PART.finditer(page.text, *below):
                kind, likelihood = _what(page, _WORD.findall(part[0]))
                start, end = part.span()
                yield Finding(start, end, kind, likelihood, self.name, "under a signature")


def _is_signed(page: Page, line: str) -> bool:
    """Whether a line can stand under a name: a few words with a capital, and no label."""
    words = _WORD.findall(line)
    if not 0 < len(words) < _MOST or ":" in line or page.lexicon.has(words[0], "title"):
        return False
    return all(w[0].isupper() or page.lexicon.has(w, "heading") for w in words)


def _what(page: Page, words: list[str]) -> tuple[str, float]:
    """A line under the name: an organization if a word of it says which one, else a job."""
    lexicon = page.lexicon
    company, suffix = lexicon.union("org_word", "trade"), lexicon.union("suffix")
    masks = [lexicon.mask(word) for word in words]
    new = [
        word
        for word, mask in zip(words, masks, strict=True)
        if is_telling(page, word) and not _is_letters(word) and not mask & suffix
    ]
    is_company = any(mask & company for mask in masks)
    if new:
        return "ORGANIZATION", 0.8 if is_company and len(words) > 1 else 0.75
    is_unit = any(mask & lexicon.union("org_word") for mask in masks)
    return "OCCUPATION", 0.0 if is_unit or any(map(_is_letters, words)) else 0.75


def _is_letters(word: str) -> bool:
    """Whether a word is a few capitals: GP, GMC."""
    return len(word) <= _FEW and word.isupper()


SIGNATURE = Signature(
    "signature",
    "places.txt",
    examples=(
        (
            "Best regards,\nAda Okonkwo\nSenior Engineer\nNorthwind Traders\n\nP.S. Call me.",
            (
                ("Ada Okonkwo", "NAME"),
                ("Senior Engineer", "OCCUPATION"),
                ("Northwind Traders", "ORGANIZATION"),
            ),
        ),
        ("Thanks for all.\nWe will see you there.", ()),
    ),
)
