"""Fits a tagger to marked texts.

Notes
-----
Multinomial logistic regression, penalized by the squares of the weights, solved by L-BFGS. Each
text is used as it is and several times with other names in it (``Vary``), separately for each
casing. A miss costs more than a false alarm. Detectors were developed on some of these texts and
find more there than elsewhere, so some of their findings are hidden from the tagger.

Cost: some minutes and a gigabyte for half a million characters.
"""

from __future__ import annotations

import random
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from discreet.display import dataclass, safe_repr
from discreet.scrubbing.detectors import ALL
from discreet.scrubbing.detectors.detector import LateDetector
from discreet.scrubbing.machine import Scrubber
from discreet.scrubbing.page import FORMATS, Page
from discreet.scrubbing.tagger.weights import (
    CASINGS,
    CLAIMS,
    CLASSES,
    LABELS,
    REACH,
    Floats,
    Layout,
    Observer,
    Seen,
    Weights,
    find_claims,
)
from discreet.scrubbing.templates.alphabet import LOWER, NORMAL, UPPER
from discreet.scrubbing.templates.lexicon import POSTED, Lexicon
from discreet.scrubbing.templates.tokens import tokenize

# The observations of each token of a page, as rows of a sparse matrix, for fitting.


class Rows:
    """Observations of tokens, one row each."""

    def __init__(self, observer: Observer, layout: Layout, casing: str) -> None:
        self._observer, self._layout, self._casing = observer, layout, casing
        self._seen: dict[str, Seen] = {}
        self.size = layout.size
        self.columns = array("i")
        self.ends = array("q", [0])

    def add(self, page: Page) -> None:
        """Add the tokens of a page that detectors have read."""
        seen = [self._look(token) for token in page.tokens]
        claimed = find_claims(page, page.found).tolist()
        form = self._layout.formats + FORMATS.index(page.format) * len(CLASSES)
        for place in range(len(seen)):
            self._add_near(seen, place)
            self._add_classes(seen, place)
            self._add_words(seen, place)
            self._add_claims(claimed, seen, place)
            self.columns.append(form + seen[place].word_class)
            self.columns.append(self._layout.always)
            self.ends.append(len(self.columns))

    def _look(self, token: str) -> Seen:
        if token not in self._seen:
            self._seen[token] = self._observer.look(token, self._casing)
        return self._seen[token]

    def _add_near(self, seen: list[Seen], place: int) -> None:
        layout = self._layout
        for near in range(max(0, place - REACH), min(len(seen), place + REACH + 1)):
            block = (near - place + REACH) * layout.shared
            self.columns.extend(block + number for number in seen[near].shared)
        self.columns.extend(layout.letters + number for number in seen[place].letters)

    def _add_classes(self, seen: list[Seen], place: int) -> None:
        before = seen[place - 1].word_class if place else 0
        after = seen[place + 1].word_class if place + 1 < len(seen) else 0
        both = before * len(CLASSES) + seen[place].word_class
        self.columns.append(self._layout.classes + both * len(CLASSES) + after)

    def _add_words(self, seen: list[Seen], place: int) -> None:
        before = seen[place - 1].word if place else 0
        after = seen[place + 1].word if place + 1 < len(seen) else 0
        for first, word in ((self._layout.before, before), (self._layout.after, after)):
            self.columns.append(first + word * len(CLASSES) + seen[place].word_class)

    def _add_claims(self, claimed: list[int], seen: list[Seen], place: int) -> None:
        layout = self._layout
        pair = claimed[place] * len(CLASSES) + seen[place].word_class
        self.columns.append(layout.claimed + pair)
        if not any(claimed):
            return
        for near in range(max(0, place - 2), min(len(seen), place + 3)):
            self.columns.append(layout.claims + (near - place + 2) * CLAIMS + claimed[near])


# Marked texts to which the tagger is fitted: ``Dear {{NAME:Ann}},``.
#
# A text begins with a line ``=== id | genre`` and ends at the next such line. ``{{KIND:...}}``
# marks what has to be found, ``{{?KIND:...}}`` what may be found or not.


_HEAD = re.compile(r"^=== .*\n", re.MULTILINE)
_MARK = re.compile(r"\{\{(\??)([A-Z/_]+):(.*?)\}\}", re.DOTALL)


@safe_repr
class Mark(NamedTuple):
    """Characters ``start`` to before ``end`` are of a kind."""

    start: int
    end: int
    kind: str
    optional: bool = False


@safe_repr
class MarkedText(NamedTuple):
    """A text and its marks, in order."""

    text: str
    marks: tuple[Mark, ...]


def read_marked(content: str) -> Iterator[MarkedText]:
    """The texts of a file.

    Examples
    --------
    >>> (one,) = read_marked("=== 1 | mail\\nDear {{NAME:Ann}},\\n")
    >>> one.text, one.marks
    ('Dear Ann,\\n', (Mark(start=5, end=8, kind='NAME', optional=False),))
    """
    for body in _HEAD.split(content)[1:]:
        yield _read(body.strip("\n") + "\n")


def _read(body: str) -> MarkedText:
    parts, marks, length, last = [], [], 0, 0
    for found in _MARK.finditer(body):
        before, characters = body[last : found.start()], found[3]
        start = length + len(before)
        length = start + len(characters)
        parts += [before, characters]
        marks.append(Mark(start, length, found[2], bool(found[1])))
        last = found.end()
    return MarkedText("".join(parts) + body[last:], tuple(marks))


# The same text about other people: marked names, places and numbers are replaced by others.
#
# This way the tagger learns how names are used in a text, not which names there were: some words of
# a mark stay, others become a name from a list, a made-up word, or an ordinary one.


_WORD = re.compile(r"[^\W\d_]{2,}")
_DIGIT = re.compile(r"\d")
_KEPT_SHARE = 0.25

_PERSON = {"made": 0.3, "both": 0.08, "ordinary": 0.02, "first": 0.3, "last": 0.3}
_ORGANIZATION = {"stays": 0.1, "made": 0.35, "last": 0.3, "ordinary": 0.15, "city": 0.1}
_PLACE = {"stays": 0.05, "made": 0.35, "city": 0.25, "last": 0.2, "ordinary": 0.15}
_SOURCES = {
    "NAME": _PERSON,
    "ORGANIZATION": _ORGANIZATION,
    "TEAM": _ORGANIZATION,
    "STREET": _PLACE,
    "CITY": _PLACE,
    "LOCATION": _PLACE,
}
"""Sources of new words, by kind, with their shares."""

_FIXED = (
    *("title", "suffix", "particle", "function_word", "org_word", "institution", "company_word"),
    *("legal_form", "school_kind", "street_type", "direction", "place_word", "unit_word"),
)
"""Words of these lists name a kind of thing, and stay."""


class Vary:
    """Makes variants of marked texts.

    Examples
    --------
    >>> lexicon = Lexicon({"sure_first": ["mary", "ann"], "sure_last": ["lee"], "city": ["rome"]})
    >>> text = MarkedText("Dear Bob, 12", (Mark(5, 8, "NAME"), Mark(10, 12, "ID")))
    >>> other = Vary(lexicon, seed=2)(text)
    >>> other.text[:5], len(other.marks)
    ('Dear ', 2)
    """

    def __init__(self, lexicon: Lexicon, seed: int) -> None:
        self._lexicon, self._random = lexicon, random.Random(seed)
        self._fixed = lexicon.union(*_FIXED)
        names, ordinary = lexicon.union("first", "last"), lexicon.union("ordinary")
        self._pools = {
            "first": lexicon.words(lexicon.union("sure_first")),
            "last": lexicon.words(lexicon.union("sure_last")),
            "city": lexicon.words(lexicon.union("city")),
            "ordinary": lexicon.words(ordinary),
            "both": [w for w in lexicon.words(ordinary) if lexicon.known(w) & names],
        }

    def __call__(self, marked: MarkedText) -> MarkedText:
        """A variant of a text, with its marks."""
        memory: dict[str, str] = {}
        parts: list[str] = []
        marks, length, last = [], 0, 0
        for mark in marked.marks:
            before = marked.text[last : mark.start]
            new = self._change_word(marked.text[mark.start : mark.end], mark.kind, memory)
            start = length + len(before)
            length = start + len(new)
            parts += [before, new]
            marks.append(Mark(start, length, mark.kind, mark.optional))
            last = mark.end
        return MarkedText("".join(parts) + marked.text[last:], tuple(marks))

    def _change_word(self, characters: str, kind: str, memory: dict[str, str]) -> str:
        if kind not in _SOURCES:
            return _DIGIT.sub(lambda _: str(self._random.randrange(10)), characters)
        return _WORD.sub(lambda found: self._replace_word(found[0], kind, memory), characters)

    def _replace_word(self, old: str, kind: str, memory: dict[str, str]) -> str:
        key = old.lower()
        if key not in memory:
            memory[key] = (
                key if self._random.random() < _KEPT_SHARE else self._choose_word(key, kind)
            )
        return _copy_case(memory[key], old)

    def _choose_word(self, old: str, kind: str) -> str:
        known = self._lexicon.known(old)
        is_ordinary = known & self._lexicon.bits["ordinary"]
        stays = kind != "NAME" and is_ordinary and self._random.random() < 0.6
        if stays or known & self._fixed:
            return old
        shares = _SOURCES[kind]
        source = self._random.choices(list(shares), list(shares.values()))[0]
        if source == "made":
            return self._make_word()
        pool = self._pools.get(source)
        return self._random.choice(pool) if pool else old

    def _make_word(self) -> str:
        """A word that starts like one name and ends like another."""
        pools = self._pools
        start = self._random.choice(pools["first" if self._random.random() < 0.3 else "last"])
        end = self._random.choice(pools["last" if self._random.random() < 0.6 else "city"])
        left = self._random.randint(2, max(2, len(start) - 2))
        right = self._random.randint(2, max(2, len(end) - 2))
        return (start[:left] + end[-right:])[:12]


def _copy_case(new: str, old: str) -> str:
    if old.isupper():
        return new.upper()
    return new if old.islower() else new[:1].upper() + new[1:]


_LABEL = {
    **dict.fromkeys(("NAME",), 1),
    **dict.fromkeys(("ORGANIZATION", "TEAM"), 2),
    **dict.fromkeys(("STREET",), 3),
    **dict.fromkeys(("CITY", "STATE", "COUNTRY", "LOCATION"), 4),
    **dict.fromkeys(("ID", "SSN", "ZIP", "PHONE", "FAX", "PASSWORD", "USERNAME"), 5),
    **dict.fromkeys(("MAC", "IP", "EMAIL", "URL"), 5),
}
_NONE = frozenset({"DATE", "AGE"})
"""Kinds that detectors find, so they have no label for the tagger; other kinds may have either."""

_EITHER = -1
_SELDOM = 3
"""Observations and words that occur less often get no weight."""


@dataclass(frozen=True)
class Fit:
    """Fits weights to marked texts.

    ``miss`` is the cost of a miss, where a false alarm costs 1; ``penalty`` is the penalty on
    squared weights; ``copies`` is the number of variants per text, for texts as written and for
    texts in one case; ``hidden`` is the share of findings that the tagger does not see.
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
        words = list_usual_words(texts, lexicon)
        found = {}
        for casing in CASINGS:
            observer = Observer(lexicon, features, words)
            rows = Rows(observer, Layout(len(features), len(words)), casing)
            labels = []
            chance = Random(self.seed)
            for text in self._vary_texts(texts, lexicon, casing):
                page = scrubber.first_look(text.text)
                page.found = [f for f in page.found if f.keep or chance.random() >= self.hidden]
                if page.casing == casing:
                    rows.add(page)
                    labels.append(label_tokens(page, text))
            found[casing] = self._solve(rows, np.concatenate(labels))
        return Weights(features, words, found)

    def _vary_texts(
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
        weights[often] = _fit_regression(table[:, often], labels[labels >= 0], self)
        return weights


def _fit_regression(table: csr_matrix, labels: NDArray[np.int8], fit: Fit) -> Floats:
    """The weights that best explain labels by observations."""
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


def list_usual_words(texts: Sequence[MarkedText], lexicon: Lexicon) -> tuple[str, ...]:
    """The ordinary words and marks that several texts have."""
    counts: Counter[str] = Counter()
    word, ordinary = lexicon.bits["word"], lexicon.bits["ordinary"]
    for text in texts:
        counts.update({lexicon.plains[token] for token in tokenize(text.text)})
    several = sorted(w for w, count in counts.items() if count >= _SELDOM and not w.isdigit())
    return tuple(w for w in several if lexicon.mask(w) & ordinary or not lexicon.mask(w) & word)


def label_tokens(page: Page, marked: MarkedText) -> NDArray[np.int8]:
    """The index in ``LABELS`` of each token's mark."""
    labels = np.zeros(len(page.tokens), dtype=np.int8)
    for mark in marked.marks:
        label = _LABEL.get(mark.kind, 0 if mark.kind in _NONE else _EITHER)
        first, last = page.token_at(mark.start), page.token_at(mark.end - 1)
        labels[first : last + 1] = _EITHER if mark.optional else label
    return labels
