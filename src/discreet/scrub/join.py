"""Neighbours that are parts of one thing become one finding.

Two detectors may each find a half of a name: what stands between them, a hyphen or a space, would
stay in the text, and each half would get a replacement of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from discreet.scrub.finding import Finding

_JOINED = frozenset({"NAME", "ORGANIZATION", "TEAM", "STREET", "CITY", "LOCATION", "ID"})
_SAME = frozenset({"", " ", "-", "–", "/"})
"""What may stand between halves of the same kind."""

_POINT = frozenset({".", ". "})
"""As well after one or two letters: an initial, St."""

_WITH_COMMA = frozenset({"NAME", "STREET"})
"""Kinds that are written with a comma inside: Graves, Frank; 12 Elm Street, Unit 3.

Two people with a comma between them become one finding too: names are replaced word by word, and
full names have a tag each, so this makes no difference to what comes out.
"""

_APART = frozenset({" ", "/"})
_PART = 4
"""Characters of a part of an ID; two longer ones with a space or stroke between are two IDs."""

_HALVES = frozenset({"", "-", "–"})
"""What may stand between halves that detectors took for different kinds: one word."""


def join(findings: Sequence[Finding], text: str) -> list[Finding]:
    """Findings in the order of the text, neighbours that belong together made one.

    Examples
    --------
    >>> halves = [Finding(0, 7, "NAME", 0.8, "a", "x"), Finding(8, 12, "NAME", 0.9, "b", "y")]
    >>> [(f.start, f.end) for f in join(halves, "Adeyemi-Cole")]
    [(0, 12)]
    """
    joined: list[Finding] = []
    for finding in findings:
        last = joined[-1] if joined else None
        if last is not None and _belong(last, finding, text):
            joined[-1] = _both(last, finding)
        else:
            joined.append(finding)
    starts = {finding.start for finding in joined}
    return [f if f.end in starts else _with_point(f, text) for f in joined]


def _belong(left: Finding, right: Finding, text: str) -> bool:
    if left.keep or right.keep or right.start - left.end > 2:
        return False
    if left.kind not in _JOINED or right.kind not in _JOINED:
        return False
    between = text[left.end : right.start]
    if left.kind != right.kind:
        return between in _HALVES
    if left.kind == "ID" and between in _APART:
        return min(left.end - left.start, right.end - right.start) <= _PART
    if between in _POINT:
        return not text[max(left.start, left.end - 3) : left.end - 2].isalnum()
    return between in _SAME or (between == ", " and left.kind in _WITH_COMMA)


def _both(left: Finding, right: Finding) -> Finding:
    """One finding that covers both, as sure as the surer."""
    surer = left if left.likelihood >= right.likelihood else right
    return surer._replace(start=left.start, end=right.end, whole=left.whole or right.whole)


def _with_point(finding: Finding, text: str) -> Finding:
    """With the point after an initial that ends a name: the initial goes, and so should it."""
    end = finding.end
    if finding.kind != "NAME" or finding.keep or text[end : end + 1] != ".":
        return finding
    is_initial = text[end - 1].isalpha() and not text[max(0, end - 2) : end - 1].isalnum()
    return finding._replace(end=end + 1) if is_initial else finding
