"""One template as a regular expression over the characters of tokens, compiled when needed.

Notes
-----
Departures: none of substance; the thesis says nothing of how templates are matched.

Cost: compiling takes about a millisecond, on first use, and again in the seldom case that a token
brings a character unlike all others for this template.
"""

from __future__ import annotations

import re

from discreet.scrub.alphabet import Alphabet
from discreet.scrub.pattern_facts import pattern_facts
from discreet.scrub.template import Template, pieces

_LINE = "<newline>"
_NOTHING = "\0"
"""A character that fits no atom."""

_COMPILING = 500_000
_ONE_MORE = 700
"""How long compiling takes, and one rare character; the unit is a character looked through."""


class View:
    """The classes of one document: its rare characters, and the atoms that some token fits."""

    def __init__(self, alphabet: Alphabet, classes: str) -> None:
        self.classes = classes
        characters = set(classes)
        self.last = max(characters, default="")
        self.rare = alphabet.rare(characters)
        self.present = alphabet.present(characters)


class Expression:
    """A template and its regular expression.

    Examples
    --------
    >>> from discreet.scrub.lexicon import Lexicon
    >>> template = Template("ID", '"no" [<digits>]', 0.9, "x")
    >>> alphabet = Alphabet(atoms_of(template), Lexicon({}))
    >>> view = View(alphabet, alphabet.classes(["No ", "12"]))
    >>> pattern, classes = Expression(template, alphabet).ready(view)
    >>> pattern.search(classes).span(1)
    (1, 2)
    """

    def __init__(self, template: Template, alphabet: Alphabet) -> None:
        self.template = template
        facts = pattern_facts(template)
        self.required = alphabet.bits(facts.needs)
        self.can_be_empty = facts.can_be_empty
        self._alphabet = alphabet
        self._own = alphabet.bits(atoms_of(template))
        self._pattern: re.Pattern[str] | None = None
        self._limit, self._spent = "", 0
        self._twins: dict[str, str] = {}

    def ready(self, view: View) -> tuple[re.Pattern[str], str]:
        """The expression, and the classes with rare characters put in terms it knows.

        A rare character is as good as a usual one that fits the same atoms of this template. If
        there is none, or looking for it took as long as compiling, the expression is compiled
        again.
        """
        if self._pattern is None:
            return self._compile(), view.classes
        limit, classes = self._limit, view.classes
        if view.last <= limit:
            return self._pattern, classes
        new = [character for character in view.rare if character > limit]
        self._spent += len(new) * (len(classes) + _ONE_MORE)
        if self._spent > _COMPILING:
            return self._compile(), view.classes
        for character in new:
            twin = self._twins.get(character)
            if twin is None:
                twin = self._twins[character] = self._twin(character)
            if not twin:
                return self._compile(), view.classes
            classes = classes.replace(character, twin)
        return self._pattern, classes

    def _compile(self) -> re.Pattern[str]:
        """Compile for all characters given out so far."""
        self._pattern = re.compile(self._expression())
        self._limit, self._spent = self._alphabet.last, 0
        self._twins.clear()
        return self._pattern

    def _twin(self, character: str) -> str:
        """A character that the expression knows and that fits the same atoms of it, or none."""
        signature, own = self._alphabet.signature, self._own
        fits = signature(character) & own
        if not fits:
            return _NOTHING
        known = (c for c in self._alphabet.sharing(fits) if c <= self._limit)
        return next((c for c in known if signature(c) & own == fits), "")

    def _expression(self) -> str:
        parts = []
        for what, text in pieces(self.template):
            if what in ("atom", "literal"):
                parts.append(self._alphabet.charset(text))
            elif what == "edge":
                line = self._alphabet.charset(_LINE)
                parts.append(rf"(?:\A|(?<={line}))" if text == "^" else rf"(?:\Z|(?={line}))")
            elif what == "part":
                parts.append("(" if text == "[" else ")")
            else:
                parts.append("(?:" if text == "(" else text)
        return "".join(parts)


def atoms_of(template: Template) -> tuple[str, ...]:
    """The atoms of a template, each once."""
    found = {}
    for what, text in pieces(template):
        if what in ("atom", "literal"):
            found[text] = True
        elif what == "edge":
            found[_LINE] = True
    return tuple(found)
