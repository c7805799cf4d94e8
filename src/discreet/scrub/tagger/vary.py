"""The same text about other people: marked names, places and numbers changed for others.

So that the tagger learns how names stand in a text, and not which names there were: of the words in
a mark some stay, others become a name of a list, a made-up word, or an ordinary one.
"""

from __future__ import annotations

import random
import re

from discreet.scrub.lexicon import Lexicon
from discreet.scrub.tagger.marked_text import Mark, MarkedText

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
"""Where new words come from, by kind, with their shares."""

_FIXED = (
    *("title", "suffix", "particle", "function_word", "org_word", "institution", "company_word"),
    *("legal_form", "school_kind", "street_type", "direction", "place_word", "unit_word"),
)
"""Words of these lists say what sort of thing it is, and stay."""


class Vary:
    """Makes other texts of marked ones.

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
        """Another text, with its marks."""
        memory: dict[str, str] = {}
        parts: list[str] = []
        marks, length, last = [], 0, 0
        for mark in marked.marks:
            before = marked.text[last : mark.start]
            new = self._changed(marked.text[mark.start : mark.end], mark.kind, memory)
            start = length + len(before)
            length = start + len(new)
            parts += [before, new]
            marks.append(Mark(start, length, mark.kind, mark.optional))
            last = mark.end
        return MarkedText("".join(parts) + marked.text[last:], tuple(marks))

    def _changed(self, characters: str, kind: str, memory: dict[str, str]) -> str:
        if kind not in _SOURCES:
            return _DIGIT.sub(lambda _: str(self._random.randrange(10)), characters)
        return _WORD.sub(lambda found: self._word(found[0], kind, memory), characters)

    def _word(self, old: str, kind: str, memory: dict[str, str]) -> str:
        key = old.lower()
        if key not in memory:
            memory[key] = key if self._random.random() < _KEPT_SHARE else self._new(key, kind)
        return _cased(memory[key], old)

    def _new(self, old: str, kind: str) -> str:
        known = self._lexicon.known(old)
        is_ordinary = known & self._lexicon.bits["ordinary"]
        stays = kind != "NAME" and is_ordinary and self._random.random() < 0.6
        if stays or known & self._fixed:
            return old
        shares = _SOURCES[kind]
        source = self._random.choices(list(shares), list(shares.values()))[0]
        if source == "made":
            return self._made()
        pool = self._pools.get(source)
        return self._random.choice(pool) if pool else old

    def _made(self) -> str:
        """A word that starts like one name and ends like another."""
        pools = self._pools
        start = self._random.choice(pools["first" if self._random.random() < 0.3 else "last"])
        end = self._random.choice(pools["last" if self._random.random() < 0.6 else "city"])
        left = self._random.randint(2, max(2, len(start) - 2))
        right = self._random.randint(2, max(2, len(end) - 2))
        return (start[:left] + end[-right:])[:12]


def _cased(new: str, old: str) -> str:
    if old.isupper():
        return new.upper()
    return new if old.islower() else new[:1].upper() + new[1:]
