"""Finds what is built around a rare mark: a mail address around @, an address around colons.

A search that starts at the mark is many times faster than one that tries each word.

Cost: one scan for the mark, in C; work at marks only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from discreet.display import dataclass
from discreet.scrub.detectors.detector import Example
from discreet.scrub.finding import FULL, Finding
from discreet.scrub.page import Page

REACH = 80
"""How many characters before a mark belong to it at most."""


@dataclass(frozen=True)
class Mark:
    """A form that has a rare mark inside.

    ``after`` starts with the mark (a literal, so that the scan is fast); ``before`` is looked for
    in the characters before the mark and ends with ``$``.
    """

    kind: str
    likelihood: float
    name: str
    before: re.Pattern[str]
    after: re.Pattern[str]
    check: Callable[[str], bool] | None = None
    sign: str = ""
    """Text that must be in the document for the form to be tried at all."""


@dataclass(frozen=True)
class AroundDetector:
    """Finds forms with a rare mark inside; in turn 1 only."""

    name: str
    marks: tuple[Mark, ...]
    precedence: int = FULL
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Where a mark has the right characters on both sides."""
        if page.turn == 2:
            return
        for mark in self.marks:
            if mark.sign in page.text:
                yield from self._find(mark, page.text)

    def _find(self, mark: Mark, text: str) -> Iterator[Finding]:
        done = 0
        for after in mark.after.finditer(text):
            low = max(done, after.start() - REACH)
            before = mark.before.search(text[low : after.start()])
            if not before:
                continue
            start, end = low + before.start(), after.end()
            if mark.check is None or mark.check(text[start:end]):
                done = end
                yield Finding(
                    start, end, mark.kind, mark.likelihood, self.name, mark.name, self.precedence
                )
