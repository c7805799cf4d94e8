"""Keeps field labels when their values are replaced: MRN, DOB, Name:, Geb.-Dat.

A form without its labels is unreadable, and a label reveals nothing about anybody. Text that a
detector took for part of a name or a place is kept if it is a label.

Notes
-----
A label is an entry of the language's ``lists/labels.txt`` followed by a colon or a similar mark, or
one of ``lists/sure_labels.txt``, which are never anything else. A word that is also used in names
of people or places (Street, Hospital, Fin) must also be at the start of a field: ``Simon Street:``
is a speaker.

Departures: the thesis replaces values and does not mention labels.

Cost: one check of the words of each finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from discreet.scrubbing.finding import Finding
from discreet.scrubbing.languages.load import Language
from discreet.scrubbing.page import Page

_REACH = 48
"""Characters around a finding within which an overlapping label may start and end."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_MARK_AFTER = re.compile(r"[ \t]*(?:\([^()\n]{1,12}\)[ \t]*)?(?:[:=#|]|\t|-+[ \t]|\n[^\S\n]*[:=])")
_LINE_END = re.compile(r"[ \t]*(?:\n|$)")
_START = re.compile(r"(?:^|\n|[|;\t]|[a-zß]{5}[.!?][^\S\n]|(?<!,)[^\S\n]{2})[^\S\n]*[-*•]?[ \t]*$")
"""What precedes a field: a line start, a border or a gap, but not a comma: Hill, Street."""
_CALLED = (
    *("first", "last", "nick", "city", "state", "country", "street_type", "place_word"),
    *("institution", "org_word", "company_word", "landmark"),
)


def keep_labels(page: Page, findings: list[Finding]) -> list[Finding]:
    """The findings without the labels in them; one that is only a label is dropped."""
    labels = _read_labels(page.language)
    kept: list[Finding] = []
    for finding in findings:
        if finding.keep or not labels.touches(page.text[finding.start : finding.end]):
            kept.append(finding)
        else:
            kept += _cut_out(finding, page.text, _find_labels(page, finding, labels))
    return kept


class _Labels:
    """The labels of a language: one expression, and the words in them."""

    def __init__(self, usual: frozenset[str], sure: frozenset[str]) -> None:
        self.sure = {_squeeze(label) for label in sure}
        longest_first = sorted(usual | sure, key=len, reverse=True)
        either = "|".join(map(_write_expression, longest_first))
        self.expression = re.compile(rf"(?<![\w@])(?:{either})(?![\w@])", re.IGNORECASE)
        self._words = {word for label in usual | sure for word in _WORD.findall(label)}

    def touches(self, text: str) -> bool:
        """Whether a text contains a word of a label."""
        return any(word in self._words for word in _WORD.findall(text.lower()))


@lru_cache(maxsize=4)
def _read_labels(language: Language) -> _Labels:
    return _Labels(language.extra("labels"), language.extra("sure_labels"))


def _write_expression(label: str) -> str:
    """A label as an expression: any space between words, points optional, maybe a possessive."""
    written = re.escape(label).replace(r"\ ", r"[ \t]+").replace(r"\.", r"\.?")
    return written + r"(?:'s)?" if label.isalpha() else written


def _squeeze(label: str) -> str:
    return re.sub(r"[\s.]+", "", label.lower())


def _find_labels(page: Page, finding: Finding, labels: _Labels) -> Iterator[tuple[int, int]]:
    """The labels that overlap a finding, in order."""
    text = page.text
    place = max(0, finding.start - _REACH)
    before, end = place, min(len(text), finding.end + _REACH)
    while found := labels.expression.search(text, place, end):
        place = found.end()
        if found.start() >= finding.end:
            return
        overlaps = found.end() > finding.start
        if overlaps and _is_label(page, found, _squeeze(found[0]) in labels.sure, before):
            yield found.span()


def _is_label(page: Page, found: re.Match[str], is_sure: bool, before: int) -> bool:
    text = page.text
    word, called = found[0].strip(".").lower(), page.lexicon.union(*_CALLED)
    is_called = word.isalpha() and page.lexicon.mask(word) & called
    if is_sure and not is_called:
        return True
    if _MARK_AFTER.match(text, found.end()):
        return not is_called or bool(_START.search(text[before : found.start()]))
    return _is_line(text, found)


def _is_line(text: str, found: re.Match[str]) -> bool:
    """Whether a label is alone on its line, with the value on the next one."""
    line = text.rfind("\n", 0, found.start()) + 1
    return not text[line : found.start()].strip() and bool(_LINE_END.match(text, found.end()))


def _cut_out(finding: Finding, text: str, spans: Iterator[tuple[int, int]]) -> Iterator[Finding]:
    """The parts of a finding before, between and after labels."""
    place = finding.start
    for start, end in [*spans, (finding.end, finding.end)]:
        left, right = place, min(start, finding.end)
        while place > finding.start and left < right and not text[left].isalnum():
            left += 1
        while right < finding.end and right > left and not text[right - 1].isalnum():
            right -= 1
        if left < right:
            yield finding._replace(start=left, end=right)
        place = max(place, end)
