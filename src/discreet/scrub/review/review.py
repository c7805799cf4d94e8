"""A page that shows each document with its findings, for a person who decides.

It holds the texts as they were, so it is as private as they are.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from typing import NamedTuple

from discreet.scrub.finding import Finding
from discreet.scrub.formats.pieces import Piece

MOST = 5_000_000
"""Characters that a page shows: a browser does not show more at ease."""
AROUND = 40
NEAR = 0.1
"""Findings this close above the threshold are doubtful too."""


class Doubt(NamedTuple):
    """A finding near the threshold, with the number of its document and the text around it."""

    distance: float
    document: int
    mark: int
    finding: Finding
    before: str
    text: str
    after: str


@dataclass
class Review:
    """Collects documents with their findings; ``page`` is the whole as HTML."""

    threshold: float
    shown: int = 0
    left_out: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    _documents: list[str] = field(default_factory=list, repr=False)
    _doubts: list[Doubt] = field(default_factory=list, repr=False)

    def add(
        self, title: str, piece: Piece, findings: Iterable[Finding], doubtful: Iterable[Finding]
    ) -> None:
        """Take one more document, or a piece of a long one."""
        text = piece.shown
        if self.shown + len(piece.own) > MOST and self._documents:
            self.left_out += 1
            return
        self.shown += len(piece.own)
        number = len(self._documents) + 1
        body: list[str] = []
        rows: list[str] = []
        done = piece.lead
        marks = sorted([*((f, True) for f in findings), *((f, False) for f in doubtful)])
        for place, (finding, sure) in enumerate(marks):
            start = max(finding.start, done)
            if start >= finding.end:
                continue
            body += [html.escape(text[done:start]), self._mark(text, finding, sure, number, place)]
            rows.append(_row(finding, text[start : finding.end], sure, number, place))
            done = finding.end
            if sure:
                self.kinds[finding.kind] += 1
            if not sure or finding.likelihood < self.threshold + NEAR:
                self._doubts.append(self._doubt(text, finding, number, place))
        body.append(html.escape(text[done : max(piece.end, done)]))
        self._documents.append(_document(number, title, "".join(body), rows))

    def page(self) -> Iterator[str]:
        """The page, in parts."""
        head, _, foot = (
            files("discreet.scrub.review").joinpath("page.html").read_text("utf-8").partition("@@")
        )
        yield head.replace("{{threshold}}", f"{self.threshold:g}")
        yield _legend(self.kinds)
        if self.left_out:
            told = f"{self.left_out:,} more are not shown: the page would be too large."
            yield f"<p class=note>{told}</p>"
        yield self._doubtful()
        yield "<h2>Documents</h2>"
        yield from self._documents
        yield foot

    def _mark(self, text: str, finding: Finding, sure: bool, number: int, place: int) -> str:
        told = html.escape(_told(finding, sure))
        kind = f"k{_colour(finding.kind)}" if sure else "below"
        shown = html.escape(text[finding.start : finding.end])
        return f'<mark id="m{number}-{place}" class="{kind}" title="{told}">{shown}</mark>'

    def _doubt(self, text: str, finding: Finding, number: int, place: int) -> Doubt:
        before = text[max(finding.start - AROUND, 0) : finding.start]
        after = text[finding.end : finding.end + AROUND]
        inside = text[finding.start : finding.end]
        distance = abs(finding.likelihood - self.threshold)
        return Doubt(distance, number, place, finding, before, inside, after)

    def _doubtful(self) -> str:
        if not self._doubts:
            return "<h2>Doubtful</h2><p>None.</p>"
        rows = "".join(
            f'<tr><td><a href="#m{one.document}-{one.mark}">{one.document}</a><td>'
            f"{html.escape(one.finding.kind)}<td>{one.finding.likelihood:.2f}<td>"
            f"{'found' if one.finding.likelihood >= self.threshold else 'not found'}<td>"
            f"<bdi>{html.escape(one.before)}<b>{html.escape(one.text)}</b>"
            f"{html.escape(one.after)}</bdi><td>{html.escape(_why(one.finding))}"
            for one in sorted(self._doubts)
        )
        return (
            "<h2>Doubtful</h2><p>Near the threshold, on either side; the nearest first.</p>"
            "<table><tr><th>document<th>kind<th>likelihood<th>taken as<th>in its place<th>why"
            f"{rows}</table>"
        )


def _document(number: int, title: str, body: str, rows: list[str]) -> str:
    heads = "<tr><th>kind<th>text<th>likelihood<th>detector<th>reason"
    listed = (
        f"<details><summary>{len(rows):,} findings</summary><table>{heads}{''.join(rows)}</table>"
        "</details>"
        if rows
        else "<p class=note>Nothing was found.</p>"
    )
    return (
        f'<section id="d{number}"><h3>{number}. <bdi>{html.escape(title)}</bdi></h3>'
        f"<pre dir=auto>{body}</pre>{listed}</section>"
    )


def _row(finding: Finding, text: str, sure: bool, number: int, place: int) -> str:
    below = "" if sure else " (below the threshold: not replaced)"
    return (
        f'<tr><td>{html.escape(finding.kind)}<td><a href="#m{number}-{place}"><bdi>'
        f"{html.escape(text)}</bdi></a>{below}<td>{finding.likelihood:.2f}"
        f"<td>{html.escape(finding.detector)}<td>{html.escape(finding.reason)}"
    )


def _legend(kinds: Counter[str]) -> str:
    marks = "".join(
        f'<mark class="k{_colour(kind)}">{html.escape(kind)} {count:,}</mark> '
        for kind, count in sorted(kinds.items())
    )
    return f"<p>{marks or 'Nothing was found.'} <mark class=below>below the threshold</mark></p>"


def _told(finding: Finding, sure: bool) -> str:
    below = "" if sure else ", below the threshold: not replaced"
    return f"{finding.kind}, {finding.likelihood:.2f}{below}; {_why(finding)}"


def _why(finding: Finding) -> str:
    return f"{finding.detector}: {finding.reason}"


COLOURS = (
    ("NAME", "BLOCK", "USERNAME", "PASSWORD"),
    ("ORGANIZATION", "TEAM", "OCCUPATION"),
    ("STREET", "CITY", "STATE", "ZIP", "COUNTRY", "ADDRESS", "LOCATION"),
    ("PHONE", "FAX", "EMAIL", "URL", "IP"),
    ("DATE", "AGE"),
)
"""Kinds that share a colour; all others, which are numbers of something, have the last."""


def _colour(kind: str) -> int:
    return next((n for n, kinds in enumerate(COLOURS) if kind in kinds), len(COLOURS))
