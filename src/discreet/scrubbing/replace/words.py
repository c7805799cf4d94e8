"""What replacers know of a language: its file ``data/<code>.toml`` and the scrubber's lists.

Cost: some milliseconds for the file; the scrubber's lists (a third of a second in English) are read
when the first name is made up.
"""

from __future__ import annotations

import re
import struct
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any

from discreet.display import safe_repr
from discreet.errors import ParameterError
from discreet.scrubbing.languages.load import list_languages, load_language, read_words
from discreet.scrubbing.templates.lexicon import Lexicon

# Made-up words that sound like names: letters follow each other as in real names.
#
# Notes
# -----
# [Sweeney2001]_, sec. 9.3.1: orthographic rules (Sprees) "replace personally identifying
# information with fictitious names that sound like reasonable names but in fact belong to no known
# person".
#
# Departures: the rules of Sprees are not published. Here each letter is drawn given the three
# before it, as often as it follows them in a list of names; given two where three leave little
# choice, since that would copy names.
#
# Cost: some milliseconds to learn a list, once; about two microseconds for each word tried.


LONG, WIDE = 3, 3
"""A letter is drawn given this many before it, if at least this many different ones can follow."""
SHORTEST, LONGEST = 5, 9
_STEPS = struct.Struct(f">{LONGEST + 1}H").unpack_from
_HARD = re.compile(r"\$|(.)\1\1|(?!sch)[^aeiouyäöü]{4}|^[^aeiouyäöü]+$")


class Sounds:
    """Which letters follow which in a list of words.

    Examples
    --------
    >>> Sounds(["hanna", "sanna", "banna"]).word(bytes(32))
    'hanna'
    """

    def __init__(self, words: Iterable[str]) -> None:
        follow: dict[str, list[str]] = {}
        for word in words:
            context = "^" * LONG
            for letter in word + "$":
                follow.setdefault(context, []).append(letter)
                follow.setdefault(context[1:], []).append(letter)
                context = context[1:] + letter
        self._early, self._late = _Follow(follow, ends=False), _Follow(follow, ends=True)
        self.starts = "".join(sorted(set(follow.get("^" * LONG, "a"))))

    def word(self, chances: bytes) -> str | None:
        """The word that 32 bytes choose; None if it is too long or hard to pronounce."""
        steps = _STEPS(chances)
        follow, context, letters = self._early, "^" * LONG, ""
        for chance in steps[:SHORTEST]:
            choice = follow[context]
            letter = choice[chance % len(choice)]
            letters += letter
            context = context[1:] + letter
        follow = self._late
        for chance in steps[SHORTEST:]:
            choice = follow[context]
            letter = choice[chance % len(choice)]
            if letter == "$":
                return None if _HARD.search(letters) else letters
            letters += letter
            context = context[1:] + letter
        return None


@safe_repr
class _Follow(dict[str, str]):
    """The letters that can follow a context, with their frequency; computed on first use."""

    def __init__(self, follow: dict[str, list[str]], ends: bool) -> None:
        super().__init__()
        self._follow, self._ends = follow, ends

    def __missing__(self, context: str) -> str:
        if context[-1] == "$":
            return "$"
        letters = self._follow.get(context, [])
        if len(set(letters)) < WIDE:
            letters = self._follow[context[1:]]
        inner = "" if self._ends else "".join(letters).replace("$", "")
        self[context] = inner or "".join(letters)
        return self[context]


# A new word has the case of the one it replaces: upper, lower, or capitalized.


def copy_case(found: str, new: str) -> str:
    """Give ``new`` (in small letters) the case of ``found``.

    Examples
    --------
    >>> [copy_case(found, "wandel") for found in ("GRAVES", "graves", "Graves", "McLean")]
    ['WANDEL', 'wandel', 'Wandel', 'Wandel']
    """
    if found.islower():
        return new
    if len(found) > 1 and found.isupper():
        return new.upper()
    return new[:1].upper() + new[1:]


def fold_word(word: str) -> str:
    """A word without case and accents, the same for all its spellings.

    Examples
    --------
    >>> fold_word("JOSÉ") == fold_word("Jose")
    True
    """
    word = word.casefold()
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFKD", word)
    return "".join(c for c in parts if not unicodedata.combining(c))


def is_latin(word: str) -> bool:
    """Whether all letters are Latin: made-up names cannot imitate other scripts."""
    return word.isascii() or all(
        unicodedata.name(c, "").startswith("LATIN") for c in word if c.isalpha()
    )


_FEATURES = {
    "titles": "title",
    "suffixes": "suffix",
    "org_words": "org_word",
    "street_types": "street_type",
}
_SHORT = 3


class Words:
    """Word lists of one language by name, and how its names sound."""

    def __init__(self, code: str, data: dict[str, Any]) -> None:
        self.code, self._data = code, data

    def text(self, name: str) -> str:
        """A setting of the language's file."""
        return str(self._data[name])

    def numbers(self, name: str) -> dict[str, int]:
        """Words that stand for numbers."""
        return dict(self._data[name])

    def has(self, name: str) -> bool:
        """Whether a setting of the language's file is true; it may be absent."""
        return bool(self._data.get(name, False))

    def order(self, name: str) -> list[str]:
        """A list of the language's file, in order."""
        return str(self._data.get(name, "")).split()

    @lru_cache(maxsize=64)  # noqa: B019 - there are as many as languages
    def set(self, *names: str) -> frozenset[str]:
        """Lists as one set, with the scrubber's lists of the same words."""
        words = {word for name in names for word in self.order(name)}
        folder = files("discreet.scrubbing.languages") / self.code / "words"
        for feature in (_FEATURES[name] for name in names if name in _FEATURES):
            path = folder / f"{feature}.txt"
            if path.is_file():
                words.update(read_words(path.read_text(encoding="utf-8")))
        return frozenset(words)

    @lru_cache(maxsize=64)  # noqa: B019 - there are as many as languages
    def any_of(self, name: str) -> str:
        """A list as a regular expression, longest word first."""
        longest_first = sorted(self.set(name), key=lambda word: (-len(word), word))
        return "|".join(map(re.escape, longest_first)) or "(?!)"

    @cached_property
    def lexicon(self) -> Lexicon | None:
        """The scrubber's word lists, if it knows the language."""
        return load_language(self.code).lexicon if self.code in list_languages() else None

    @cached_property
    def listed(self) -> frozenset[str]:
        """All names of the language's file."""
        parts = ("female", "male", "neutral", "last")
        return frozenset(fold_word(word) for part in parts for word in self.order(part))

    def is_real(self, word: str) -> bool:
        """Whether a word is a name, a place or an ordinary word, according to the lists."""
        if fold_word(word) in self.listed:
            return True
        return self.lexicon is not None and bool(
            self.lexicon.known(word) & ~self.lexicon.bits["unknown"]
        )

    @lru_cache(maxsize=1 << 16)  # noqa: B019 - there are as many as languages
    def flavour(self, word: str) -> str:
        """The kind of name that replaces a name: ``female``, ``male``, ``neutral`` or ``last``."""
        for part in ("female", "male", "neutral"):
            if word in self._first[part]:
                return part
        if self.lexicon is None or word in self._lasts:
            return "last"
        known = self.lexicon.known(word)
        both = [g for g in ("female", "male") if known & self.lexicon.bits.get(g, 0)]
        if not both or known & self.lexicon.bits.get("frequent_last", 0):
            return "last"
        return both[0] if len(both) == 1 else "neutral"

    @cached_property
    def _first(self) -> dict[str, frozenset[str]]:
        parts = ("female", "male", "neutral")
        return {part: frozenset(map(fold_word, self.order(part))) for part in parts}

    @cached_property
    def _lasts(self) -> frozenset[str]:
        return frozenset(map(fold_word, self.order("last")))

    @lru_cache(maxsize=8)  # noqa: B019 - there are as many as languages
    def sounds(self, flavour: str) -> Sounds:
        """The sounds of names of one flavour."""
        parts = ("female", "male") if flavour == "neutral" else (flavour,)
        names = (word for part in parts for word in self.order(part))
        return Sounds(word for word in names if len(word) > _SHORT and word[:2] != "mc")


@lru_cache(maxsize=8)
def load_words(code: str) -> Words:
    """Read a language's file."""
    folder = files("discreet.scrubbing.replace") / "data"
    known = sorted(p.name[:2] for p in folder.iterdir() if re.fullmatch(r"[a-z]{2}\.toml", p.name))
    if code not in known:
        raise ParameterError("replacer", "language", f"one of {', '.join(known)}")
    return Words(code, tomllib.loads((folder / f"{code}.toml").read_text(encoding="utf-8")))
