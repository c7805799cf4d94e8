"""Fits a tagger to marked texts.

Notes
-----
Multinomial logistic regression, penalized by the squares of the weights, solved by L-BFGS. Each
text is taken as it is and several times with other names in it (``vary.py``), for each casing
apart. A miss costs more than a false alarm. Detectors were written with some of these texts in view
and find more there than elsewhere, so a part of what they found is hidden from the tagger.

Cost: some minutes and a gigabyte for half a million characters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from discreet.display import dataclass
from discreet.scrub.alphabet import LOWER, NORMAL, UPPER
from discreet.scrub.detectors import ALL
from discreet.scrub.detectors.late import LateDetector
from discreet.scrub.lexicon import POSTED, Lexicon
from discreet.scrub.machine import Scrubber
from discreet.scrub.page import Page
from discreet.scrub.tagger.marked_text import MarkedText
from discreet.scrub.tagger.observer import Observer
from discreet.scrub.tagger.rows import Rows
from discreet.scrub.tagger.vary import Vary
from discreet.scrub.tagger.weights import CASINGS, LABELS, Floats, Layout, Weights
from discreet.scrub.tokens import tokenize

_LABEL = {
    **dict.fromkeys(("NAME",), 1),
    **dict.fromkeys(("ORGANIZATION", "TEAM"), 2),
    **dict.fromkeys(("STREET",), 3),
    **dict.fromkeys(("CITY", "STATE", "COUNTRY", "LOCATION"), 4),
    **dict.fromkeys(("ID", "SSN", "ZIP", "PHONE", "FAX", "PASSWORD", "USERNAME"), 5),
    **dict.fromkeys(("MAC", "IP", "EMAIL", "URL"), 5),
}
_NONE = frozenset({"DATE", "AGE"})
"""Kinds that detectors find, so the tagger takes them for nothing; other kinds may be either."""

_EITHER = -1
_SELDOM = 3
"""Observations and words met less often have no weight."""


@dataclass(frozen=True)
class Fit:
    """Fits weights to marked texts.

    ``miss`` is what a miss costs, a false alarm being one; ``penalty`` is that on squared weights;
    ``copies`` is how often a text is taken with other names, for texts as written and for texts in
    one case; ``hidden`` is the share of findings that the tagger does not get to see.
    """

    language: str = "en"
    miss: float = 5.0
    penalty: float = 1.0
    copies: tuple[int, int] = (4, 2)
    hidden: float = 0.5
    steps: int = 120
    seed: int = 5

    def __call__(self, texts: Sequence[MarkedText]) -> Weights:
        """The weights."""
        early = tuple(d for d in ALL if not isinstance(d, LateDetector))
        scrubber = Scrubber(self.language, detectors=early)
        lexicon = scrubber.lexicon
        features = tuple(name for name in lexicon.bits if name not in POSTED)
        words = usual_words(texts, lexicon)
        found = {}
        for casing in CASINGS:
            observer = Observer(lexicon, features, words)
            rows = Rows(observer, Layout(len(features), len(words)), casing)
            labels = []
            chance = Random(self.seed)
            for text in self._varied(texts, lexicon, casing):
                page = scrubber.first_look(text.text)
                page.found = [f for f in page.found if f.keep or chance.random() >= self.hidden]
                if page.casing == casing:
                    rows.add(page)
                    labels.append(labels_of(page, text))
            found[casing] = self._solve(rows, np.concatenate(labels))
        return Weights(features, words, found)

    def _varied(
        self, texts: Sequence[MarkedText], lexicon: Lexicon, casing: str
    ) -> Iterator[MarkedText]:
        vary = Vary(lexicon, self.seed)
        for text in texts:
            for copy in range(self.copies[casing != NORMAL]):
                other = vary(text) if copy else text
                changed = {UPPER: str.upper, LOWER: str.lower}.get(casing, str)(other.text)
                if len(changed) == len(other.text):
                    yield other._replace(text=changed)

    def _solve(self, rows: Rows, labels: NDArray[np.int8]) -> Floats:
        size = rows.size
        table = csr_matrix(
            (
                np.ones(len(rows.columns), dtype=np.float32),
                np.frombuffer(rows.columns, dtype=np.int32),
                np.frombuffer(rows.ends, dtype=np.int64),
            ),
            shape=(len(rows.ends) - 1, size),
        )[labels >= 0]
        often = np.flatnonzero(np.bincount(table.indices, minlength=size) >= _SELDOM)
        weights = np.zeros((size, len(LABELS)), dtype=np.float32)
        weights[often] = _regression(table[:, often], labels[labels >= 0], self)
        return weights


def _regression(table: csr_matrix, labels: NDArray[np.int8], fit: Fit) -> Floats:
    """The weights that explain labels by observations best."""
    cost = np.where(labels > 0, fit.miss, 1).astype(np.float32)[:, None]
    truth = np.eye(len(LABELS), dtype=np.float32)[labels]
    turned, shape = table.T.tocsr(), (table.shape[1], len(LABELS))

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(shape).astype(np.float32)
        scores = table @ weights
        scores -= scores.max(axis=1, keepdims=True)
        shares = np.exp(scores)
        sums = shares.sum(axis=1, keepdims=True)
        shares /= sums
        missed = float((cost * truth * (np.log(sums) - scores)).sum(dtype=np.float64))
        slope = turned @ ((shares - truth) * cost) + fit.penalty * weights
        penalty = 0.5 * fit.penalty * float((weights * weights).sum(dtype=np.float64))
        return missed + penalty, slope.ravel().astype(np.float64)

    start = np.zeros(shape[0] * shape[1])
    solved = minimize(
        loss, start, jac=True, method="L-BFGS-B", options={"maxiter": fit.steps, "maxcor": 6}
    )
    found: Floats = solved.x.reshape(shape).astype(np.float32)
    return found


def usual_words(texts: Sequence[MarkedText], lexicon: Lexicon) -> tuple[str, ...]:
    """The ordinary words and marks that several texts have."""
    counts: Counter[str] = Counter()
    word, ordinary = lexicon.bits["word"], lexicon.bits["ordinary"]
    for text in texts:
        counts.update({lexicon.plains[token] for token in tokenize(text.text)})
    several = sorted(w for w, count in counts.items() if count >= _SELDOM and not w.isdigit())
    return tuple(w for w in several if lexicon.mask(w) & ordinary or not lexicon.mask(w) & word)


def labels_of(page: Page, marked: MarkedText) -> NDArray[np.int8]:
    """The place in ``LABELS`` of what each token is marked as."""
    labels = np.zeros(len(page.tokens), dtype=np.int8)
    for mark in marked.marks:
        label = _LABEL.get(mark.kind, 0 if mark.kind in _NONE else _EITHER)
        first, last = page.token_at(mark.start), page.token_at(mark.end - 1)
        labels[first : last + 1] = _EITHER if mark.optional else label
    return labels
