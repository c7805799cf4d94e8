"""A language: its lexicon and templates, read from its folder when first used.

A folder ``languages/<code>`` has ``words/<feature>.txt`` (words of a feature, one or more a line,
phrases in quotes or one a line; ``#`` starts a comment), ``lists/<name>.txt`` for single detectors,
template files ``<file>.txt`` and, for knowledge from packages, ``knowledge.py`` with ``lists()``
and ``ordinary(word)``.

Cost: under half a second for English, once per process.
"""

from __future__ import annotations

import gc
import gzip
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, lru_cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.errors import MissingExtraError, ParameterError
from discreet.scrubbing.tagger.tagger import Tagger
from discreet.scrubbing.tagger.weights import Weights
from discreet.scrubbing.templates.dispatch import OnePass, TemplateSet
from discreet.scrubbing.templates.lexicon import Lexicon
from discreet.scrubbing.templates.template import (
    Template,
    is_on_board,
    read_templates,
    set_likelihoods,
)

if TYPE_CHECKING:
    from discreet.scrubbing.tagger.tagger import Tagger


# Word lists, in the form used in the language folders.


def read_words(text: str) -> Iterator[str]:
    """Words of a list: separated by spaces, or by commas where an entry has several words.

    Examples
    --------
    >>> list(read_words("Mr Mrs  # titles\\nnew york, Los Angeles"))
    ['mr', 'mrs', 'new york', 'los angeles']
    """
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip().lower()
        for word in line.split(",") if "," in line else line.split():
            if word.strip():
                yield " ".join(word.split())


class Language:
    """Words and templates of one language; template files are compiled when first asked for.

    ``likelihoods`` overrides those of templates by ``section/name``, as found by training.
    """

    def __init__(
        self,
        code: str,
        lexicon: Lexicon,
        folder: Traversable,
        likelihoods: Mapping[str, float] | None = None,
    ) -> None:
        self.code, self.lexicon = code, lexicon
        self._folder = folder
        self._likelihoods = dict(likelihoods or {})
        self._sets: dict[tuple[str, bool], TemplateSet] = {}
        self._extras: dict[str, frozenset[str]] = {}
        self._templates: dict[str, list[Template]] = {}
        self._passes: dict[bool, OnePass] = {}

    def templates(self, file: str, on_board: bool = False) -> TemplateSet:
        """The templates of one file that read the blackboard, or those that do not.

        A language without such a file has no such templates.
        """
        key = file, on_board
        if key not in self._sets:
            wanted = [t for t in self._read(file) if is_on_board(t) == on_board]
            self._sets[key] = TemplateSet(wanted, self.lexicon)
        return self._sets[key]

    def extra(self, name: str) -> frozenset[str]:
        """A list of the language that is not part of its lexicon; empty if it has none."""
        if name not in self._extras:
            path = self._folder / "lists" / f"{name}.txt"
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            self._extras[name] = frozenset(read_words(text))
        return self._extras[name]

    @cached_property
    def tagger(self) -> Tagger | None:
        """The tagger, which recognizes names by context, if the language has weights for it."""
        path = self._folder / "tagger.npz"
        return Tagger(Weights.read(path), self.lexicon) if path.is_file() else None

    def one_pass(self, on_board: bool) -> OnePass:
        """All templates that read the blackboard, or all that do not."""
        if on_board not in self._passes:
            names = sorted(p.name for p in self._folder.iterdir() if p.name.endswith(".txt"))
            with pause_garbage_collection():
                files = {name: self.templates(name, on_board).templates for name in names}
                self._passes[on_board] = OnePass(files, self.lexicon)
        return self._passes[on_board]

    def _read(self, file: str) -> list[Template]:
        if file not in self._templates:
            path = self._folder / file
            lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
            read = set_likelihoods(read_templates(lines, file), self._likelihoods)
            self._templates[file] = read
        return self._templates[file]

    def with_likelihoods(self, likelihoods: Mapping[str, float]) -> Language:
        """The same language with other likelihoods."""
        return Language(self.code, self.lexicon, self._folder, likelihoods)


@lru_cache(maxsize=4)
def load_language(code: str) -> Language:
    """Read a language's folder."""
    folder = files("discreet.scrubbing.languages") / code
    if not folder.is_dir() or not (folder / "words").is_dir():
        raise ParameterError("scrub", "language", f"one of {', '.join(list_languages())}")
    lists: dict[str, list[str]] = {}
    with pause_garbage_collection():
        for path in sorted((folder / "words").iterdir(), key=lambda p: p.name):
            if path.name.endswith(".txt"):
                feature = path.name.removesuffix(".txt")
                lists[feature] = list(read_words(path.read_text(encoding="utf-8")))
        ordinary = _add_package_knowledge(code, lists)
        return Language(code, Lexicon(lists, ordinary), folder)


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Pause garbage collection while many objects are made and none of them is in a cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def list_languages() -> list[str]:
    """The codes of the supported languages."""
    root = files("discreet.scrubbing.languages")
    return sorted(p.name for p in root.iterdir() if (p / "words").is_dir())


def _add_package_knowledge(code: str, lists: dict[str, list[str]]) -> Callable[[str], bool] | None:
    """Add what packages know of the language; returns its test for ordinary words."""
    name = f"discreet.scrubbing.languages.{code}.knowledge"
    if find_spec(name) is None:
        return None
    module = import_module(name)
    for feature, words in module.lists().items():
        lists.setdefault(feature, []).extend(words)
    ordinary: Callable[[str], bool] = module.ordinary
    return ordinary


# Word frequencies of a language, from the lists of ``wordfreq``.


def read_zipf(language: str, least: float = 0.0) -> dict[str, float]:
    """The words with their Zipf values: log10 of the count per billion words.

    Words below ``least`` are left out. A data file is read; the package is not imported.

    Examples
    --------
    >>> read_zipf("de", least=7.0)["und"] > 7
    True
    """
    spec = find_spec("wordfreq")
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError("Scrubbing text", "text")
    import msgpack

    path = Path(spec.submodule_search_locations[0], "data", f"small_{language}.msgpack.gz")
    with gzip.open(path) as file:
        by_centibel = msgpack.load(file)[1:]
    last = round(100 * (9 - least)) + 1
    return {word: 9 - c / 100 for c, words in enumerate(by_centibel[:last]) for word in words}
