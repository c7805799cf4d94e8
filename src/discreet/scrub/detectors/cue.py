"""Numbers and words that are told by what stands before them: ``MRN: 12345``, ``password is x``.

Notes
-----
[Sweeney2001]_, sec. 9.2: "the writing conventions and immediate context help identify the kind of
information presented".

Departures: none.

Cost: templates find the cues (words of the language); a value's form is tried after a cue only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from discreet.scrub.detectors.detector import Example
from discreet.scrub.finding import SINGLE, Finding
from discreet.scrub.page import Page
from discreet.scrub.template import Template

NUMBER = re.compile(
    r"#?(?P<it>"
    r"\d{2,}(?:[ -]\d{2,}){1,5}(?![\w/.:]|-\w)"  # 943 476 5919
    r"|(?!(?:ID|NO|NR|NUM|REF|CODE)\b)[A-Z]{1,4} \d{3,}(?:[ -]\d{2,})*"  # HX 4457812
    r"(?![\w/:]|[.-]\w)"
    r"|(?![\w/.*-]*-[a-z]{4,}\b)(?=[\w/.:*-]{3})(?=[\w/.:*-]*\d[\w/.*-]*\d)(?:\d:)?"
    r"[A-Za-z0-9*]+(?:[-/._]+[A-Za-z0-9*]+)*"
    r")"
)
"""A number as people write it after a cue: two digits or more, letters, marks between them."""


_SAID = re.compile(r"number|\bno\b|\bnum\b|#|№|\bid|code|\bnr\b|identif|end", re.IGNORECASE)


def is_said_or_long(page: Page, cue: str, start: int, end: int) -> bool:
    """Whether the cue says number, or the value is no small number or year."""
    return bool(_SAID.search(cue)) or end - start > (4 if ":" in cue else 5)


@dataclass(frozen=True)
class CueDetector:
    """Finds values that follow the cues under ``[name]`` in a file of the language's folder.

    A template covers the cue and all up to the value. ``value`` is the form of the value; its
    group ``it`` is the finding, or else the whole. ``check`` gets the page, the cue's words and
    the place of the value, and returns whether it can be it.
    """

    name: str
    file: str
    value: re.Pattern[str] = NUMBER
    check: Callable[[Page, str, int, int], bool] | None = None
    precedence: int = SINGLE
    keep: bool = False
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Where a value follows a cue."""
        for template, first, after in page.match(self.file, self.name):
            yield from self.at(page, template, first, after)

    def at(self, page: Page, template: Template, first: int, after: int) -> Iterator[Finding]:
        """The value after a cue that covers some tokens, if there is one."""
        place = page.start(after)
        found = self._value(page.text, place)
        if not found:
            return
        start, end = found.span("it" if "it" in self.value.groupindex else 0)
        if page.text[start - 1 : start] == "#" and not page.text[start - 2 : start - 1].isalnum():
            start -= 1
        if self.check is None or self.check(page, page.text[page.start(first) : place], start, end):
            yield Finding(
                start,
                end,
                template.kind,
                template.likelihood,
                self.name,
                template.name,
                self.precedence,
                self.keep,
            )

    def _value(self, text: str, place: int) -> re.Match[str] | None:
        """The value at a place; a parenthesis just before may belong to it: (304) 255-1423."""
        found = self.value.match(text, place - 1) if text[place - 1 : place] == "(" else None
        return found or self.value.match(text, place)
