"""A page that shows each document with its findings, for a person to decide on.

It holds the original texts, so it is as private as they are. It has one script, whose digest is in
the content security policy, so the browser runs and loads nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field
from importlib.resources import files
from typing import NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.formats.flow import Piece
from discreet.scrubbing.review.decisions import KINDS, hash_text

# Parts of the review page as HTML: marked text, and tables of findings.


COLOURS = (
    ("NAME", "BLOCK", "USERNAME", "PASSWORD"),
    ("ORGANIZATION", "TEAM", "OCCUPATION"),
    ("STREET", "CITY", "STATE", "ZIP", "COUNTRY", "ADDRESS", "LOCATION"),
    ("PHONE", "FAX", "EMAIL", "URL", "IP"),
    ("DATE", "AGE"),
)
"""Kinds that share a colour; all other kinds, which are numbers, have the last."""


@safe_repr
class Doubt(NamedTuple):
    """A finding near the threshold, with the number of its document and the text around it."""

    distance: float
    document: int
    mark: int
    finding: Finding
    sure: bool
    before: str
    text: str
    after: str


def escape_text(text: str) -> str:
    """Text escaped so that a browser shows all of its characters.

    A browser drops a carriage return before a line feed, and NUL; places in the text would then
    differ from those here.
    """
    return html.escape(text).replace("\r", "&#13;").replace("\0", "&#65533;")


def render_mark(text: str, finding: Finding, sure: bool, number: int, place: int) -> str:
    """A finding in its text."""
    told = html.escape(_describe_finding(finding, sure))
    colour = f"k{_choose_colour(finding.kind)}" if sure else "below"
    return (
        f'<mark id="m{number}-{place}" class="{colour}" data-start="{finding.start}" '
        f'data-end="{finding.end}" data-kind="{html.escape(finding.kind)}" title="{told}">'
        f"{escape_text(text[finding.start : finding.end])}</mark>"
    )


def render_document(
    number: int, title: str, lead: int, digest: str, body: str, rows: list[str], doubtful: bool
) -> str:
    """A document with its findings; its own text begins at character ``lead`` of what was read."""
    heads = "<tr><th>kind<th>text<th>likelihood<th>detector<th>reason"
    count = "1 finding" if len(rows) == 1 else f"{len(rows):,} findings"
    listed = (
        f"<details><summary>{count}</summary><table>{heads}{''.join(rows)}</table></details>"
        if rows
        else "<p class=note>Nothing was found.</p>"
    )
    classes = ("found " if rows else "") + ("doubt" if doubtful else "")
    name = html.escape(title)
    return (
        f'<section id="d{number}" class="{classes}" data-title="{name}" data-lead="{lead}" '
        f'data-digest="{digest}"><h3>{number}. <bdi>{name}</bdi></h3>'
        f"<pre dir=auto>\n{body}</pre>{listed}</section>\n"
    )


def render_row(finding: Finding, text: str, sure: bool, number: int, place: int) -> str:
    """A finding in the table of its document."""
    below = "" if sure else " (below the threshold: not replaced)"
    here = f"m{number}-{place}"
    return (
        f"<tr><td>{html.escape(finding.kind)}<td class=text>"
        f'<a href="#{here}" data-mark="{here}"><bdi>'
        f"{html.escape(text)}</bdi></a>{below}<td>{finding.likelihood:.2f}"
        f"<td>{html.escape(finding.detector)}<td class=why>{html.escape(finding.reason)}"
    )


def render_doubts(found: Iterable[Doubt]) -> str:
    """The table of doubtful findings, with the buttons to decide on each."""
    rows = "".join(map(_render_doubt, sorted(found)))
    if not rows:
        return "<h2>Doubtful</h2><p>None.</p>"
    return (
        "<h2>Doubtful</h2><p>Near the threshold, on either side; the nearest first.</p>"
        "<div id=doubtful tabindex=0><table><tr><th>document<th>kind<th>likelihood<th>taken as"
        f"<th>in its place<th>why<th>{rows}</table></div>"
    )


def render_legend(kinds: Counter[str]) -> str:
    """The meaning of the colours, with the number of findings of each kind."""
    marks = "".join(
        f'<mark class="k{_choose_colour(kind)}">{html.escape(kind)} {count:,}</mark> '
        for kind, count in sorted(kinds.items())
    )
    return f"<p>{marks or 'Nothing was found.'} <mark class=below>below the threshold</mark></p>"


def render_choices() -> str:
    """The kinds that a person may choose."""
    return "".join(f"<option>{kind}" for kind in KINDS)


def _render_doubt(one: Doubt) -> str:
    here = f"m{one.document}-{one.mark}"
    return (
        f'<tr data-mark="{here}"><td><a href="#{here}" data-mark="{here}">{one.document}</a><td>'
        f"{html.escape(one.finding.kind)}<td>{one.finding.likelihood:.2f}<td>"
        f"{'found' if one.sure else 'not found'}<td class=place>"
        f"<bdi>{html.escape(one.before)}<b>{html.escape(one.text)}</b>"
        f"{html.escape(one.after)}</bdi><td "
        f"class=why>{html.escape(_explain_finding(one.finding))}<td class=do>"
        "<span class=active><button value=replace>Replace</button> "
        "<button value=keep>Keep</button></span>"
    )


def _describe_finding(finding: Finding, sure: bool) -> str:
    below = "" if sure else ", below the threshold: not replaced"
    return f"{finding.kind}, {finding.likelihood:.2f}{below}; {_explain_finding(finding)}"


def _explain_finding(finding: Finding) -> str:
    return f"{finding.detector}: {finding.reason}"


def _choose_colour(kind: str) -> int:
    return next((n for n, kinds in enumerate(COLOURS) if kind in kinds), len(COLOURS))


MOST = 5_000_000
"""Most characters on a page: browsers become slow beyond that."""
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
        """Add a document, or a piece of a long one."""
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
            body += [escape_text(text[done : finding.start])]
            body += [render_mark(text, finding, sure, number, place)]
            rows.append(render_row(finding, text[finding.start : finding.end], sure, number, place))
            done = finding.end
            if sure:
                self.kinds[finding.kind] += 1
            if not sure or finding.likelihood < self.threshold + NEAR:
                doubts.append(self._make_doubt(text, finding, sure, number, place))
        body.append(escape_text(text[done : max(piece.end, done)]))
        self._doubts += doubts
        self._documents.append(
            render_document(
                number, title, piece.lead, hash_text(text), "".join(body), rows, bool(doubts)
            )
        )

    def page(self) -> Iterator[str]:
        """The page, in parts."""
        source = files("discreet.scrubbing.review").joinpath("page.html").read_text("utf-8")
        source = source.replace("{{kinds}}", render_choices())
        head, _, foot = source.partition("@@")
        yield head.replace("{{threshold}}", f"{self.threshold:g}").replace(
            "{{script}}", _hash_script(foot)
        )
        yield render_legend(self.kinds)
        if self.left_out:
            told = f"{self.left_out:,} more are not shown: the page would be too large."
            yield f"<p class=note>{told}</p>"
        yield render_doubts(self._doubts)
        yield "<h2>Documents</h2>\n"
        yield from self._documents
        yield foot

    def _make_doubt(
        self, text: str, finding: Finding, sure: bool, number: int, place: int
    ) -> Doubt:
        before = text[max(finding.start - AROUND, 0) : finding.start]
        after = text[finding.end : finding.end + AROUND]
        inside = text[finding.start : finding.end]
        distance = round(abs(finding.likelihood - self.threshold), 6)
        return Doubt(distance, number, place, finding, sure, before, inside, after)


def _hash_script(page: str) -> str:
    """The digest by which a browser recognizes the script of a page."""
    script = page.partition("<script>")[2].partition("</script>")[0]
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
