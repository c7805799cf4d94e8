"""Lines and cells of a page, as the detectors of multi-line blocks read them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from discreet.scrubbing.finding import Finding

_CELL = re.compile(r"[^\t\n ](?:[^\t\n ]| {1,2}(?=\S))*")
"""Text between tabs or runs of three spaces."""
_LETTERS = re.compile(r"[^\W_][^\n]*[^\W_]|[^\W_]")

Span = tuple[int, int]


def find_line(text: str, place: int) -> Span:
    """Start and end of the line around a place."""
    end = text.find("\n", place)
    return text.rfind("\n", 0, place) + 1, len(text) if end < 0 else end


def find_line_above(text: str, start: int) -> Span | None:
    """The line that ends before ``start``, which starts a line; None at the top of the text."""
    return find_line(text, start - 1) if start else None


def find_line_below(text: str, end: int) -> Span | None:
    """The line after the one that ends at ``end``; None at the end of the text."""
    return find_line(text, end + 1) if end + 1 < len(text) else None


def find_cells(text: str, line: Span) -> list[Span]:
    """The cells of a line."""
    return [found.span() for found in _CELL.finditer(text, *line)]


def select_inside(found: list[Finding], span: Span) -> list[Finding]:
    """The findings, sorted by start, that start inside a span."""
    first = bisect_left(found, span[0], key=lambda f: f.start)
    after = bisect_left(found, span[1], key=lambda f: f.start)
    return found[first:after]


def find_uncovered(text: str, span: Span, found: list[Finding]) -> Iterator[Span]:
    """The parts of a span that no finding covers, trimmed to their letters and digits."""
    start = span[0]
    for finding in [*select_inside(found, span), None]:
        end = span[1] if finding is None else finding.start
        rest = _LETTERS.search(text, start, end) if start < end else None
        if rest:
            yield rest.span()
        start = span[1] if finding is None else finding.end
