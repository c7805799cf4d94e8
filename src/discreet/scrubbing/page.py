"""A document as detectors see it: text, tokens, classes, format, blackboard, findings."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from discreet.scrubbing.blackboard import Blackboard
from discreet.scrubbing.casing import find_casing
from discreet.scrubbing.finding import SINGLE, Finding
from discreet.scrubbing.templates.dispatch import OVERLAPPING, Fit, Match, OnePass, group_by_section
from discreet.scrubbing.templates.lexicon import Lexicon
from discreet.scrubbing.templates.template import Template
from discreet.scrubbing.templates.tokens import find_token_ends, tokenize

if TYPE_CHECKING:
    from discreet.scrubbing.languages.load import Language


class Page:
    """One document, which every detector reads twice.

    ``turn`` is 1 during the first reading and 2 when the blackboard holds its findings; ``found``
    are the winners of the first turn. ``long_values`` has the end of the last value longer than its
    window that each cue detector found.
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
        """The distinct tokens."""
        return set(self.tokens)

    @cached_property
    def _ends(self) -> list[int]:
        return find_token_ends(self.tokens)

    @cached_property
    def posted(self) -> dict[str, int]:
        """Tokens on the blackboard with the bits this gives them; used in turn 2 only."""
        return self.board.overlay(self.vocabulary, self.lexicon)

    @cached_property
    def casing(self) -> str:
        """Whether the text mixes capitals and small letters or has only one of them."""
        return find_casing(self.text)

    @cached_property
    def format(self) -> str:
        """The format of the document, one of ``FORMATS``."""
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
        """Whether a pattern matches more than once; the answer is cached for the page."""
        if pattern not in self._has_several:
            fits = pattern.finditer(self.text)
            self._has_several[pattern] = next(fits, None) is not None and any(fits)
        return self._has_several[pattern]

    def match(self, file: str, section: str) -> list[Fit]:
        """Where the templates of a section fit: template, first token, token after the last.

        Templates that read the blackboard run in turn 2, the others in turn 1; matches of one
        template do not overlap.
        """
        key = file, self.turn
        sections = self._sections.get(key)
        if sections is None:
            matches = self._matches.get(file, ())
            sections = self._sections[key] = group_by_section(matches, self._one_pass.templates)
        return sections.get(section, [])

    def list_overlapping(self) -> list[Fit]:
        """Where templates of numbers fit, place by place; matches of one template may overlap."""
        templates, matches = self._one_pass.templates, self._matches.get(OVERLAPPING, ())
        return [(templates[number], first, after) for number, first, after, _ in matches]

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


# The format of a document: a letter, notes, delimited text or plain text.
#
# Notes
# -----
# [Sweeney2001]_, sec. 9.3: a format detector reads the document as a whole; here the tagger uses
# its answer. Delimited text also has a detector of its own; ``casing.py`` is about texts in one
# case.

FORMATS = ("text", "letter", "delimited", "notes")

_FORMAT_SAMPLE = 20_000
_SHORT_LINE = 60
"""A line with fewer characters is shorter than a line of prose."""


def find_page_format(text: str, lexicon: Lexicon) -> str:
    """One of ``FORMATS``; a letter has a line that starts with a greeting of the language.

    Examples
    --------
    >>> find_page_format("Dear Ann,\\n\\nall is well.", Lexicon({"greeting": ["dear"]}))
    'letter'
    """
    lines = [line for line in text[:_FORMAT_SAMPLE].splitlines() if line and not line.isspace()]
    greeting = lexicon.union("greeting")
    if any(lexicon.known(line.split(None, 1)[0].lower()) & greeting for line in lines):
        return "letter"
    if len(lines) > 2 and sum(map(_is_delimited, lines)) > 0.8 * len(lines):
        return "delimited"
    short = sum(len(line) < _SHORT_LINE for line in lines)
    return "notes" if len(lines) > 3 and short > 0.6 * len(lines) else "text"


def _is_delimited(line: str) -> bool:
    return max(line.count(mark) for mark in "|\t;,") >= 3
