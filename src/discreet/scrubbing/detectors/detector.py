"""What a detector is, and the two usual ones: by templates over words, by shapes over characters.

Notes
-----
[Sweeney2001]_, sec. 9.3: "each detection algorithm recognizes a specific kind of information".

Departures: none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Protocol

from discreet.display import dataclass
from discreet.scrubbing.finding import SINGLE, Finding
from discreet.scrubbing.page import Page

Example = tuple[str, tuple[tuple[str, str], ...]]
"""A text and what must be found in it: (characters, kind) of each finding of the detector."""


class Detector(Protocol):
    """Finds one kind of information; posts findings, never edits text."""

    @property
    def name(self) -> str:
        """The name that findings carry."""

    @property
    def examples(self) -> tuple[Example, ...]:
        """Texts and what the detector finds in them."""

    def find(self, page: Page) -> Iterator[Finding]:
        """Everything on the page that could be it; called in turn 1 and in turn 2."""


@dataclass(frozen=True)
class TemplateDetector:
    """Finds what the templates under ``[name]`` in a file of the language's folder describe."""

    name: str
    file: str
    precedence: int = SINGLE
    keep: bool = False
    examples: tuple[Example, ...] = ()
    check: Callable[[Page, int, int], bool] | None = None
    """Asked with first token and token after the last; False drops the match."""

    def find(self, page: Page) -> Iterator[Finding]:
        """Where the templates fit."""
        check, precedence, keep = self.check, self.precedence, self.keep
        for template, first, after in page.match(self.file, self.name):
            if check is None or check(page, first, after):
                yield page.finding(template, first, after, precedence, keep)


@dataclass(frozen=True)
class Shape:
    """A form of characters: a regular expression, how likely it is the kind, and what raises it.

    The group ``it`` is the finding, or else the whole. ``check`` gets the found characters and
    returns whether they can be it (a checksum, a range). ``cue`` is looked for in the 40
    characters before, without regard to case; then ``cued`` is the likelihood. ``sign`` is text
    that must be in the document for the expression to be tried at all.
    """

    kind: str
    likelihood: float
    name: str
    pattern: re.Pattern[str]
    check: Callable[[str], bool] | None = None
    cue: re.Pattern[str] | None = None
    cued: float = 0.95
    sign: str = ""


@dataclass(frozen=True)
class ShapeDetector:
    """Finds what has one of some forms of characters; in turn 1 only."""

    name: str
    shapes: tuple[Shape, ...]
    precedence: int = SINGLE
    keep: bool = False
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Where the forms fit and their checks hold."""
        if page.turn == 2:
            return
        for shape in self.shapes:
            if shape.sign and shape.sign not in page.text:
                continue
            for found in shape.pattern.finditer(page.text):
                start, end = found.span("it" if "it" in shape.pattern.groupindex else 0)
                if shape.check is None or shape.check(page.text[start:end]):
                    yield self._make_finding(shape, page.text, start, end)

    def _make_finding(self, shape: Shape, text: str, start: int, end: int) -> Finding:
        likelihood, reason = shape.likelihood, shape.name
        if shape.cue is not None and shape.cue.search(text, max(0, start - 40), start):
            likelihood, reason = max(likelihood, shape.cued), f"{shape.name}, with a cue word"
        return Finding(
            start, end, shape.kind, likelihood, self.name, reason, self.precedence, self.keep
        )


# Detectors that look once, at the winners of the first turn, before these are posted.


class LateDetector:
    """Marks a detector as late: its page has ``found``, and the blackboard is not filled yet."""
