"""The weights of a tagger, as fitted and as stored.

Cost: reading takes some hundredths of a second; each casing is read when first needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass, safe_repr
from discreet.scrubbing.casing import LOWER, NORMAL, UPPER, adjust_to_casing
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.page import FORMATS, Page
from discreet.scrubbing.templates.lexicon import Lexicon

# Earlier findings of detectors, as the tagger sees them: a group for each token.


_GROUP = {
    "NAME": 1,
    "ORGANIZATION": 2,
    "TEAM": 2,
    "STREET": 3,
    "ADDRESS": 3,
    "CITY": 4,
    "STATE": 4,
    "COUNTRY": 4,
    "LOCATION": 4,
    "DATE": 5,
    "AGE": 5,
    "USERNAME": 6,
}
_OTHER, _KEPT = 7, 8
_WEAK, _WEAKER = 0.85, 8
"""Findings less likely than this form groups of their own."""

CLAIMS = 17
"""Groups, and none."""


def find_claims(page: Page, findings: Iterable[Finding]) -> NDArray[np.intp]:
    """The group of the finding that covers each token of a page, 0 where there is none."""
    found = np.zeros(len(page.tokens), dtype=np.intp)
    for finding in findings:
        group = _KEPT if finding.keep else _GROUP.get(finding.kind, _OTHER)
        if not finding.keep and finding.likelihood < _WEAK:
            group += _WEAKER
        found[page.token_at(finding.start) : page.token_at(finding.end - 1) + 1] = group
    return found


def is_found(claimed: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which tokens are covered by a finding that is not kept."""
    found: NDArray[np.bool_] = (claimed > 0) & (claimed != _KEPT)
    return found


# The class of a token, one of about forty: what a reader sees at a glance.


_MARKS = {
    "full stop": ".!?",
    "comma": ",",
    "colon": ":",
    "opening": "([{<",
    "closing": ")]}>",
    "dash": "-–—",
    "slash": "/\\|",
    "quote": "\"'“”‘’«»",
    "at sign": "@",
    "ampersand": "&",
    "number sign": "#",
    "semicolon": ";",
}

_RULES: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("empty line", ("blank",), ()),
    ("line end", ("newline",), ()),
    ("gap", ("gap",), ()),
    ("possessive", ("possessive",), ()),
    ("mark", ("mark",), ()),
    ("number", ("digits",), ()),
    ("letters and digits", ("alnum",), ()),
    ("initial", ("initial",), ()),
    ("title", ("sure_title",), ()),
    ("small function word", ("lower",), ("function_word",)),
    ("small title", ("lower",), ("title",)),
    ("word for a relative", ("lower",), ("relation",)),
    ("small name", ("small",), ("sure_first", "sure_last", "nick")),
    ("small word that may be a name", ("small",), ()),
    ("small word", ("lower",), ("ordinary",)),
    ("small word in no list", ("lower", "mixed"), ()),
    ("first name in capitals", ("upper",), ("sure_first",)),
    ("last name in capitals", ("upper",), ("sure_last",)),
    ("word in capitals", ("upper",), ("ordinary",)),
    ("letters in capitals", ("upper",), ()),
    ("word of organizations", ("org_word", "institution", "company_word"), ()),
    ("word of streets", ("street_type",), ()),
    ("month or weekday", ("month", "weekday"), ()),
    ("first name", ("sure_first", "nick"), ()),
    ("city, state or country", ("sure_city", "state", "country"), ()),
    ("last name", ("sure_last",), ()),
    ("town", ("city",), ()),
    ("capitalized word that may be a name", ("ordinary",), ("first", "last")),
    ("capitalized frequent word", ("frequent",), ()),
    ("capitalized word", ("ordinary",), ()),
    ("new capitalized word", ("unknown",), ()),
)
"""Classes in the order in which they are tried, each with two alternatives of features."""

CLASSES = ("edge of the text", *_MARKS, *(name for name, _, _ in _RULES), "other word")
"""The names of the classes; the first marks the edges of a text."""

_MARK_CLASS = {mark: 1 + place for place, marks in enumerate(_MARKS.values()) for mark in marks}


def find_word_class(text: str, mask: int, bits: Mapping[str, int]) -> int:
    """The index of a token's class in ``CLASSES``; ``bits`` are those of the language's features.

    Examples
    --------
    >>> from discreet.scrubbing.templates.lexicon import Lexicon
    >>> lexicon = Lexicon({"sure_first": ["mary"]})
    >>> [CLASSES[find_word_class(t, lexicon.mask(t), lexicon.bits)] for t in ("Mary", ",", "12")]
    ['first name', 'comma', 'number']
    """
    if mask & bits["mark"] and text in _MARK_CLASS:
        return _MARK_CLASS[text]
    for place, (_, shapes, features) in enumerate(_RULES, 1 + len(_MARKS)):
        if any(mask & bits.get(shape, 0) for shape in shapes) and (
            not features or any(mask & bits.get(feature, 0) for feature in features)
        ):
            return place
    return len(CLASSES) - 1


# What the tagger sees of a token: the numbers of its observations, each with its weights.
#
# Notes
# -----
# An observation is a feature of the language (a shape, a word list with the token), the word itself
# if it is a common one, or a run of letters. The first two are observed in the token and its
# neighbours, letters only in the token.
#
# Cost: each distinct token is observed once.


LETTERS = 1 << 13
"""Number of letter observations; runs of letters are hashed to these."""


@dataclass(frozen=True)
class Seen:
    """Observations of a token: those shared with its neighbours, its letters, its class.

    ``word`` is the position of the word among the common ones, from 1; 0 if it is not one.
    """

    shared: tuple[int, ...]
    letters: tuple[int, ...]
    word_class: int
    word: int


class Observer:
    """Observes tokens for a model, given its features by name and its common words.

    Examples
    --------
    >>> observer = Observer(Lexicon({"sure_first": ["mary"]}), ("capitalized", "sure_first"), ())
    >>> observer.look("Mary ", "normal").shared
    (0, 1)
    """

    def __init__(self, lexicon: Lexicon, features: tuple[str, ...], words: tuple[str, ...]) -> None:
        self._lexicon = lexicon
        self._features = [
            (place, lexicon.bits[name])
            for place, name in enumerate(features)
            if name in lexicon.bits
        ]
        self._words = {word: place for place, word in enumerate(words, 1)}
        self._first_word = len(features) - 1
        self._frequent = lexicon.union("frequent")
        self._of_mask: dict[int, tuple[tuple[int, ...], int]] = {}

    def look(self, token: str, casing: str) -> Seen:
        """The observations of a token in a text of a casing."""
        lexicon = self._lexicon
        mask = adjust_to_casing(lexicon.mask(token), casing, lexicon)
        word = lexicon.plains[token]
        shared, its_class = self._read_mask(mask, token.strip())
        number = self._words.get(word, 0)
        if number:
            shared = (*shared, self._first_word + number)
        is_open = mask & lexicon.bits["word"] and not mask & self._frequent
        letters = hash_letters(word) if is_open else ()
        return Seen(shared, letters, its_class, number)

    def _read_mask(self, mask: int, text: str) -> tuple[tuple[int, ...], int]:
        """The features of a mask and its class; there are far fewer masks than tokens."""
        found = self._of_mask.get(mask)
        if found is None:
            bits = self._lexicon.bits
            shared = tuple(place for place, bit in self._features if mask & bit)
            found = shared, find_word_class(text, mask, bits)
            if not mask & bits["mark"]:
                self._of_mask[mask] = found
        return found


def hash_letters(word: str) -> tuple[int, ...]:
    """The runs of three and four letters, and the first and last two letters, as numbers."""
    whole = f"^{word}$"
    rows = {whole[i : i + n] for n in (3, 4) for i in range(len(whole) - n + 1)}
    rows |= {"<" + word[:2], ">" + word[-2:]}
    return tuple(sorted({crc32(row.encode()) % LETTERS for row in rows}))


REACH = 3
"""Neighbours that are observed on each side."""

LABELS = ("", "NAME", "ORGANIZATION", "STREET", "LOCATION", "ID")
"""What a token can be part of; the first means nothing."""

CASINGS = (NORMAL, UPPER, LOWER)
_NEGLIGIBLE = 0.03

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Layout:
    """Where the weights of each kind of observation start, for a number of features and words."""

    features: int
    words: int

    @property
    def shared(self) -> int:
        """The number of observations shared with neighbours."""
        return self.features + self.words

    @property
    def letters(self) -> int:
        """Start of the letter observations, after the shared ones of each position in reach."""
        return self.shared * (2 * REACH + 1)

    @property
    def classes(self) -> int:
        """Start of the class observations: those of a token and both neighbours together."""
        return self.letters + LETTERS

    @property
    def claims(self) -> int:
        """Start of the claims, by position from two before to two after."""
        return self.classes + len(CLASSES) ** 3

    @property
    def claimed(self) -> int:
        """Start of the pairs of a claim and a class."""
        return self.claims + 5 * CLAIMS

    @property
    def before(self) -> int:
        """Start of the pairs of a class and the common word before it."""
        return self.claimed + CLAIMS * len(CLASSES)

    @property
    def after(self) -> int:
        """Start of the pairs of a class and the common word after it."""
        return self.before + (self.words + 1) * len(CLASSES)

    @property
    def formats(self) -> int:
        """Start of the pairs of a class and the document's format."""
        return self.after + (self.words + 1) * len(CLASSES)

    @property
    def always(self) -> int:
        """The observation that every token has."""
        return self.formats + len(FORMATS) * len(CLASSES)

    @property
    def size(self) -> int:
        """The number of observations."""
        return self.always + 1


class Weights:
    """A weight for each observation and label, by casing of the text."""

    def __init__(
        self, features: tuple[str, ...], words: tuple[str, ...], by_casing: dict[str, Floats]
    ) -> None:
        self.features, self.words = features, words
        self.layout = Layout(len(features), len(words))
        self._by_casing = by_casing

    def of(self, casing: str) -> Floats:
        """The weights for texts of a casing: one row per observation, one column per label."""
        return self._by_casing[casing]

    def save(self, path: Path) -> None:
        """Write to a file, without rows of negligible weight."""
        stored: dict[str, Any] = {
            "features": np.array(self.features),
            "words": np.array(self.words),
        }
        for casing, weights in self._by_casing.items():
            rows = np.flatnonzero(np.abs(weights).max(axis=1) > _NEGLIGIBLE)
            stored[casing + "_rows"] = rows.astype(np.int32)
            stored[casing] = weights[rows].astype(np.float16)
        np.savez_compressed(path, **stored)

    @classmethod
    def read(cls, path: Traversable) -> Weights:
        """Read what ``save`` wrote."""
        stored = np.load(BytesIO(path.read_bytes()), allow_pickle=False)
        features, words = (tuple(stored[part].tolist()) for part in ("features", "words"))
        size = Layout(len(features), len(words)).size
        return cls(features, words, _Stored(stored, size))


@safe_repr
class _Stored(dict[str, Floats]):
    """Weights by casing, unpacked on first use."""

    def __init__(self, stored: Any, size: int) -> None:
        super().__init__()
        self._stored, self._size = stored, size

    def __missing__(self, casing: str) -> Floats:
        weights = np.zeros((self._size, len(LABELS)), dtype=np.float32)
        weights[self._stored[casing + "_rows"]] = self._stored[casing]
        self[casing] = weights
        return weights
