"""Detectors compete: for each stretch of text, one finding wins.

Notes
-----
[Sweeney2001]_, sec. 9.3: "for each character in the input text the detection algorithm with the
highest precedence reporting the greatest likelihood above a threshold value is considered to have
identified an instance of its entity".

Departures: between findings of equal precedence and likelihood the longer wins, then the first. A
finding that loses some of its characters keeps the rest if it has a letter or digit. A finding of a
special detector wins over any finding that is not more likely, whatever its precedence: its purpose
is to reduce false alarms.

Cost: n log n for n findings, and a byte for each character of the text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from discreet.scrubbing.finding import Finding

Ranked = tuple[int, float, int, int, int, Finding]
"""A finding after its sort keys: precedence, likelihood, length, place, order."""


def resolve(findings: Iterable[Finding], threshold: float, text: str) -> list[Finding]:
    """The winners, in the order of the text; no two of them overlap.

    Examples
    --------
    >>> first = Finding(0, 5, "NAME", 0.9, "first", "list")
    >>> full = Finding(0, 12, "NAME", 0.8, "full_name", "first last", precedence=4)
    >>> [f.detector for f in resolve([first, full], 0.7, "Frank Graves")]
    ['full_name']
    """
    return choose_winners(rank(findings, threshold), text)


def rank(
    findings: Iterable[Finding], threshold: float, before: Iterable[Ranked] = ()
) -> list[Ranked]:
    """Findings at or above the threshold, the strongest first, merged with those ranked ``before``.

    A finding is left out if one as strong and as likely covers the same characters.
    """
    known = list(before)
    order = 1 + max((one[4] for one in known), default=-1)
    known += [
        (f[6], -f[3], f[0] - f[1], f[0], number, f)
        for number, f in enumerate(findings, order)
        if f[3] >= threshold
    ]
    known.sort()
    ranked = []
    likeliest: dict[tuple[int, int], float] = {}
    for one in known:
        finding = one[5]
        if not finding[7]:
            span = finding[0], finding[1]
            if likeliest.get(span, 1.0) <= one[1]:
                continue
            likeliest[span] = one[1]
        ranked.append(one)
    return ranked


def choose_winners(ranked: list[Ranked], text: str) -> list[Finding]:
    """The winners among ranked findings."""
    shields = _Taken(text)
    for one in ranked:
        if one[5].keep:
            shields.take(one[5])
    kept = shields.findings()
    ends = [shield.end for shield in kept]
    taken = _Taken(text)
    for one in ranked:
        finding = one[5]
        if finding[7]:
            continue
        if shields.are_free(finding[0], finding[1]):
            taken.take(finding)
        else:
            for start, end in _cut_outside_shields(finding, kept, ends):
                taken.take_rest(finding, start, end)
    for finding in kept:
        taken.take(finding)
    return taken.findings()


def _cut_outside_shields(
    finding: Finding, shields: list[Finding], ends: list[int]
) -> list[tuple[int, int]]:
    """The parts of a finding that no special finding of at least its likelihood covers."""
    stretches, start = [], finding.start
    first = bisect_right(ends, start)
    for place in range(first, len(shields)):
        shield = shields[place]
        if shield.start >= finding.end:
            break
        if shield.likelihood < finding.likelihood:
            continue
        if shield.start > start:
            stretches.append((start, shield.start))
        start = shield.end
    if start < finding.end:
        stretches.append((start, finding.end))
    return stretches


class _Taken:
    """Spans of text that have a winner."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._marks = bytearray(len(text))
        self._findings: list[Finding] = []

    def findings(self) -> list[Finding]:
        """The winners, in the order of the text."""
        self._findings.sort()
        return self._findings

    def are_free(self, start: int, end: int) -> bool:
        """Whether nothing between start and end is taken."""
        return self._marks.find(1, start, end) < 0

    def take(self, finding: Finding) -> None:
        """Take all characters of a finding, or those that are still free."""
        start, end, marks = finding[0], finding[1], self._marks
        if marks.find(1, start, end) < 0:
            marks[start:end] = b"\1" * (end - start)
            self._findings.append(finding)
        elif marks.find(0, start, end) >= 0:
            self.take_rest(finding, start, end)

    def take_rest(self, finding: Finding, start: int, end: int) -> None:
        """Take what is free between start and end."""
        whole = finding.start, finding.end
        for left, right in self._list_free(start, end):
            if (left, right) != whole:
                if right - left == 1 and not self._text[left].isalnum():
                    continue
                left, right = _trim_span(self._text, left, right)
            if left < right:
                self._marks[left:right] = b"\1" * (right - left)
                self._findings.append(finding._replace(start=left, end=right))

    def _list_free(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        marks = self._marks
        start = marks.find(0, start, end)
        while start >= 0:
            stop = marks.find(1, start, end)
            yield start, end if stop < 0 else stop
            start = -1 if stop < 0 else marks.find(0, stop, end)


def _trim_span(text: str, start: int, end: int) -> tuple[int, int]:
    """A span trimmed to its first and last letter or digit."""
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    return start, end
