"""Common knowledge of words: which are first names, cities, months, ordinary words.

Notes
-----
[Sweeney2001]_, sec. 9.2 and 9.3: "the itemization and use of commonsense knowledge is the backbone
of Scrub"; lists are compiled beforehand and looked up in constant time.

Departures: one dictionary from word to bits replaces hashed Boolean look-up tables, which saved
memory that is cheap today and were occasionally wrong.

Cost: one look-up for each distinct token of a run; the templates cache the answers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches

from discreet.display import safe_repr
from discreet.errors import ScrubError

# What a token shows without any word list: its case, digits, mark or line end.
#
# A token's features are bits of one integer. The first bits are shapes, listed here; the others are
# knowledge, one bit for each word list of the language (see ``lexicon.py``).
#
# Notes
# -----
# [Sweeney2001]_, sec. 9.2, fig. 110: "the writing conventions and immediate context help identify
# the kind of information presented".
#
# Departures: the thesis gives no list of conventions; these are ours.
#
# Cost: each distinct token is checked once.


SHAPES = (
    "word",  # letters only, marks and inner apostrophes allowed
    "lower",
    "capitalized",  # a capital first and a small letter after it: Graves, O'Brien, McLean
    "camel",  # capitalized, with a capital inside: McLean, LeBron
    "upper",  # two or more letters, all capitals
    "initial",  # one capital letter
    "mixed",  # a capital inside a word that starts with a small letter: iPhone
    "alnum",  # letters and digits, or words joined by _: A12, 5mg, john_smith
    "ordinal",  # 1st, 22nd
    "digits",
    "d1",
    "d2",
    "d3",
    "d4",
    "d5",
    "d6",
    "d7",
    "d8",
    "d9",
    "d10",
    "long",  # more than ten digits
    "mark",  # any single mark
    "stop",  # . ! ? and line ends, after which a sentence may start
    "newline",
    "blank",  # a line end followed by an empty line
    "gap",  # a tab or three or more spaces
    "spaced",  # a space follows
    "possessive",  # 's
    "short",  # a word of at most three letters
    "accented",  # a letter outside a-z
    "apostrophe",  # a word with an inner apostrophe
    "small",  # in a text without capitals: a word that could be a name
)
SHAPE_BIT = {name: 1 << place for place, name in enumerate(SHAPES)}

_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
_B = SHAPE_BIT


def find_shape_bits(token: str) -> int:
    """The shape bits of a token (with its trailing space, if it has one)."""
    text = token.rstrip(" \xa0")
    spaced = _B["spaced"] if len(text) < len(token) else 0
    if text.isalpha():
        return _find_word_shape(text) | spaced
    if not text or text.isspace():
        return _find_space_shape(token)
    if text[0] in "'’" and len(text) == 2 and text[1] in "sS":
        return _B["possessive"] | spaced
    if not any(map(str.isalnum, text)):
        return _B["mark"] | (_B["stop"] if text in ".!?" else 0) | spaced
    if text.isdecimal():
        return _B["digits"] | _B[f"d{len(text)}" if len(text) <= 10 else "long"] | spaced
    if "_" in text or any(map(str.isdigit, text)):
        return _B["alnum"] | (_B["ordinal"] if _ORDINAL.fullmatch(text) else 0) | spaced
    return _find_word_shape(text) | spaced


def _find_space_shape(token: str) -> int:
    lines = token.count("\n")
    if not lines:
        return _B["gap"]
    return _B["newline"] | _B["stop"] | (_B["blank"] if lines > 1 else 0)


def _find_word_shape(text: str) -> int:
    bits = _B["word"] | (_B["short"] if len(text) <= 3 else 0)
    bits |= 0 if text.isascii() else _B["accented"]
    bits |= _B["apostrophe"] if "'" in text or "’" in text else 0
    if text[0].isupper():
        if len(text) == 1:
            return bits | _B["initial"]
        if text.isupper():
            return bits | _B["upper"]
        plain = text[1:] == text[1:].lower()
        return bits | _B["capitalized"] | (0 if plain else _B["camel"])
    if text != text.lower():
        return bits | _B["mixed"]
    return bits | _B["lower"]


POSTED = ("posted_name", "posted_like", "posted_org", "posted_place")
"""Features of words on the blackboard; ``posted_like`` is a misspelt posted name."""

_KEPT = 300_000
"""Most tokens whose features are cached, however long the stream."""


class Lexicon:
    """Word lists as bits: the feature mask of any token.

    ``lists`` maps a feature to its words (lower case). An entry of several words is a phrase: it
    goes to ``phrases[feature]``, its first word gets the feature ``<feature>_start`` and the others
    ``<feature>_part``. ``ordinary`` decides whether a word that is in no list is a form of an
    ordinary word.

    Examples
    --------
    >>> lexicon = Lexicon({"first": ["mary"], "city": ["boston", "new york"]})
    >>> lexicon.has("Mary", "first"), lexicon.has("Mary", "city"), lexicon.has("New", "city_start")
    (True, False, True)
    """

    def __init__(
        self,
        lists: Mapping[str, Iterable[str]],
        ordinary: Callable[[str], bool] | None = None,
    ) -> None:
        self.phrases: dict[str, set[str]] = {}
        self.bits = dict(SHAPE_BIT)
        for feature in (*POSTED, "ordinary", "unknown"):
            self._add_bit(feature)
        self._words: dict[str, int] = {}
        self._masks: dict[str, int] = {}
        self._phrases: dict[tuple[str, ...], frozenset[str]] = {}
        self._unions: dict[tuple[str, ...], int] = {}
        self.plains = _Plains()
        self._ordinary = ordinary
        for feature, words in lists.items():
            self._learn(feature, words)

    def _add_bit(self, feature: str) -> int:
        return self.bits.setdefault(feature, 1 << len(self.bits))

    def _learn(self, feature: str, words: Iterable[str]) -> None:
        bit, known = self._add_bit(feature), self._words
        phrases = []
        for word in words:
            if " " in word:
                phrases.append(word)
            else:
                known[word] = known.get(word, 0) | bit
        if phrases:
            self.phrases.setdefault(feature, set()).update(phrases)
            start, part = self._add_bit(feature + "_start"), self._add_bit(feature + "_part")
            for phrase in phrases:
                first, *rest = phrase.split()
                known[first] = known.get(first, 0) | start
                for word in rest:
                    known[word] = known.get(word, 0) | part

    def bit(self, feature: str) -> int:
        """The bit of a feature; an unknown feature is an error in a template."""
        if feature not in self.bits:
            close = get_close_matches(feature, self.bits, 1)
            raise make_template_error(feature, f"did you mean '{close[0]}'?" if close else "")
        return self.bits[feature]

    def union(self, *features: str) -> int:
        """The bits of several features, ignoring those that the language does not have."""
        bits = self._unions.get(features)
        if bits is None:
            bits = 0
            for feature in features:
                bits |= self.bits.get(feature, 0)
            self._unions[features] = bits
        return bits

    def any_phrase(self, *features: str) -> frozenset[str]:
        """The entries of several words of some lists."""
        phrases = self._phrases.get(features)
        if phrases is None:
            known = (self.phrases.get(feature, set[str]()) for feature in features)
            phrases = self._phrases[features] = frozenset[str]().union(*known)
        return phrases

    def words(self, bits: int) -> list[str]:
        """The words of the lists with any of these bits, letters only."""
        return [word for word, known in self._words.items() if known & bits and word.isalpha()]

    def has(self, word: str, feature: str) -> bool:
        """Whether a token has a feature; False for features that the language does not have."""
        return bool(self.mask(word) & self.union(feature))

    def mask(self, token: str) -> int:
        """All features of a token, shapes and knowledge."""
        known = self._masks.get(token)
        if known is None:
            known = self._mask(token)
            if len(self._masks) < _KEPT:
                self._masks[token] = known
        return known

    def _mask(self, token: str) -> int:
        shapes = find_shape_bits(token)
        if not shapes & self.bits["word"]:
            known = self._words.get(token.strip().lower(), 0)
            return shapes | known
        return shapes | self.known(fold_token(token))

    def known(self, word: str) -> int:
        """The lists that a word in lower case is in."""
        known = self._words.get(word, 0)
        if not word.isascii() or "'" in word:
            known |= self._words.get(strip_accents(word).replace("'", ""), 0)
        ordinary = self.bits["ordinary"]
        if not known & ordinary and self._ordinary is not None and self._ordinary(word):
            known |= ordinary
        return known or self.bits["unknown"]


@safe_repr
class _Plains(dict[str, str]):
    """Folded words by token, cached for the next document."""

    def __missing__(self, token: str) -> str:
        word = fold_token(token)
        if len(self) < _KEPT:
            self[token] = word
        return word


def fold_token(token: str) -> str:
    """A token in the form of the lists: no space, small letters, straight apostrophe."""
    return token.strip().lower().replace("’", "'")


def strip_accents(word: str) -> str:
    """A word without its accents.

    Examples
    --------
    >>> strip_accents("josé")
    'jose'
    """
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


def make_template_error(what: str, fix: str = "", where: str = "template") -> ScrubError:
    """The error for a template, or a word list it names, that cannot be understood."""
    return ScrubError(where, f"'{what}' is not understood", fix)
