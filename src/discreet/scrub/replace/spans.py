"""Where to replace, and which misspelt words stand for which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import NamedTuple, Protocol

from discreet.display import safe_repr
from discreet.errors import FinderError
from discreet.scrub.replace.case import folded
from discreet.scrub.replace.name import name_words

CLOSE = 0.7
"""How alike a misspelt word and the one that was meant are at least."""


@safe_repr
class Span(NamedTuple):
    """Where to replace what, whether it is taken for misspelt, whether no word of it may stay."""

    start: int
    end: int
    kind: str
    is_misspelt: bool
    whole: bool


class Found(Protocol):
    """What is needed of a finding."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def keep(self) -> bool: ...


def spans_of(findings: Iterable[Found], length: int) -> list[Span]:
    """Where to replace, in order; of two findings that overlap the second has the rest."""
    spans: list[Span] = []
    wrong = done = 0
    for finding in sorted(findings, key=lambda f: (f.start, -f.end)):
        if finding.keep:
            continue
        start, end = finding.start, finding.end
        if not 0 <= start < end <= length:
            wrong += 1
        elif end > done:
            start = max(start, done)
            whole = getattr(finding, "whole", False)
            spans.append(Span(start, end, finding.kind, "misspelt" in finding.reason, whole))
            done = end
    if wrong:
        raise FinderError("the text", wrong)
    return spans


def meant_by(spans: list[Span], found: list[str], same: Mapping[str, str]) -> dict[str, str]:
    """Misspelt words with the words that were meant: those given, and those the machine marks."""
    meant = {folded(wrong): folded(right) for wrong, right in same.items()}
    misspelt = [text for span, text in zip(spans, found, strict=True) if span.is_misspelt]
    if not misspelt:
        return meant
    right: set[str] = set()
    for span, text in zip(spans, found, strict=True):
        if span.kind == "NAME" and not span.is_misspelt:
            right.update(name_words(text))
    for text in misspelt:
        for word in name_words(text):
            near = get_close_matches(word, right - {word}, 1, CLOSE)
            if near and word not in right:
                meant.setdefault(word, near[0])
    return meant
