"""A language: its lexicon and templates, read from its folder when first used.

A folder ``languages/<code>`` has ``words/<feature>.txt`` (words of a feature, one or more a line,
phrases in quotes or one a line; ``#`` starts a comment), ``lists/<name>.txt`` that only some
detectors ask for, template files ``<file>.txt`` and, if
packages know more, ``knowledge.py`` with ``lists()`` and ``ordinary(word)``.

Cost: under half a second for English, once a process.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, lru_cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from discreet.errors import ParameterError
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


# Word lists, as the folders of languages have them.


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

    ``likelihoods`` changes templates by ``section/name``, as training found them.
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
        """The templates of one file that look at the blackboard, or those that do not.

        A language that has no such file has no such templates.
        """
        key = file, on_board
        if key not in self._sets:
            wanted = [t for t in self._read(file) if is_on_board(t) == on_board]
            self._sets[key] = TemplateSet(wanted, self.lexicon)
        return self._sets[key]

    def extra(self, name: str) -> frozenset[str]:
        """A list of the language that is no part of its lexicon; empty if it has none."""
        if name not in self._extras:
            path = self._folder / "lists" / f"{name}.txt"
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            self._extras[name] = frozenset(read_words(text))
        return self._extras[name]

    @cached_property
    def tagger(self) -> Tagger | None:
        """What tells names by how they stand, if the language has weights for it."""
        path = self._folder / "tagger.npz"
        return Tagger(Weights.read(path), self.lexicon) if path.is_file() else None

    def one_pass(self, on_board: bool) -> OnePass:
        """All templates that look at the blackboard, or all that do not."""
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
    """No search for garbage, of which there is none while much is made that stays."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def list_languages() -> list[str]:
    """The languages there are."""
    root = files("discreet.scrubbing.languages")
    return sorted(p.name for p in root.iterdir() if (p / "words").is_dir())


def _add_package_knowledge(code: str, lists: dict[str, list[str]]) -> Callable[[str], bool] | None:
    """Add what packages know of the language; gives its test for ordinary words."""
    name = f"discreet.scrubbing.languages.{code}.knowledge"
    if find_spec(name) is None:
        return None
    module = import_module(name)
    for feature, words in module.lists().items():
        lists.setdefault(feature, []).extend(words)
    ordinary: Callable[[str], bool] = module.ordinary
    return ordinary
