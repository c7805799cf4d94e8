"""Templates compiled together: their alphabet, and a regular expression over it for each.

Notes
-----
Departures: none of substance; the thesis says nothing of how templates are matched.

Cost: a template runs only on documents that have a token for each atom it cannot do without,
which is one comparison of bits a template, and only where it can start. Compiling takes some
tenths of a millisecond a template, on first use, and again in the seldom case that a token brings
a new character.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from discreet.scrub.alphabet import Alphabet
from discreet.scrub.lexicon import Lexicon
from discreet.scrub.pattern_facts import pattern_facts
from discreet.scrub.template import Template, pieces

_LINE = "<newline>"


class TemplateSet:
    """Finds templates in the classes of tokens.

    Examples
    --------
    >>> dear = Template("NAME", '"dear" [<first>]', 0.9, "dear", "greetings")
    >>> names = TemplateSet([dear], Lexicon({"first": ["mary"]}))
    >>> tokens = ["Dear ", "Mary", ","]
    >>> classes, present = names.alphabet.classes(tokens), names.alphabet.present(tokens, {})
    >>> [(first, after) for _, first, after in names.matches(classes, "greetings", present)]
    [(1, 2)]
    """

    def __init__(self, templates: Iterable[Template], lexicon: Lexicon) -> None:
        self.templates = tuple(templates)
        used = {template: _atoms(template) for template in self.templates}
        atoms = dict.fromkeys(text for texts in used.values() for text in texts)
        self.alphabet = Alphabet(atoms, lexicon)
        self._sections: dict[str, list[_Expression]] = {}
        for template in self.templates:
            expression = _Expression(template, used[template], self.alphabet)
            self._sections.setdefault(template.section, []).append(expression)

    def has(self, section: str) -> bool:
        """Whether a section has any template."""
        return section in self._sections

    def matches(
        self, classes: str, section: str, present: int, view: View | None = None
    ) -> Iterator[tuple[Template, int, int]]:
        """Each place where a template fits: the template, first token, token after the last.

        ``present`` are the atoms that some token fits; ``view`` is kept for the same classes.
        """
        view = View(self.alphabet, classes) if view is None else view
        for expression in self._sections.get(section, ()):
            if expression.required & ~present:
                continue
            pattern, text = expression.ready(view)
            if expression.starts:
                spans = _spans_at(pattern, text, view.places(expression.starts))
            else:
                spans = _spans(pattern, text)
            for start, end in spans:
                yield expression.template, start, end


class View:
    """The classes of one document: its rare characters, and where tokens that fit atoms are."""

    def __init__(self, alphabet: Alphabet, classes: str) -> None:
        self.alphabet, self.classes = alphabet, classes
        self.rare = alphabet.rare(classes)
        self._places: dict[frozenset[str], list[int]] = {}

    def places(self, atoms: frozenset[str]) -> list[int]:
        """Where tokens are that fit one of some atoms; kept, as many templates ask the same."""
        places = self._places.get(atoms)
        if places is None:
            usual = self.alphabet.any_of(atoms)
            places = [found.start() for found in usual.finditer(self.classes)]
            wanted = self.alphabet.bits(atoms) if self.rare else 0
            for character, more in self.rare.items():
                if self.alphabet.signature(character) & wanted:
                    places = sorted({*places, *more})
            self._places[atoms] = places
        return places


def _spans(pattern: re.Pattern[str], classes: str) -> Iterator[tuple[int, int]]:
    for found in pattern.finditer(classes):
        start, end = found.span(found.lastindex or 0)
        if start < end:
            yield start, end


def _spans_at(
    pattern: re.Pattern[str], classes: str, places: list[int]
) -> Iterator[tuple[int, int]]:
    """As ``_spans``, looking only at places where a match can start."""
    match, after = pattern.match, 0
    for place in places:
        if place >= after and (found := match(classes, place)):
            after = found.end()
            start, end = found.span(found.lastindex or 0)
            if start < end:
                yield start, end


class _Expression:
    """A template and its regular expression, compiled when needed."""

    def __init__(self, template: Template, atoms: tuple[str, ...], alphabet: Alphabet) -> None:
        self.template = template
        facts = pattern_facts(template)
        self.required = alphabet.bits(facts.needs)
        self.starts = facts.starts if _is_slow(template) and not facts.can_be_empty else frozenset()
        self._atoms, self._alphabet = atoms, alphabet
        self._own = alphabet.bits(atoms)
        self._characters = self._size = self._limit = -1
        self._pattern = self._known = re.compile("")
        self._twins: dict[int, str] = {}

    def pattern(self) -> re.Pattern[str]:
        """The regular expression, for the characters given out so far."""
        characters = len(self._alphabet)
        if characters != self._characters:
            size = sum(len(self._alphabet.members[atom]) for atom in self._atoms)
            if size != self._size:
                self._pattern = re.compile(self._expression())
            self._characters, self._size = characters, size
        return self._pattern

    def ready(self, view: View) -> tuple[re.Pattern[str], str]:
        """The expression, and the classes with rare characters put in terms it knows.

        A rare character is as good as a usual one that fits the same atoms of this template. If
        there is none, the expression is compiled again.
        """
        if self._limit < self._alphabet.last_usual:
            self._compile()
        classes = view.classes
        for character in view.rare:
            if ord(character) > self._limit:
                twin = self._twin(character)
                if not twin:
                    self._compile()
                    return self.ready(view)
                classes = classes.replace(character, twin)
        return self._known, classes

    def _compile(self) -> None:
        """Compile for all characters given out so far."""
        self._known = re.compile(self._expression())
        given = self._alphabet.characters()
        self._limit = ord(given[-1])
        self._twins = {self._alphabet.signature(c) & self._own: c for c in given}

    def _twin(self, character: str) -> str:
        return self._twins.get(self._alphabet.signature(character) & self._own, "")

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


def _is_slow(template: Template) -> bool:
    """Whether a pattern starts with more than one atom, so that Python tries it everywhere."""
    first, second = [*pieces(template), ("", ""), ("", "")][:2]
    return first[0] != "atom" and not (first[0] == "part" and second[0] == "atom")


def _atoms(template: Template) -> tuple[str, ...]:
    """The atoms of a template, each once."""
    found = {}
    for what, text in pieces(template):
        if what in ("atom", "literal"):
            found[text] = True
        elif what == "edge":
            found[_LINE] = True
    return tuple(found)
