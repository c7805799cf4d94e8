"""Scores the findings of one text against its gold spans."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.errors import FinderError
from discreet.scrub.evaluate.evaluation import KindScore, Share
from discreet.scrub.evaluate.gold import GoldSpan, GoldText


@safe_repr
class Found(NamedTuple):
    """A stretch of text that a finder gave."""

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
    """Score findings: tuples (start, end, kind, ...) or ``Finding``; those to keep do not count."""
    findings = _findings(gold, given)
    covered = _cover(len(gold.text), findings)
    required = [span for span in gold.spans if not span.optional]
    optional = [span for span in gold.spans if span.optional]
    wanted, allowed = _cover(len(gold.text), required), _cover(len(gold.text), optional)
    missed = tuple(span for span in required if 0 in covered[span.start : span.end])
    by_kind = [(span.label, _span_score(span, covered)) for span in required]
    false = []
    for found in findings:
        right = any(wanted[found.start : found.end])
        if not right and any(allowed[found.start : found.end]):
            continue
        if not right:
            false.append(found)
        by_kind.append((found.kind, _finding_score(found, wanted, allowed, right)))
    loose = sum(_letters_covered(gold.text, span, covered) for span in required)
    passed = sum(0 not in covered[span.start : span.end] for span in optional)
    return TextScore(
        tuple(by_kind),
        Share(loose, len(required)),
        Share(passed, len(optional)),
        missed,
        tuple(false),
    )


def _findings(gold: GoldText, given: Iterable[Any]) -> list[Found]:
    findings = [Found(*item[:3]) for item in given if not getattr(item, "keep", False)]
    size = len(gold.text)
    outside = sum(not 0 <= found.start < found.end <= size for found in findings)
    if outside:
        raise FinderError(gold.name, outside)
    return findings


def _cover(size: int, spans: Iterable[Found | GoldSpan]) -> bytearray:
    """One byte a character: 1 where a span lies."""
    covered = bytearray(size)
    for span in spans:
        covered[span.start : span.end] = b"\x01" * (span.end - span.start)
    return covered


def _span_score(span: GoldSpan, covered: bytearray) -> KindScore:
    part = covered[span.start : span.end]
    found = part.count(1)
    return KindScore(Share(int(found == len(part)), 1), Share(found, len(part)))


def _finding_score(found: Found, wanted: bytearray, allowed: bytearray, right: bool) -> KindScore:
    places = range(found.start, found.end)
    gold = sum(wanted[at] for at in places)
    neither = sum(allowed[at] and not wanted[at] for at in places)
    size = found.end - found.start - neither
    return KindScore(findings=Share(int(right), 1), finding_characters=Share(gold, size))


def _letters_covered(text: str, span: GoldSpan, covered: bytearray) -> bool:
    return all(covered[at] for at in range(span.start, span.end) if text[at].isalnum())
