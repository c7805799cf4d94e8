"""Numbers and words recognized by the cue before them: ``MRN: 12345``, ``password is x``.

Notes
-----
[Sweeney2001]_, sec. 9.2: "the writing conventions and immediate context help identify the kind of
information presented".

Departures: none.

Cost: templates find the cues (words of the language); the form of a value is tried only after a
cue.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from discreet.display import dataclass
from discreet.scrubbing.detectors.detector import Example
from discreet.scrubbing.finding import SINGLE, Finding
from discreet.scrubbing.page import Page
from discreet.scrubbing.templates.template import Template

_LAST = r"(?:[ -]\d(?= *(?:[^\w ]|$| {2}))| [A-Z]{1,2}(?= *(?:[^\w ]|$| {2})))?"
"""One digit, or one or two letters, that end a number: 6180 30957 4, AB 31 62 85 D."""

_LABEL = r"(?!(?:ID|NO|NR|NUM|REF|CODE|MR|MS|DR|ON|AT|IN|OF|TO|BY|IS|AND|THE|FOR)\b)"

NUMBER = re.compile(
    r"#?[ ]?(?P<it>"
    r"\d{1,3} [A-Z][A-Za-z]{0,3} \d+/\d{2,4}(?!\w)"  # 7 Kb 518/06
    r"|\d+ (?:of|OF) (?:19|20)\d\d(?!\w)|[A-Z]{1,2}\d{6}\([\dA]\)"  # 35 of 2012, K903617(5)
    r"|1Z(?: ?[A-Z0-9]{2,4}){4,8}(?!\w)|[A-Z]{3}[UJZ] ?\d{6}[ -]?\d(?!\w)"  # parcels, containers
    rf"|\d{{2,}}[A-Z]{{0,2}}(?:[ -]\d{{2,}}){{1,6}}(?:[A-Z]|{_LAST})"
    r"(?![\w/:*]|[.-]\w)"  # 943 476 5919
    rf"|{_LABEL}(?=(?:\D{{0,5}}\d){{3}})[A-Z]{{1,4}}(?: |(?=\d+ \d))\d{{2,}}"
    rf"(?:[ -]\d{{2,}}|/\d+){{0,6}}"
    rf"{_LAST}(?![\w/:*]|[.-]\w)"  # HX 4457812
    r"|(?![\w/.*-]*-[a-z]{4,}\b)(?=[\w/.:*-]{3})(?=[\w/.:*-]*\d[\w/.*-]*\d)(?:\d:)?"
    rf"[A-Za-z0-9*]+(?:[-/._]+[A-Za-z0-9*]+)*(?: [A-Z](?= *(?:[^\w ]|$| {{2}})))?"
    r")"
)
"""A number as people write it after a cue: two digits or more, letters, marks between them."""


WINDOW = 1000
"""Characters after a cue in which the digits of a value must begin."""

_ESCAPES = frozenset({"\\n", "\\t", "\\r"})
"""Line ends as programs write them."""

_SAID = re.compile(r"number|\bno\b|\bnum\b|#|№|\bid|code|\bnr\b|identif|end", re.IGNORECASE)


def is_said_or_long(page: Page, cue: str, start: int, end: int) -> bool:
    """Whether the cue says number, or the value is not a small number, year or decimal number."""
    value = page.text[start:end]
    if re.fullmatch(r"\d{1,4}\.\d{1,4}|\d{1,2}/\d{1,2}", value):
        return False
    if _SAID.search(cue):
        return True
    if value.isdigit() and (value[0] == "0" or end - start == 5):
        return end - start > 3 and not value.endswith("00")
    if re.fullmatch(r"(?=\w*\d\w*-?\d)(?=\d*[A-Z])[A-Z\d]+-?[A-Z\d]+", value):
        return end - start > 4
    return end - start > (4 if ":" in cue else 5) and not re.search(r"\d\.\d", value)


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
        """The value after a cue, which covers the tokens from ``first`` to before ``after``."""
        place = page.start(after)
        if place < page.long_values.get(self.name, 0):
            return
        found = self._find_value(page.text, place)
        if not found:
            return
        start, end = found.span(found.lastgroup or 0)
        while page.text[start - 1 : start] in ("*", "•"):
            start -= 1
        if page.text[start - 1 : start] == "#" and not page.text[start - 2 : start - 1].isalnum():
            start -= 1
        if self.check is None or self.check(page, page.text[page.start(first) : place], start, end):
            if _fills_window(page.text, found):
                end = max(end, self._find_end(page.text, found.pos))
                page.long_values[self.name] = end
            for left, right in ((start, end), *_find_alike(page.text, start, end)):
                yield Finding(
                    left,
                    right,
                    template.kind,
                    template.likelihood,
                    self.name,
                    template.name,
                    self.precedence,
                    self.keep,
                )

    def _find_value(self, text: str, place: int) -> re.Match[str] | None:
        """The value at a place; a parenthesis just before may belong to it: (304) 255-1423."""
        if text[place : place + 2] in _ESCAPES:
            place += 2
        found = self._match_in_window(text, place - 1) if text[place - 1 : place] == "(" else None
        return found or self._match_in_window(text, place)

    def _match_in_window(self, text: str, place: int) -> re.Match[str] | None:
        """The value, searched in a window, so that a cue in every word of a long run stays cheap.

        A value that fills the window is followed beyond it once it has passed the check, so that no
        part of it stays; cues inside are then covered and need no search of their own.
        """
        return self.value.match(text, place, place + WINDOW)

    def _find_end(self, text: str, place: int) -> int:
        """Where the value at a place ends, however long it is."""
        found = self.value.match(text, place)
        return found.end(found.lastgroup or 0) if found else 0


def _fills_window(text: str, found: re.Match[str]) -> bool:
    """Whether a value may continue beyond its window: no white space follows it there.

    A value does not end in a comma or a full stop, so it may end a little before the window does.
    """
    after = found.end(found.lastgroup or 0)
    return found.endpos < len(text) and not _SPACE.search(text, after, found.endpos)


_SPACE = re.compile(r"\s")
_AND = re.compile(r"(?:, |; | & | / )(?:[a-z]{2,3} )?| [a-z]{2,3} ")
_FORM = str.maketrans("0123456789", "0" * 10)


def _find_alike(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Further values of the same form in a list: numbers 30965 and 30968."""
    form = text[start:end].translate(_FORM)
    between = _AND.match(text, end) if form.count("0") > 4 else None
    while between:
        left, right = between.end(), between.end() + len(form)
        if text[left:right].translate(_FORM) != form or text[right : right + 1].isalnum():
            return
        yield left, right
        between = _AND.match(text, right)
