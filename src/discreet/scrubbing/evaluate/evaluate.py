"""Runs a finder over marked text and measures what it found."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any, NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.scrubbing.evaluate.read_gold import Gold, GoldSpan, GoldText
from discreet.scrubbing.finding import make_finder_error

# What an evaluation measured: recall and precision, overall and by kind.


class Excerpt(NamedTuple):
    """A missed span or a false finding with the text around it, for the terminal only."""

    document: str
    kind: str
    before: str
    text: str
    after: str

    def __repr__(self) -> str:
        return f"Excerpt(document={self.document!r}, kind={self.kind!r}, ...)"


@dataclass(frozen=True)
class Share:
    """``part`` of ``whole``; the ratio is None where there is nothing to count."""

    part: int = 0
    whole: int = 0

    @property
    def ratio(self) -> float | None:
        """The share as a number from 0 to 1."""
        return self.part / self.whole if self.whole else None

    def __add__(self, other: Share) -> Share:
        return Share(self.part + other.part, self.whole + other.whole)


@dataclass(frozen=True)
class KindScore:
    """Gold spans of one kind and how many were found, findings and how many were right."""

    spans: Share = Share()
    characters: Share = Share()
    findings: Share = Share()
    finding_characters: Share = Share()

    def __add__(self, other: KindScore) -> KindScore:
        return KindScore(
            self.spans + other.spans,
            self.characters + other.characters,
            self.findings + other.findings,
            self.finding_characters + other.finding_characters,
        )

    def facts(self) -> dict[str, Any]:
        """The score as plain data."""
        return {
            "spans": self.spans.whole,
            "found": self.spans.part,
            "recall": self.spans.ratio,
            "character_recall": self.characters.ratio,
            "findings": self.findings.whole,
            "right": self.findings.part,
            "precision": self.findings.ratio,
            "character_precision": self.finding_characters.ratio,
        }


@dataclass(frozen=True)
class Evaluation:
    """Recall and precision of a finder on marked text.

    A gold span is *found* when every character of it is covered by findings, whatever their kinds.
    A finding is *right* when it overlaps a gold span. The kinds of ``kinds`` are the labels of the
    gold for recall and the kinds of the findings for precision; a corpus with labels of its own
    shows up with both. ``recall_loose`` requires only the letters and digits of a span: a comma
    left between a city and a state reveals nothing.

    Notes
    -----
    [Sweeney2001]_, sec. 9.4, fig. 114, counts references that were found, as ``recall`` does.

    Departures: the thesis gives no precision; figures per character are ours.
    """

    documents: int
    length: int
    total: KindScore
    kinds: Mapping[str, KindScore]
    loose: Share
    optional: Share
    bad_gold: Mapping[str, int]
    seconds: float
    missed: tuple[Excerpt, ...] = field(default=(), repr=False)
    false: tuple[Excerpt, ...] = field(default=(), repr=False)

    @property
    def recall(self) -> float | None:
        """Share of all gold spans that were found; None without gold spans."""
        return self.total.spans.ratio

    @property
    def precision(self) -> float | None:
        """Share of all findings that were right; None without findings."""
        return self.total.findings.ratio

    @property
    def speed(self) -> float | None:
        """Characters per second, of the finder alone."""
        return self.length / self.seconds if self.seconds else None

    def facts(self) -> dict[str, Any]:
        """The figures as plain data, without any text."""
        return {
            "format": "discreet-scrub/1",
            "documents": self.documents,
            "characters": self.length,
            **self.total.facts(),
            "recall_loose": self.loose.ratio,
            "optional": self.optional.whole,
            "optional_found": self.optional.part,
            "kinds": {kind: score.facts() for kind, score in self.kinds.items()},
            "bad_gold": dict(self.bad_gold),
            "seconds": self.seconds,
            "characters_per_second": self.speed,
        }


# Scores the findings of one text against its gold spans.


@safe_repr
class Found(NamedTuple):
    """A span of text that a finder reported."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class TextScore:
    """One text: scores by kind, and which spans and findings were wrong."""

    by_kind: tuple[tuple[str, KindScore], ...]
    loose: Share
    optional: Share
    missed: tuple[GoldSpan, ...]
    false: tuple[Found, ...]


def score(gold: GoldText, given: Iterable[Any]) -> TextScore:
    """Score findings, which are (start, end, kind, ...) or ``Finding``; kept ones do not count."""
    findings = _check_findings(gold, given)
    covered = _cover(len(gold.text), findings)
    required = [span for span in gold.spans if not span.optional]
    optional = [span for span in gold.spans if span.optional]
    wanted, allowed = _cover(len(gold.text), required), _cover(len(gold.text), optional)
    missed = tuple(span for span in required if 0 in covered[span.start : span.end])
    by_kind = [(span.label, _score_span(span, covered)) for span in required]
    false = []
    for found in findings:
        right = any(wanted[found.start : found.end])
        if not right and any(allowed[found.start : found.end]):
            continue
        if not right:
            false.append(found)
        by_kind.append((found.kind, _score_finding(found, wanted, allowed, right)))
    loose = sum(_are_letters_covered(gold.text, span, covered) for span in required)
    passed = sum(0 not in covered[span.start : span.end] for span in optional)
    return TextScore(
        tuple(by_kind),
        Share(loose, len(required)),
        Share(passed, len(optional)),
        missed,
        tuple(false),
    )


def _check_findings(gold: GoldText, given: Iterable[Any]) -> list[Found]:
    findings = [Found(*item[:3]) for item in given if not getattr(item, "keep", False)]
    size = len(gold.text)
    outside = sum(not 0 <= found.start < found.end <= size for found in findings)
    if outside:
        raise make_finder_error(gold.name, outside)
    return findings


def _cover(size: int, spans: Iterable[Found | GoldSpan]) -> bytearray:
    """One byte per character: 1 inside a span."""
    covered = bytearray(size)
    for span in spans:
        covered[span.start : span.end] = b"\x01" * (span.end - span.start)
    return covered


def _score_span(span: GoldSpan, covered: bytearray) -> KindScore:
    part = covered[span.start : span.end]
    found = part.count(1)
    return KindScore(Share(int(found == len(part)), 1), Share(found, len(part)))


def _score_finding(found: Found, wanted: bytearray, allowed: bytearray, right: bool) -> KindScore:
    places = range(found.start, found.end)
    gold = sum(wanted[at] for at in places)
    neither = sum(allowed[at] and not wanted[at] for at in places)
    size = found.end - found.start - neither
    return KindScore(findings=Share(int(right), 1), finding_characters=Share(gold, size))


def _are_letters_covered(text: str, span: GoldSpan, covered: bytearray) -> bool:
    return all(covered[at] for at in range(span.start, span.end) if text[at].isalnum())


Finder = Callable[[str], Iterable[Any]]
"""From a text to findings (start, end, kind, ...), such as ``Scrubber().find``."""

AROUND = 40
"""Characters of context on each side of an excerpt."""


def evaluate(find: Finder, gold: Gold, *, examples: int = 10) -> Evaluation:
    """Recall and precision of ``find`` on marked texts.

    ``examples`` is the largest number of missed spans, and of false findings, that are kept with
    context for each kind.

    Notes
    -----
    [Sweeney2001]_, sec. 9.4.

    Departures: see ``Evaluation``.

    Cost: one call of ``find`` per text; only these calls are timed.

    Examples
    --------
    >>> gold = Gold.of([("a", "Ann saw Bob.", [(0, 3, "NAME"), (8, 11, "NAME")])])
    >>> found = evaluate(lambda text: [(0, 3, "NAME"), (4, 7, "NAME")], gold)
    >>> found.recall, found.precision
    (0.5, 0.5)
    """
    scores: defaultdict[str, KindScore] = defaultdict(KindScore)
    kept: Counter[tuple[str, bool]] = Counter()
    missed: list[Excerpt] = []
    false: list[Excerpt] = []
    loose, optional, seconds = Share(), Share(), 0.0
    for document in gold.texts:
        started = time.perf_counter()
        given = list(find(document.text))
        seconds += time.perf_counter() - started
        scored = score(document, given)
        for kind, part in scored.by_kind:
            scores[kind] += part
        loose, optional = loose + scored.loose, optional + scored.optional
        missed += _take_excerpts(document, scored.missed, kept, examples)
        false += _take_excerpts(document, scored.false, kept, examples)
    return Evaluation(
        documents=len(gold.texts),
        length=sum(len(document.text) for document in gold.texts),
        total=sum(scores.values(), KindScore()),
        kinds=dict(sorted(scores.items())),
        loose=loose,
        optional=optional,
        bad_gold=gold.problem_counts(),
        seconds=seconds,
        missed=tuple(missed),
        false=tuple(false),
    )


def _take_excerpts(
    document: GoldText,
    spans: Iterable[GoldSpan | Found],
    kept: Counter[tuple[str, bool]],
    limit: int,
) -> list[Excerpt]:
    """Excerpts of these spans, up to the limit for each kind."""
    excerpts = []
    for span in spans:
        is_miss, kind = isinstance(span, GoldSpan), span[2]
        if kept[kind, is_miss] < limit:
            kept[kind, is_miss] += 1
            excerpts.append(_make_excerpt(document, span, kind))
    return excerpts


def _make_excerpt(document: GoldText, span: GoldSpan | Found, kind: str) -> Excerpt:
    text = document.text
    before = text[max(0, span.start - AROUND) : span.start]
    after = text[span.end : span.end + AROUND]
    return Excerpt(document.name, kind, before, text[span.start : span.end], after)


# An evaluation as plain text for a terminal; the only place where marked text is shown.


HEADS = ("kind", "spans", "found", "recall", "findings", "right", "precision", "chars R", "chars P")


def show(evaluation: Evaluation, *, excerpts: bool = True) -> str:
    """The table by kind, the totals, bad gold, then missed and false findings in context."""
    rows = [HEADS, *(_format_row(kind, score) for kind, score in evaluation.kinds.items())]
    rows.append(_format_row("all", evaluation.total))
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADS))]
    lines = [_format_line(row, widths) for row in rows]
    if evaluation.bad_gold:
        told = ", ".join(f"{what} {count:,}" for what, count in evaluation.bad_gold.items())
        lines.append(f"Bad gold: {told}.")
    if excerpts:
        lines += _format_section("Missed", evaluation.missed) + _format_section(
            "False", evaluation.false
        )
    return "\n".join(lines)


def format_percent(ratio: float | None) -> str:
    """A ratio as a percentage; never rounded up to 100 %.

    Examples
    --------
    >>> format_percent(0.99999), format_percent(1.0), format_percent(None)
    ('99.9 %', '100.0 %', '-')
    """
    if ratio is None:
        return "-"
    return f"{100 * ratio:.1f} %" if ratio == 1 else f"{min(100 * ratio, 99.9):.1f} %"


def _format_row(kind: str, score: KindScore) -> tuple[str, ...]:
    return (
        kind,
        f"{score.spans.whole:,}",
        f"{score.spans.part:,}",
        format_percent(score.spans.ratio),
        f"{score.findings.whole:,}",
        f"{score.findings.part:,}",
        format_percent(score.findings.ratio),
        format_percent(score.characters.ratio),
        format_percent(score.finding_characters.ratio),
    )


def _format_line(row: tuple[str, ...], widths: list[int]) -> str:
    cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
    return "  ".join([row[0].ljust(widths[0]), *cells])


def _format_section(title: str, excerpts: Iterable[Excerpt]) -> list[str]:
    lines = [
        f"  {one.kind}: "
        f"{_make_printable(one.before)}[{_make_printable(one.text)}]{_make_printable(one.after)}"
        f"  ({one.document})"
        for one in excerpts
    ]
    return [f"{title}:", *lines] if lines else []


def _make_printable(text: str) -> str:
    """The text on one line, without terminal control characters."""
    return "".join(mark if mark.isprintable() else " " for mark in text)
