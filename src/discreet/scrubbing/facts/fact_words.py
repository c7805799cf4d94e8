"""Words by which facts are recognized, from the folder of a language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.errors import ParameterError
from discreet.scrubbing.languages.load import read_words

# Phrases in a text, each with the name of the fact it states.


WORD = re.compile(r"[^\W\d_]{2,}")
LETTERS = 2
"""Letters of the first word by which a phrase is looked up."""


@safe_repr
class Mention(NamedTuple):
    """Characters ``start`` to ``end`` state the fact ``name``."""

    start: int
    end: int
    name: str


class Phrases:
    """Finds phrases, in any case; a star matches any ending of a word.

    Of phrases that begin at one place the longest is taken, and those inside it are dropped.

    Notes
    -----
    Cost: one look-up for each word of the text, by its first letters.

    Examples
    --------
    >>> phrases = Phrases([("fire setting", "set fire"), ("transplant", "transplant*")])
    >>> [found.name for found in phrases.find("He set\\nfire to it before his transplantation.")]
    ['fire setting', 'transplant']
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        ways: dict[str, dict[str, str]] = {}
        for name, phrase in pairs:
            phrase = phrase.lower()
            ways.setdefault(phrase[:LETTERS], {})[phrase] = name
        self._starts = {letters: _compile_phrases(phrases) for letters, phrases in ways.items()}

    def find(self, text: str) -> Iterator[Mention]:
        """The phrases in a text, in its order."""
        lower = text.lower()
        if len(lower) != len(text):  # the lower case of a few letters has two characters
            lower = "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
        done = 0
        for word in WORD.finditer(lower):
            start = word.start()
            known = self._starts.get(lower[start : start + LETTERS])
            if known is None or start < done:
                continue
            pattern, names = known
            match = pattern.match(lower, start)
            if match is not None and match.lastindex is not None:
                done = match.end()
                yield Mention(start, done, names[match.lastindex - 1])


def _compile_phrases(phrases: dict[str, str]) -> tuple[re.Pattern[str], list[str]]:
    """One expression for phrases with the same beginning: a group for each, the longest first."""
    order = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    either = "|".join(f"({_write_pattern(phrase)})" for phrase in order)
    return re.compile(rf"(?:{either})(?!\w)"), [phrases[phrase] for phrase in order]


def _write_pattern(phrase: str) -> str:
    words = (re.escape(word).replace(r"\*", r"\w*") for word in re.split(r"[ -]+", phrase))
    return r"(?:\s+|\s?-\s?)".join(words).replace("'", "['’]")


@dataclass(frozen=True)
class FactWords:
    """Phrases for events, family facts and occupations; ``lists`` maps list names to words."""

    events: Phrases
    family: Phrases
    occupations: Phrases
    lists: dict[str, tuple[str, ...]]
    _made: dict[str, re.Pattern[str]] = field(default_factory=dict, repr=False)

    def expression(self, template: str) -> re.Pattern[str]:
        """A case-insensitive regular expression; ``<list>`` stands for the words of a list."""
        if template not in self._made:
            filled = re.sub(r"<(\w+)>", lambda match: self._join_alternatives(match[1]), template)
            self._made[template] = re.compile(filled, re.IGNORECASE)
        return self._made[template]

    def _join_alternatives(self, name: str) -> str:
        return "|".join(sorted(map(re.escape, self.lists[name]), key=len, reverse=True))


@lru_cache(maxsize=4)
def load_fact_words(language: str) -> FactWords:
    """Read a language's folder."""
    root = files("discreet.scrubbing.facts")
    folder = root / language
    if not (folder / "events.txt").is_file():
        known = sorted(p.name for p in root.iterdir() if (p / "events.txt").is_file())
        raise ParameterError("facts", "language", f"one of {', '.join(known)}")
    jobs = read_words((folder / "occupations.txt").read_text(encoding="utf-8"))
    return FactWords(
        Phrases(_read_synonyms(folder / "events.txt")),
        Phrases(_read_synonyms(folder / "family.txt")),
        Phrases((job.replace("-", " "), job) for job in jobs),
        _read_lists(folder / "words.txt"),
    )


def _read_synonyms(path: Traversable) -> Iterator[tuple[str, str]]:
    """Pairs of a fact and one way of writing it."""
    for raw in path.read_text(encoding="utf-8").splitlines():
        name, colon, ways = raw.partition("#")[0].partition(":")
        if colon:
            yield from ((name.strip(), way.strip()) for way in ways.split(",") if way.strip())


def _read_lists(path: Traversable) -> dict[str, tuple[str, ...]]:
    parts = re.split(r"^\[(\w+)\]$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    return {name: tuple(read_words(words)) for name, words in pairs}
