"""Words by which facts are known, from the folder of a language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.scrub.facts.phrases import Phrases
from discreet.scrub.languages.words import read_words


@dataclass(frozen=True)
class FactWords:
    """Phrases for events, family facts and occupations; ``lists`` has plain words by list."""

    events: Phrases
    family: Phrases
    occupations: Phrases
    lists: dict[str, tuple[str, ...]]
    _made: dict[str, re.Pattern[str]] = field(default_factory=dict, repr=False)

    def expression(self, template: str) -> re.Pattern[str]:
        """A regular expression, in any case; ``<list>`` stands for the words of a list."""
        if template not in self._made:
            filled = re.sub(r"<(\w+)>", lambda match: self._either(match[1]), template)
            self._made[template] = re.compile(filled, re.IGNORECASE)
        return self._made[template]

    def _either(self, name: str) -> str:
        return "|".join(sorted(map(re.escape, self.lists[name]), key=len, reverse=True))


@lru_cache(maxsize=4)
def load_fact_words(language: str) -> FactWords:
    """Read a language's folder."""
    root = files("discreet.scrub.facts")
    folder = root / language
    if not (folder / "events.txt").is_file():
        known = sorted(p.name for p in root.iterdir() if (p / "events.txt").is_file())
        raise ParameterError("facts", "language", f"one of {', '.join(known)}")
    jobs = read_words((folder / "occupations.txt").read_text(encoding="utf-8"))
    return FactWords(
        Phrases(_named(folder / "events.txt")),
        Phrases(_named(folder / "family.txt")),
        Phrases((job.replace("-", " "), job) for job in jobs),
        _lists(folder / "words.txt"),
    )


def _named(path: Traversable) -> Iterator[tuple[str, str]]:
    """Pairs of a fact and one way to write it."""
    for raw in path.read_text(encoding="utf-8").splitlines():
        name, colon, ways = raw.partition("#")[0].partition(":")
        if colon:
            yield from ((name.strip(), way.strip()) for way in ways.split(",") if way.strip())


def _lists(path: Traversable) -> dict[str, tuple[str, ...]]:
    parts = re.split(r"^\[(\w+)\]$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    return {name: tuple(read_words(words)) for name, words in pairs}
