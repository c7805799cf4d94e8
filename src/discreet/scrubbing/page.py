"""A document as detectors see it: text, tokens, classes, format, blackboard, what was found."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from discreet.scrubbing.blackboard import Blackboard
from discreet.scrubbing.casing import find_casing
from discreet.scrubbing.finding import SINGLE, Finding
from discreet.scrubbing.page_format import find_page_format
from discreet.scrubbing.templates.dispatch import Fit, Match, OnePass, group_by_section
from discreet.scrubbing.templates.lexicon import Lexicon
from discreet.scrubbing.templates.template import Template
from discreet.scrubbing.templates.tokens import find_token_ends, tokenize

if TYPE_CHECKING:
    from discreet.scrubbing.languages.load import Language


class Page:
    """One document, read once and looked at by every detector, twice.

    ``turn`` is 1 while detectors look for the first time and 2 when the blackboard holds what
    they found; ``found`` are the winners of the first turn. ``long_values`` says up to where each
    detector by cues has found a value that is longer than its window.
    """

    def __init__(self, text: str, language: Language, board: Blackboard) -> None:
        self.text, self.language, self.board = text, language, board
        self.turn = 1
        self.found: list[Finding] = []
        self.long_values: dict[str, int] = {}
        self.tokens = tokenize(text)
        self._by_turn: dict[int, dict[str, list[Match]]] = {}
        self._sections: dict[tuple[str, int], dict[str, list[Fit]]] = {}
        self._has_several: dict[re.Pattern[str], bool] = {}

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
        return find_token_ends(self.tokens)

    @cached_property
    def posted(self) -> dict[str, int]:
        """Tokens on the blackboard and the bits this gives them; asked for in turn 2 only."""
        return self.board.overlay(self.vocabulary, self.lexicon)

    @cached_property
    def casing(self) -> str:
        """Whether the text has capitals and small letters, or only one of them."""
        return find_casing(self.text)

    @cached_property
    def format(self) -> str:
        """How the document is laid out, one of ``FORMATS``."""
        return find_page_format(self.text, self.lexicon)

    def start(self, token: int) -> int:
        """Where a token starts in the text."""
        return self._ends[token - 1] if token else 0

    def end(self, token: int) -> int:
        """Where a token ends in the text, without the space after it."""
        return self.start(token) + len(self.tokens[token].rstrip(" \xa0"))

    def token_at(self, place: int) -> int:
        """The token that a character of the text belongs to."""
        return bisect_right(self._ends, place)

    def has_several(self, pattern: re.Pattern[str]) -> bool:
        """Whether a pattern fits more than once; searched once per page, however often asked."""
        if pattern not in self._has_several:
            fits = pattern.finditer(self.text)
            self._has_several[pattern] = next(fits, None) is not None and any(fits)
        return self._has_several[pattern]

    def match(self, file: str, section: str) -> list[Fit]:
        """Where templates of a section fit: the template, first token, token after the last.

        Templates that look at the blackboard run in turn 2, the others in turn 1; of one
        template, no two matches overlap.
        """
        key = file, self.turn
        sections = self._sections.get(key)
        if sections is None:
            matches = self._matches.get(file, ())
            sections = self._sections[key] = group_by_section(matches, self._one_pass.templates)
        return sections.get(section, [])

    def list_overlapping(self, file: str) -> list[Fit]:
        """Where templates of a file fit, place by place; matches of one template may overlap."""
        templates = self._one_pass.templates
        return [(templates[n], first, after) for n, first, after, _ in self._matches.get(file, ())]

    @property
    def _one_pass(self) -> OnePass:
        return self.language.one_pass(self.turn == 2)

    @property
    def _matches(self) -> dict[str, list[Match]]:
        """The matches of the templates that run in this turn, by file."""
        matches = self._by_turn.get(self.turn)
        if matches is None:
            matches, posted = {}, self.posted if self.turn == 2 else {}
            if posted or self.turn == 1:
                matches = self._one_pass.matches(self.tokens, self.casing, posted)
            self._by_turn[self.turn] = matches
        return matches

    def finding(
        self,
        template: Template,
        first: int,
        after: int,
        precedence: int = SINGLE,
        keep: bool = False,
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
            keep,
        )
