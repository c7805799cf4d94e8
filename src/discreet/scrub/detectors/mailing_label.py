"""Mailing labels: lines over a line with town and ZIP are name, organization and street.

Notes
-----
[Sweeney2001]_, sec. 9.3, fig. 111: mailing label, {street, city, state, zip, country, names, title,
organization}.

Departures: the parts keep their own kinds and get the precedence of the label, so that each is
replaced by its own rule.

Cost: a few lines for each ZIP or state that was found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrub.alphabet import LOWER
from discreet.scrub.detectors.detector import Example
from discreet.scrub.detectors.layout import Span, cells, inside, line_above, line_at, uncovered
from discreet.scrub.finding import LABEL, Finding
from discreet.scrub.page import Page

_ANCHORS = ("ZIP", "STATE")
_PARTS = ("NAME", "ORGANIZATION", "STREET", "CITY", "STATE", "ZIP", "COUNTRY", "ADDRESS")
_LINES = 5
_WIDTH = 60
_SHORT = 4
"""Letters of an abbreviation that a line may end with: Inc."""
_FEW = 5
_NO_LABEL = ("greeting", "closing", "month", "weekday")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class MailingLabel:
    """Finds what stands in the lines over a town line, in the same column."""

    name: str
    likelihood: float = 0.85
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """The parts of each label; in turn 2, on what turn 1 found."""
        if page.turn == 1 or "\n" not in page.text:
            return
        found = [f for f in page.found if f.kind in _PARTS]
        done = -1
        for finding in found:
            line = line_at(page.text, finding.start)
            if finding.kind in _ANCHORS and line[0] != done:
                done = line[0]
                yield from self._label(page, finding, line, found)

    def _label(
        self, page: Page, anchor: Finding, line: Span, found: list[Finding]
    ) -> Iterator[Finding]:
        spans = list(_column(page, anchor, line, found))
        if len(spans) < 2 or not any(inside(found, span) for span in spans[1:]):
            return
        for place, span in enumerate(spans):
            for part in inside(found, span):
                yield part._replace(precedence=LABEL)
            if place:
                top = place == len(spans) - 1
                yield from self._rest(page, span, top)

    def _rest(self, page: Page, span: Span, top: bool) -> Iterator[Finding]:
        """What no detector found in a line of the label."""
        for start, end in uncovered(page.text, span, page.found):
            words = _WORD.findall(page.text[start:end])
            if (page.casing == LOWER or _is_title(words)) and _is_said(page, words):
                kind = _kind(page, words, page.text[start:end], top)
                reason = "line of a label"
                yield Finding(start, end, kind, self.likelihood, self.name, reason, LABEL)


def _column(page: Page, anchor: Finding, line: Span, found: list[Finding]) -> Iterator[Span]:
    """The anchor's cell and the cells over it, as far as they can be lines of a label."""
    text = page.text
    row = cells(text, line)
    column = next((i for i, cell in enumerate(row) if cell[0] <= anchor.start < cell[1]), 0)
    yield row[column]
    for _ in range(_LINES):
        above = line_above(text, line[0])
        row = cells(text, above) if above else []
        if above is None or len(row) <= column or not _is_label_line(page, row[column], found):
            return
        start, end = row[column]
        label = text.find(": ", start, end)
        yield (start if label < 0 else label + 2), end
        if label >= 0:
            return
        line = above


def _is_label_line(page: Page, span: Span, found: list[Finding]) -> bool:
    """Whether a line can be of a label: short, and most of its words with a capital."""
    text = page.text[span[0] : span[1]]
    words = _WORD.findall(text)
    if len(text) > _WIDTH or not words or text[-1] in ":!?;" or len(words) > 9:
        return False
    if "..." in text or "<" in text or (text[-1] == "." and len(words[-1]) > _SHORT):
        return False
    if any(page.lexicon.has(words[0], feature) for feature in _NO_LABEL) or text.count(",") > 2:
        return bool(inside(found, span))
    capitals = sum(word[0].isupper() for word in words)
    return capitals * 2 > len(words) or (page.casing == LOWER and len(words) < _FEW)


def _is_title(words: list[str]) -> bool:
    """Whether at least half of the words have a capital: Gale Mill and Sons, not Seen at noon."""
    capitals = sum(word[0].isupper() for word in words)
    return capitals > 0 and 2 * capitals >= len(words)


def _is_said(page: Page, words: list[str]) -> bool:
    """Whether one of the words is a name or no ordinary word."""
    known = ("suffix", "title", "heading", "role", "closing", "nobody")
    new = [w for w in words if len(w) > 1 and not any(page.lexicon.has(w, k) for k in known)]
    has = page.lexicon.has
    return any(not has(w, "frequent") or has(w, "last") or has(w, "first") for w in new)


def _kind(page: Page, words: list[str], text: str, top: bool) -> str:
    if any(character.isdigit() for character in text):
        return "STREET"
    if top and not any(page.lexicon.has(w, "org_word") for w in words) and len(words) > 1:
        return "NAME"
    return "ORGANIZATION"


MAILING_LABEL = MailingLabel("mailing_label", examples=(("Dear all,\nwe are well.", ()),))
