"""Identification blocks: adjacent lines that say who somebody is.

Notes
-----
[Sweeney2001]_, sec. 9.3, fig. 111: identification block, {names, address, phone, date, social
security, reference number ...}, the highest precedence.

Departures: the parts keep their own kinds and get the precedence of the block; a number that no
detector found is taken for one of the person's numbers because it is in the block.

Cost: one pass over what turn 1 found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrubbing.detectors.detector import Example
from discreet.scrubbing.detectors.layout import (
    Span,
    find_cells,
    find_line,
    find_line_above,
    find_line_below,
    find_uncovered,
    select_inside,
)
from discreet.scrubbing.detectors.organizations import is_telling
from discreet.scrubbing.finding import BLOCK, LABEL, Finding
from discreet.scrubbing.page import Page
from discreet.scrubbing.templates.alphabet import LOWER

_KINDS = 3
"""Different kinds that make lines a block."""
_WIDTH = 100
_NUMBER = re.compile(r"(?:[:#=]|\b[Nn]o\.?) *(?P<it>[A-Z]{0,4}-?\d(?:[\w-]*\w)?)(?![\w.,/%])")


@dataclass(frozen=True)
class IdentificationBlock:
    """Finds numbers after a label in lines that hold several kinds of identifiers."""

    name: str
    likelihood: float = 0.8
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """The parts of each block; in turn 2, using what turn 1 found."""
        if page.turn == 1 or "\n" not in page.text:
            return
        for lines in _find_blocks(page):
            block = (lines[0][0], lines[-1][1])
            for part in select_inside(page.found, block):
                if not part.keep:
                    yield part._replace(precedence=BLOCK)
            for found in _NUMBER.finditer(page.text, *block):
                start, end = found.span("it")
                if sum(map(str.isdigit, page.text[start:end])) > 4:
                    reason = "number in a block"
                    yield Finding(start, end, "ID", self.likelihood, self.name, reason)


def _find_blocks(page: Page) -> Iterator[list[Span]]:
    """Runs of adjacent short lines, each with a finding, that hold three kinds together."""
    run: list[Span] = []
    kinds: set[str] = set()
    for finding in page.found:
        if finding.keep:
            continue
        line = find_line(page.text, finding.start)
        if run and line == run[-1]:
            kinds.add(finding.kind)
            continue
        if not run or line[0] != run[-1][1] + 1 or line[1] - line[0] > _WIDTH:
            if _is_block(run, kinds):
                yield run
            run, kinds = [], set()
        if line[1] - line[0] <= _WIDTH:
            run, kinds = [*run, line], kinds | {finding.kind}
    if _is_block(run, kinds):
        yield run


def _is_block(run: list[Span], kinds: set[str]) -> bool:
    return len(run) > 1 and len(kinds) >= _KINDS


IDENTIFICATION_BLOCK = IdentificationBlock(
    "identification_block", examples=(("Name:\nNumber: 12345", ()),)
)


# Mailing labels: the lines above a line with town and ZIP are name, organization and street.
#
# Notes
# -----
# [Sweeney2001]_, sec. 9.3, fig. 111: mailing label, {street, city, state, zip, country, names,
# title, organization}.
#
# Departures: the parts keep their own kinds and get the precedence of the label, so that each is
# replaced by its own rule.
#
# Cost: a few lines for each ZIP or state found.


_ANCHORS = ("ZIP", "STATE")
_PARTS = ("NAME", "ORGANIZATION", "STREET", "CITY", "STATE", "ZIP", "COUNTRY", "ADDRESS")
_LINES = 5
_LABEL_WIDTH = 60
_SHORT = 4
"""Letters of an abbreviation that may end a line: Inc."""
_FEW = 5
_NO_LABEL = ("greeting", "closing", "month", "weekday")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class MailingLabel:
    """Finds the lines above a town line, in the same column."""

    name: str
    likelihood: float = 0.85
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """The parts of each label; in turn 2, using what turn 1 found."""
        if page.turn == 1 or "\n" not in page.text:
            return
        found = [f for f in page.found if f.kind in _PARTS]
        done = -1
        for finding in found:
            line = find_line(page.text, finding.start)
            if finding.kind in _ANCHORS and line[0] != done:
                done = line[0]
                yield from self._label(page, finding, line, found)

    def _label(
        self, page: Page, anchor: Finding, line: Span, found: list[Finding]
    ) -> Iterator[Finding]:
        spans = list(_list_label_cells(page, anchor, line, found))
        if len(spans) < 2 or not any(select_inside(found, span) for span in spans[1:]):
            return
        for place, span in enumerate(spans):
            for part in select_inside(found, span):
                yield part._replace(precedence=LABEL)
            if place:
                top = place == len(spans) - 1
                yield from self._find_rest(page, span, top)

    def _find_rest(self, page: Page, span: Span, top: bool) -> Iterator[Finding]:
        """What no detector found in a line of the label."""
        for start, end in find_uncovered(page.text, span, page.found):
            words = _WORD.findall(page.text[start:end])
            if (page.casing == LOWER or _is_title(words)) and _is_said(page, words):
                kind = _guess_kind(page, words, page.text[start:end], top)
                reason = "line of a label"
                yield Finding(start, end, kind, self.likelihood, self.name, reason, LABEL)


def _list_label_cells(
    page: Page, anchor: Finding, line: Span, found: list[Finding]
) -> Iterator[Span]:
    """The anchor's cell and the cells above it that can be lines of a label."""
    text = page.text
    row = find_cells(text, line)
    column = next((i for i, cell in enumerate(row) if cell[0] <= anchor.start < cell[1]), 0)
    yield row[column]
    for _ in range(_LINES):
        above = find_line_above(text, line[0])
        row = find_cells(text, above) if above else []
        if above is None or len(row) <= column or not _is_label_line(page, row[column], found):
            return
        start, end = row[column]
        label = text.find(": ", start, end)
        yield (start if label < 0 else label + 2), end
        if label >= 0:
            return
        line = above


def _is_label_line(page: Page, span: Span, found: list[Finding]) -> bool:
    """Whether a line can be part of a label: short, most words capitalized."""
    text = page.text[span[0] : span[1]]
    words = _WORD.findall(text)
    if len(text) > _LABEL_WIDTH or not words or text[-1] in ":!?;" or len(words) > 9:
        return False
    if "..." in text or "<" in text or (text[-1] == "." and len(words[-1]) > _SHORT):
        return False
    if any(page.lexicon.has(words[0], feature) for feature in _NO_LABEL) or text.count(",") > 2:
        return bool(select_inside(found, span))
    capitals = sum(word[0].isupper() for word in words)
    return capitals * 2 > len(words) or (page.casing == LOWER and len(words) < _FEW)


def _is_title(words: list[str]) -> bool:
    """Whether at least half of the words are capitalized: Gale Mill and Sons, not Seen at noon."""
    capitals = sum(word[0].isupper() for word in words)
    return capitals > 0 and 2 * capitals >= len(words)


def _is_said(page: Page, words: list[str]) -> bool:
    """Whether one of the words is a name or not an ordinary word."""
    known = ("suffix", "title", "heading", "role", "closing", "nobody")
    new = [w for w in words if len(w) > 1 and not any(page.lexicon.has(w, k) for k in known)]
    has = page.lexicon.has
    return any(not has(w, "frequent") or has(w, "last") or has(w, "first") for w in new)


def _guess_kind(page: Page, words: list[str], text: str, top: bool) -> str:
    if any(character.isdigit() for character in text):
        return "STREET"
    if top and not any(page.lexicon.has(w, "org_word") for w in words) and len(words) > 1:
        return "NAME"
    return "ORGANIZATION"


MAILING_LABEL = MailingLabel("mailing_label", examples=(("Dear all,\nwe are well.", ()),))


# Signatures: the lines after a closing are a name, an occupation and an organization.
#
# Notes
# -----
# [Sweeney2001]_, sec. 9.2: letters end with the writer's name, in a place that gives it away.
#
# Departures: none.


_SIGNATURE_LINES = 4
_SIGNATURE_FEW = 4
_MOST = 9
"""Words of a line."""
_SIGNATURE_WORD = re.compile(r"[^\W\d_]+")
_PART = re.compile(r"[^\W_][^|•·\n]*[^\W_]")


@dataclass(frozen=True)
class Signature:
    """Finds the name after a closing, and the organization in the lines below it."""

    name: str
    file: str
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """The lines of each signature; in turn 1 only."""
        for template, first, after in page.match(self.file, self.name):
            line = find_line(page.text, page.start(first))
            yield page.finding(template, first, after)
            yield from self._find_under(page, line)

    def _find_under(self, page: Page, line: Span) -> Iterator[Finding]:
        for _ in range(_SIGNATURE_LINES):
            below = find_line_below(page.text, line[1])
            if below is None or not _is_signed(page, page.text[below[0] : below[1]]):
                return
            line = below
            for part in _PART.finditer(page.text, *below):
                kind, likelihood = _guess_line_kind(page, _SIGNATURE_WORD.findall(part[0]))
                start, end = part.span()
                yield Finding(start, end, kind, likelihood, self.name, "under a signature")


def _is_signed(page: Page, line: str) -> bool:
    """Whether a line can belong below a name: a few capitalized words, and no label."""
    words = _SIGNATURE_WORD.findall(line)
    if not 0 < len(words) < _MOST or ":" in line or page.lexicon.has(words[0], "title"):
        return False
    return all(w[0].isupper() or page.lexicon.has(w, "heading") for w in words)


def _guess_line_kind(page: Page, words: list[str]) -> tuple[str, float]:
    """A line below the name: an organization if one of its words says which one, else a job."""
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
    return len(word) <= _SIGNATURE_FEW and word.isupper()


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
