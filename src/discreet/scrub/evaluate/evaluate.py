"""Runs a finder over marked text and measures what it found."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from discreet.scrub.evaluate.evaluation import Evaluation, Excerpt, KindScore, Share
from discreet.scrub.evaluate.gold import Gold, GoldSpan, GoldText
from discreet.scrub.evaluate.score import Found, score

Finder = Callable[[str], Iterable[Any]]
"""A text in, findings out: tuples (start, end, kind, ...), such as ``Scrubber().find``."""

AROUND = 40
"""Characters of context on each side of an excerpt."""


def evaluate(find: Finder, gold: Gold, *, examples: int = 10) -> Evaluation:
    """How much of the marked information ``find`` finds, and how much of what it finds is marked.

    ``examples`` is the largest number of missed spans, and of false findings, that are kept in
    context for each kind.

    Notes
    -----
    [Sweeney2001]_, sec. 9.4.

    Departures: see ``Evaluation``.

    Cost: one call of ``find`` a text; only those calls are timed.

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
        missed += _few(document, scored.missed, kept, examples)
        false += _few(document, scored.false, kept, examples)
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


def _few(
    document: GoldText,
    spans: Iterable[GoldSpan | Found],
    kept: Counter[tuple[str, bool]],
    limit: int,
) -> list[Excerpt]:
    """Excerpts of these spans, as long as the limit of their kind is not reached."""
    excerpts = []
    for span in spans:
        is_miss, kind = isinstance(span, GoldSpan), span[2]
        if kept[kind, is_miss] < limit:
            kept[kind, is_miss] += 1
            excerpts.append(_excerpt(document, span, kind))
    return excerpts


def _excerpt(document: GoldText, span: GoldSpan | Found, kind: str) -> Excerpt:
    text = document.text
    before = text[max(0, span.start - AROUND) : span.start]
    after = text[span.end : span.end + AROUND]
    return Excerpt(document.name, kind, before, text[span.start : span.end], after)
