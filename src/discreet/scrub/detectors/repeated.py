"""Numbers and user names that were found once with a cue, wherever else they stand.

Notes
-----
[Sweeney2001]_, sec. 9.3: what one detector finds is posted and helps the others.

Departures: values are looked up as they are, since numbers are not misspelt as names are.

Cost: one search a different value, in C.
"""

from __future__ import annotations

from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrub.finding import Finding
from discreet.scrub.page import Page

KINDS = frozenset(
    {"ACCOUNT", "CARD", "DEVICE", "ID", "LICENSE", "PASSWORD", "PHONE", "RECORD", "SSN"}
    | {"USERNAME", "VEHICLE"}
)
SHORTEST = 5
_WITHOUT_DIGITS = ("USERNAME", "PASSWORD")
"""Kinds that may be a word; any other is a number, and a word such as phone is not."""


@dataclass(frozen=True)
class RepeatedDetector:
    """Finds again what was found in turn 1; in turn 2 only."""

    name: str

    def find(self, page: Page) -> Iterator[Finding]:
        """The same characters elsewhere, as words of their own."""
        if page.turn == 1:
            return
        known = {
            page.text[f.start : f.end].strip("#@"): f
            for f in page.found
            if f.kind in KINDS and not f.keep and f.end - f.start >= SHORTEST
            if f.kind in _WITHOUT_DIGITS or _has_digit(page.text[f.start : f.end])
        }
        for value, finding in known.items():
            if page.text.count(value) > 1:
                yield from self._places(page.text, value, finding)

    def _places(self, text: str, value: str, known: Finding) -> Iterator[Finding]:
        start = text.find(value)
        while start >= 0:
            end = start + len(value)
            if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
                yield known._replace(
                    start=start, end=end, likelihood=0.9, detector=self.name, reason="found before"
                )
            start = text.find(value, end)


def _has_digit(value: str) -> bool:
    return any(map(str.isdigit, value))


REPEATED = RepeatedDetector("repeated")
