"""The detector protocol and its two usual forms: templates over words, shapes over characters.

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
"""A text and the (characters, kind) of each finding that the detector must make in it."""


class Detector(Protocol):
    """Finds one kind of information; posts findings, never edits text."""

    @property
    def name(self) -> str:
        """The name that findings carry."""

    @property
    def examples(self) -> tuple[Example, ...]:
        """Texts and what the detector finds in them."""

    def find(self, page: Page) -> Iterator[Finding]:
        """Everything on the page that could be of this kind; called in turn 1 and in turn 2."""


@dataclass(frozen=True)
class TemplateDetector:
    """Finds what the templates under ``[name]`` in a template file of the language describe."""

    name: str
    file: str
    precedence: int = SINGLE
    keep: bool = False
    examples: tuple[Example, ...] = ()
    check: Callable[[Page, int, int], bool] | None = None
    """Called with the first token and the token after the last; False drops the match."""

    def find(self, page: Page) -> Iterator[Finding]:
        """Where the templates fit."""
        check, precedence, keep = self.check, self.precedence, self.keep
        for template, first, after in page.match(self.file, self.name):
            if check is None or check(page, first, after):
                yield page.finding(template, first, after, precedence, keep)


@dataclass(frozen=True)
class Shape:
    """A character pattern, how likely a match is of the kind, and what makes it likelier.

    The finding is the group ``it``, or the whole match without one. ``check`` gets the matched
    characters and returns whether they are possible (a checksum, a range). ``cue`` is searched in
    the 40 characters before, in any case; if it is there, ``cued`` is the likelihood. ``sign`` is
    text that must be in the document for the expression to be tried at all.
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
    """Finds what matches one of its shapes; in turn 1 only."""

    name: str
    shapes: tuple[Shape, ...]
    precedence: int = SINGLE
    keep: bool = False
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Where the shapes match and their checks pass."""
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


# Detectors that run once, on the winners of the first turn, before these are posted.


class LateDetector:
    """Marks a detector as late: its page has ``found``, and the blackboard is not filled yet."""


# Words recognized by their ending, which is what long lists of drugs or streets have in common.

_MOST_TOKENS = 300_000


class WordEnding:
    """Finds the tokens of a page that end in one of some ways; each distinct token is checked once.

    ``endings`` are separated by blanks; ``stem`` is the least number of letters before one.

    Examples
    --------
    >>> WordEnding("pril statin").ends("Lisinopril "), WordEnding("pril").ends("April")
    (True, False)
    """

    def __init__(self, endings: str, stem: int = 3) -> None:
        self._endings, self._stem = tuple(endings.split()), stem
        self._seen: set[str] = set()
        self._fit: set[str] = set()

    def ends(self, token: str) -> bool:
        """Whether a token has one of the endings, with a stem before it."""
        word = token.strip().lower()
        if not word.endswith(self._endings):
            return False
        return len(word) >= self._stem + min(len(e) for e in self._endings if word.endswith(e))

    def places(self, page: Page) -> Iterator[int]:
        """The tokens of a page that fit."""
        new = page.vocabulary - self._seen
        if new:
            self._fit.update(filter(self.ends, new))
            if len(self._seen) < _MOST_TOKENS:
                self._seen |= new
        fit = page.vocabulary & self._fit
        if fit:
            yield from (place for place, token in enumerate(page.tokens) if token in fit)
