"""A page that shows each document with its findings, for a person who decides.

It holds the texts as they were, so it is as private as they are. Its only script is its own: the
page names that script's digest to the browser, which runs and loads nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field
from importlib.resources import files

from discreet.display import dataclass
from discreet.scrub.finding import Finding
from discreet.scrub.formats.pieces import Piece
from discreet.scrub.review import markup
from discreet.scrub.review.decisions import digest
from discreet.scrub.review.markup import Doubt, shown

MOST = 5_000_000
"""Characters that a page shows: a browser does not show more at ease."""
AROUND = 40
NEAR = 0.1
"""Findings this close above the threshold are doubtful too."""


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
        doubts: list[Doubt] = []
        done = piece.lead
        marks = sorted([*((f, True) for f in findings), *((f, False) for f in doubtful)])
        for place, (given, sure) in enumerate(marks):
            finding = given._replace(start=max(given.start, done))
            if finding.start >= finding.end:
                continue
            body += [shown(text[done : finding.start])]
            body += [markup.mark(text, finding, sure, number, place)]
            rows.append(markup.row(finding, text[finding.start : finding.end], sure, number, place))
            done = finding.end
            if sure:
                self.kinds[finding.kind] += 1
            if not sure or finding.likelihood < self.threshold + NEAR:
                doubts.append(self._doubt(text, finding, sure, number, place))
        body.append(shown(text[done : max(piece.end, done)]))
        self._doubts += doubts
        self._documents.append(
            markup.document(
                number, title, piece.lead, digest(text), "".join(body), rows, bool(doubts)
            )
        )

    def page(self) -> Iterator[str]:
        """The page, in parts."""
        source = files("discreet.scrub.review").joinpath("page.html").read_text("utf-8")
        source = source.replace("{{kinds}}", markup.choices())
        head, _, foot = source.partition("@@")
        yield head.replace("{{threshold}}", f"{self.threshold:g}").replace(
            "{{script}}", _script_digest(foot)
        )
        yield markup.legend(self.kinds)
        if self.left_out:
            told = f"{self.left_out:,} more are not shown: the page would be too large."
            yield f"<p class=note>{told}</p>"
        yield markup.doubts(self._doubts)
        yield "<h2>Documents</h2>\n"
        yield from self._documents
        yield foot

    def _doubt(self, text: str, finding: Finding, sure: bool, number: int, place: int) -> Doubt:
        before = text[max(finding.start - AROUND, 0) : finding.start]
        after = text[finding.end : finding.end + AROUND]
        inside = text[finding.start : finding.end]
        distance = round(abs(finding.likelihood - self.threshold), 6)
        return Doubt(distance, number, place, finding, sure, before, inside, after)


def _script_digest(page: str) -> str:
    """How a browser knows the script of a page."""
    script = page.partition("<script>")[2].partition("</script>")[0]
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
