"""What replacement knows of a language: its file ``data/<code>.toml`` and the scrubber's lists.

Cost: some milliseconds for the file; the scrubber's lists (a third of a second in English) are read
when the first name is made up.
"""

from __future__ import annotations

import re
import tomllib
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any

from discreet.errors import ParameterError
from discreet.scrub.languages.load import languages, load_language
from discreet.scrub.languages.words import read_words
from discreet.scrub.lexicon import Lexicon
from discreet.scrub.replace.case import folded
from discreet.scrub.replace.sounds import Sounds

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
        """A setting of the language's file that is true or absent."""
        return bool(self._data.get(name, False))

    def order(self, name: str) -> list[str]:
        """A list of the language's file, in its order."""
        return str(self._data.get(name, "")).split()

    @lru_cache(maxsize=64)  # noqa: B019 - there are as many as languages
    def set(self, *names: str) -> frozenset[str]:
        """Lists as one set, with the scrubber's lists of the same words."""
        words = {word for name in names for word in self.order(name)}
        folder = files("discreet.scrub.languages") / self.code / "words"
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
        return load_language(self.code).lexicon if self.code in languages() else None

    @cached_property
    def listed(self) -> frozenset[str]:
        """All names of the language's file."""
        parts = ("female", "male", "neutral", "last")
        return frozenset(folded(word) for part in parts for word in self.order(part))

    def is_real(self, word: str) -> bool:
        """Whether a word is somebody's name, a place or an ordinary word, as far as lists tell."""
        if folded(word) in self.listed:
            return True
        return self.lexicon is not None and bool(
            self.lexicon.known(word) & ~self.lexicon.bits["unknown"]
        )

    @lru_cache(maxsize=1 << 16)  # noqa: B019 - there are as many as languages
    def flavour(self, word: str) -> str:
        """How the replacement of a name sounds: ``female``, ``male``, ``neutral`` or ``last``."""
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
        return {part: frozenset(map(folded, self.order(part))) for part in parts}

    @cached_property
    def _lasts(self) -> frozenset[str]:
        return frozenset(map(folded, self.order("last")))

    @lru_cache(maxsize=8)  # noqa: B019 - there are as many as languages
    def sounds(self, flavour: str) -> Sounds:
        """The sounds of names of one flavour."""
        parts = ("female", "male") if flavour == "neutral" else (flavour,)
        names = (word for part in parts for word in self.order(part))
        return Sounds(word for word in names if len(word) > _SHORT and word[:2] != "mc")


@lru_cache(maxsize=8)
def load_words(code: str) -> Words:
    """Read a language's file."""
    folder = files("discreet.scrub.replace") / "data"
    known = sorted(p.name[:2] for p in folder.iterdir() if re.fullmatch(r"[a-z]{2}\.toml", p.name))
    if code not in known:
        raise ParameterError("replacer", "language", f"one of {', '.join(known)}")
    return Words(code, tomllib.loads((folder / f"{code}.toml").read_text(encoding="utf-8")))
