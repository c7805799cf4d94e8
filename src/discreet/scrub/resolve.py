"""Detectors compete: for each stretch of text, one finding wins.

Notes
-----
[Sweeney2001]_, sec. 9.3: "for each character in the input text the detection algorithm with the
highest precedence reporting the greatest likelihood above a threshold value is considered to have
identified an instance of its entity".

Departures: between findings alike in precedence and likelihood the longer wins, then the first.
A finding that loses some of its characters keeps the rest if there is a letter or digit in it.
What a special detector finds wins over any finding that is not more likely, whatever its
precedence: it is there to cut false alarms.

Cost: n log n for n findings.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from discreet.scrub.finding import Finding


def resolve(findings: Iterable[Finding], threshold: float, text: str) -> list[Finding]:
    """The winners, in the order of the text; no two of them overlap.

    Examples
    --------
    >>> first = Finding(0, 5, "NAME", 0.9, "first", "list")
    >>> full = Finding(0, 12, "NAME", 0.8, "full_name", "first last", precedence=4)
    >>> [f.detector for f in resolve([first, full], 0.7, "Frank Graves")]
    ['full_name']
    """
    above = [f for f in findings if f.likelihood >= threshold]
    above.sort(key=_strength)
    taken = _Taken()
    for finding in above:
        if finding.keep:
            taken.add_rest(finding, finding.start, finding.end, text)
    shields = taken.findings()
    ends = [shield.end for shield in shields]
    taken = _Taken()
    for finding in above:
        if finding.keep:
            continue
        for start, end in _outside_shields(finding, shields, ends):
            taken.add_rest(finding, start, end, text)
    for finding in shields:
        taken.add_rest(finding, finding.start, finding.end, text)
    return taken.findings()


def _strength(finding: Finding) -> tuple[int, float, int, int]:
    return (
        finding.precedence,
        -finding.likelihood,
        finding.start - finding.end,
        finding.start,
    )


def _outside_shields(
    finding: Finding, shields: list[Finding], ends: list[int]
) -> list[tuple[int, int]]:
    """The stretches of a finding that no special finding at least as likely covers."""
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
    """Stretches of text that have their winner, in order."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._findings: list[Finding] = []

    def findings(self) -> list[Finding]:
        return self._findings

    def add(self, finding: Finding) -> None:
        """Take the stretch if nothing of it is taken."""
        place = bisect_right(self._starts, finding.start)
        if place and self._findings[place - 1].end > finding.start:
            return
        if place < len(self._starts) and self._starts[place] < finding.end:
            return
        self._starts.insert(place, finding.start)
        self._findings.insert(place, finding)

    def add_rest(self, finding: Finding, start: int, end: int, text: str) -> None:
        """Take what is free between start and end."""
        place = bisect_right(self._starts, start)
        if place and self._findings[place - 1].end > start:
            start = self._findings[place - 1].end
        free = []
        while start < end:
            if place == len(self._starts) or self._starts[place] >= end:
                free.append((start, end))
                break
            free.append((start, self._starts[place]))
            start = self._findings[place].end
            place += 1
        for left, right in free:
            self._add_trimmed(finding, left, right, text)

    def _add_trimmed(self, finding: Finding, start: int, end: int, text: str) -> None:
        if (start, end) != (finding.start, finding.end):
            while start < end and not text[start].isalnum():
                start += 1
            while start < end and not text[end - 1].isalnum():
                end -= 1
        if start < end:
            self.add(finding._replace(start=start, end=end))
