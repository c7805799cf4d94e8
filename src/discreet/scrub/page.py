"""A document as detectors see it: text, tokens, classes, format, blackboard, what was found."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from discreet.scrub.alphabet import LOWER, NORMAL, UPPER
from discreet.scrub.blackboard import Blackboard
from discreet.scrub.expression import View
from discreet.scrub.finding import SINGLE, Finding
from discreet.scrub.languages.load import Language
from discreet.scrub.lexicon import Lexicon
from discreet.scrub.template import Template
from discreet.scrub.template_set import TemplateSet
from discreet.scrub.tokens import ends, tokenize


class Page:
    """One document, read once and looked at by every detector, twice.

    ``turn`` is 1 while detectors look for the first time and 2 when the blackboard holds what
    they found; ``found`` are the winners of the first turn.
    """

    def __init__(self, text: str, language: Language, board: Blackboard) -> None:
        self.text, self.language, self.board = text, language, board
        self.turn = 1
        self.found: list[Finding] = []
        self.tokens = tokenize(text)
        self._views: dict[tuple[str, int], View] = {}
        self._matches: dict[tuple[str, int], dict[str, list[tuple[Template, int, int]]]] = {}

    @property
    def lexicon(self) -> Lexicon:
        """The words of the language."""
        return self.language.lexicon

    @cached_property
    def vocabulary(self) -> set[str]:
        """The different tokens."""
        return set(self.tokens)

    @cached_property
    def _ends(self) -> list[int]:
        return ends(self.tokens)

    @cached_property
    def posted(self) -> dict[str, int]:
        """Tokens on the blackboard and the bits this gives them; asked for in turn 2 only."""
        return self.board.overlay(self.vocabulary, self.lexicon)

    @cached_property
    def casing(self) -> str:
        """Whether the text has capitals and small letters, or only one of them."""
        sample = self.text[:3_000]
        upper = sum(map(str.isupper, sample))
        lower = sum(map(str.islower, sample))
        if upper + lower >= 20 and upper > 9 * lower:
            return UPPER
        return LOWER if lower > 200 * max(upper, 1) or (lower >= 8 and not upper) else NORMAL

    @cached_property
    def format(self) -> str:
        """How the document is laid out: ``letter``, ``delimited``, ``notes`` or ``text``."""
        lines = [line for line in self.text[:20_000].splitlines() if line.strip()]
        if any(line.lstrip().lower().startswith("dear ") for line in lines):
            return "letter"
        if len(lines) > 2 and sum(map(_is_delimited, lines)) > 0.8 * len(lines):
            return "delimited"
        short = sum(len(line) < 60 for line in lines)
        return "notes" if len(lines) > 3 and short > 0.6 * len(lines) else "text"

    def start(self, token: int) -> int:
        """Where a token starts in the text."""
        return self._ends[token - 1] if token else 0

    def end(self, token: int) -> int:
        """Where a token ends in the text, without the space after it."""
        return self.start(token) + len(self.tokens[token].rstrip(" \xa0"))

    def token_at(self, place: int) -> int:
        """The token that a character of the text belongs to."""
        return bisect_right(self._ends, place)

    def templates(self, file: str) -> TemplateSet:
        """The templates of a file that run in this turn."""
        return self.language.templates(file, self.turn == 2)

    def classes(self, file: str) -> tuple[str, int]:
        """The classes of the tokens for the templates of a file that run in this turn.

        With them, the atoms that some token fits.
        """
        view = self._view(file)
        return view.classes, view.present

    def _view(self, file: str) -> View:
        key = file, self.turn
        view = self._views.get(key)
        if view is None:
            posted = self.posted if self.turn == 2 else {}
            alphabet = self.templates(file).alphabet
            classes = alphabet.classes(self.tokens, posted, self.casing)
            view = self._views[key] = View(alphabet, classes)
        return view

    def match(self, file: str, section: str) -> list[tuple[Template, int, int]]:
        """Where templates of a section fit: the template, first token, token after the last.

        Templates that look at the blackboard run in turn 2, the others in turn 1.
        """
        key = file, self.turn
        matches = self._matches.get(key)
        if matches is None:
            matches = {}
            templates = self.templates(file)
            if templates.templates and (self.turn == 1 or self.posted):
                matches = templates.by_section(self._view(file))
            self._matches[key] = matches
        return matches.get(section, [])

    def finding(
        self, template: Template, first: int, after: int, precedence: int = SINGLE
    ) -> Finding:
        """A finding that covers tokens ``first`` to before ``after``."""
        return Finding(
            self.start(first),
            self.end(after - 1),
            template.kind,
            template.likelihood,
            template.section,
            template.name,
            precedence,
        )


def _is_delimited(line: str) -> bool:
    return max(line.count(mark) for mark in "|\t;,") >= 3
