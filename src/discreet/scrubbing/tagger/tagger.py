"""Decides from a token and its context whether it is part of a name or a place.

Notes
-----
Multinomial logistic regression over observations of a token and its neighbours (``Observer``) and
over the findings of detectors there. It has weights only for common words, so it recognizes names
that are in no list, and separates them from other capitalized words, by their context.

Departures: the thesis has only templates, whose likelihoods are counted in marked text;
a model of this kind is the same idea with thousands of small templates.

Cost: one look-up per token and some sums over arrays; each new token is observed once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.display import safe_repr
from discreet.scrubbing.page import FORMATS, Page
from discreet.scrubbing.tagger.weights import (
    CLAIMS,
    CLASSES,
    LABELS,
    REACH,
    Floats,
    Observer,
    Weights,
    find_claims,
    is_found,
)
from discreet.scrubbing.templates.lexicon import Lexicon

_KEPT = 300_000
"""Most tokens whose sums are cached."""


@safe_repr
class Tag(NamedTuple):
    """Tokens from ``first`` to before ``after`` are likely a ``label``."""

    first: int
    after: int
    label: str
    likelihood: float
    reason: str


class Tagger:
    """Tags the tokens of a page."""

    def __init__(self, weights: Weights, lexicon: Lexicon) -> None:
        self._weights = weights
        self._observer = Observer(lexicon, weights.features, weights.words)
        self._known: dict[str, _Known] = {}

    def tags(self, page: Page, least: float) -> Iterator[Tag]:
        """Runs of tokens with a label that is likelier than ``least``.

        Runs that detectors have already found are left out.
        """
        if not page.tokens:
            return
        claimed = find_claims(page, page.found)
        scores, classes = self._compute_scores(page, claimed)
        odds = np.exp(np.minimum(scores[:, 1:] - scores[:, :1], 30.0))
        likely = odds.sum(axis=1)
        likely /= 1 + likely
        places = np.flatnonzero(likely >= least)
        found = is_found(claimed[places])
        if found.all():
            return
        labels = odds[places].argmax(axis=1) + 1
        for run in _find_runs(places.tolist(), labels.tolist()):
            if not found[run].all():
                first, after = int(places[run.start]), int(places[run.stop - 1]) + 1
                yield Tag(
                    first,
                    after,
                    LABELS[labels[run.start]],
                    float(likely[first:after].max()),
                    _write_reason(classes, first, after),
                )

    def likelihoods(self, page: Page) -> Floats:
        """The likelihood of each label for each token of a page, one row per token."""
        scores, _ = self._compute_scores(page, find_claims(page, page.found))
        scores -= scores.max(axis=1, keepdims=True)
        shares: Floats = np.exp(scores)
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    def _compute_scores(
        self, page: Page, claimed: NDArray[np.intp]
    ) -> tuple[Floats, NDArray[np.intp]]:
        known = self._known.get(page.casing)
        if known is None:
            known = self._known[page.casing] = _Known(self._weights, self._observer, page.casing)
        return known.scores(page, claimed)


class _Known:
    """The summed weights of the tokens seen so far in texts of a casing."""

    def __init__(self, weights: Weights, observer: Observer, casing: str) -> None:
        self._observer, self._casing = observer, casing
        layout, labels = weights.layout, len(LABELS)
        self._all = weights.of(casing)
        self._of_classes = self._all[layout.classes : layout.claims]
        self._of_claims = self._all[layout.claims : layout.claimed].reshape(5, CLAIMS, labels)
        self._of_claimed = self._all[layout.claimed : layout.before]
        self._before = self._all[layout.before : layout.after]
        self._after = self._all[layout.after : layout.formats]
        self._formats = self._all[layout.formats : layout.always]
        self._letters = self._all[layout.letters : layout.classes]
        self._always = self._all[layout.always]
        self._positions = np.arange(2 * REACH + 1)[:, None] * layout.shared
        self._of_shared: dict[tuple[int, ...], Floats] = {}
        self._numbers: dict[str, int] = {}
        self._sums = np.zeros((1024, (2 * REACH + 1) * labels), dtype=np.float32)
        self._classes = np.zeros(1024, dtype=np.intp)
        self._words = np.zeros(1024, dtype=np.intp)

    def scores(self, page: Page, claimed: NDArray[np.intp]) -> tuple[Floats, NDArray[np.intp]]:
        """The score of each label for each token, and the tokens' classes."""
        tokens, count = page.tokens, len(page.tokens)
        numbers = np.array(self._number_tokens(tokens), dtype=np.intp)
        sums = self._sums[numbers].reshape(count, 2 * REACH + 1, len(LABELS))
        scores: Floats = sums[:, REACH].copy()
        for away in range(1, min(REACH, count - 1) + 1):
            scores[away:] += sums[:-away, REACH - away]
            scores[:-away] += sums[away:, REACH + away]
        classes, several = self._classes[numbers], len(CLASSES)
        around = np.zeros(count + 2, dtype=np.intp)
        around[1:-1] = classes
        scores += self._of_classes[(around[:-2] * several + classes) * several + around[2:]]
        around[1:-1] = self._words[numbers] * several
        scores += self._before[around[:-2] + classes] + self._after[around[2:] + classes]
        scores += self._formats[FORMATS.index(page.format) * several + classes]
        self._add_claims(scores, classes, claimed)
        return scores, classes

    def _add_claims(
        self, scores: Floats, classes: NDArray[np.intp], claimed: NDArray[np.intp]
    ) -> None:
        scores += self._of_claimed[claimed * len(CLASSES) + classes]
        if not claimed.any():
            return
        weights, count = self._of_claims, len(scores)
        scores += weights[2][claimed]
        for away in range(1, min(2, count - 1) + 1):
            scores[away:] += weights[2 - away][claimed[:-away]]
            scores[:-away] += weights[2 + away][claimed[away:]]

    def _number_tokens(self, tokens: list[str]) -> list[int]:
        known = self._numbers
        if len(known) > _KEPT:
            known.clear()
        return [known[t] if t in known else self._learn(t) for t in tokens]

    def _learn(self, token: str) -> int:
        """Sum the weights of a new token, for each position relative to a neighbour."""
        number = self._numbers[token] = len(self._numbers)
        if number == len(self._sums):
            self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)])
            self._classes = np.concatenate([self._classes, np.zeros_like(self._classes)])
            self._words = np.concatenate([self._words, np.zeros_like(self._words)])
        seen, labels = self._observer.look(token, self._casing), len(LABELS)
        self._sums[number] = self._sum_shared(seen.shared)
        if seen.letters:
            letters = self._letters[np.array(seen.letters)].sum(axis=0)
            self._sums[number, REACH * labels : (REACH + 1) * labels] += letters
        self._classes[number], self._words[number] = seen.word_class, seen.word
        return number

    def _sum_shared(self, shared: tuple[int, ...]) -> Floats:
        """The summed weights of shared observations by position; many tokens have the same."""
        found = self._of_shared.get(shared)
        if found is None:
            sums = self._all[self._positions + np.array(shared, dtype=np.intp)].sum(axis=1)
            sums[REACH] += self._always
            found = self._of_shared[shared] = sums.ravel()
        return found


def _find_runs(places: list[int], labels: list[int]) -> Iterator[slice]:
    """Runs of consecutive places with the same label."""
    start = 0
    for at in range(1, len(places) + 1):
        if at == len(places) or places[at] - places[at - 1] > 1 or labels[at] != labels[at - 1]:
            yield slice(start, at)
            start = at


def _write_reason(classes: NDArray[np.intp], first: int, after: int) -> str:
    """The classes of a run and its neighbours, in words."""
    before = CLASSES[classes[first - 1]] if first else CLASSES[0]
    behind = CLASSES[classes[after]] if after < len(classes) else CLASSES[0]
    return f"{CLASSES[classes[first]]} after {before}, before {behind}"
