"""Runs many templates in one pass: at each token, only those whose first two words fit there.

Notes
-----
[Sweeney2001]_, sec. 9.3: detection algorithms run "in parallel"; here they share one pass.

Departures: none.

Cost: one dictionary look-up a token; a template is tried where its first two words fit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from discreet.scrub.template import Template, pieces
from discreet.scrub.template_set import TemplateSet

Try = tuple[Template, Callable[[str, int], re.Match[str] | None]]
"""A template and what matches it at a place."""

_Opened = tuple[int, set[str | None]]
"""The number of an expression, and the atoms that can follow the one it starts with."""


class Dispatch:
    """Templates of a set by the two characters that they can start with.

    Examples
    --------
    >>> from discreet.scrub.lexicon import Lexicon
    >>> dear = Template("NAME", '"dear" [<first>]', 0.9, "dear")
    >>> names = TemplateSet([dear], Lexicon({"first": ["mary"]}))
    >>> classes = names.alphabet.classes(["Dear ", "Mary", ","])
    >>> [(first, after) for _, first, after in Dispatch(names).matches(classes)]
    [(1, 2)]
    """

    def __init__(self, templates: TemplateSet) -> None:
        self._alphabet = templates.alphabet
        self._expressions = [
            expression for expressions in templates._sections.values() for expression in expressions
        ]
        self._openings = [openings(expression.template) for expression in self._expressions]
        self._sets: dict[str, set[int]] = {atom: set() for atom in self._alphabet.members}
        self._size = -1
        self._firsts: dict[str, list[_Opened]] = {}
        self._pairs: dict[str, dict[str, list[Try]]] = {}

    def matches(self, classes: str) -> Iterator[tuple[Template, int, int]]:
        """Each place where a template fits: the template, first token, token after the last."""
        if self._size != len(self._alphabet):
            self._size = len(self._alphabet)
            self._pairs = {}  # expressions may have been compiled again
        pairs, more = self._pairs, classes[1:] + "\0"
        for place, first in enumerate(classes):
            seconds = pairs.get(first)
            if seconds is None:
                seconds = self._start(first)
            if not seconds:
                continue
            tries = seconds.get(more[place])
            if tries is None:
                tries = seconds[more[place]] = self._fitting(first, more[place])
            for template, match in tries:
                found = match(classes, place)
                if found:
                    start, after = found.span(found.lastindex or 0)
                    if start < after:
                        yield template, start, after

    def _start(self, first: str) -> dict[str, list[Try]]:
        """A new entry for templates that start with a character; empty if there is none."""
        if first not in self._firsts:
            self._firsts[first] = [
                (number, following)
                for number, opening in enumerate(self._openings)
                for atom, following in opening.items()
                if self._has(atom, ord(first))
            ]
        self._pairs[first] = {"": []} if self._firsts[first] else {}
        return self._pairs[first]

    def _fitting(self, first: str, second: str) -> list[Try]:
        """The templates that can start with two characters."""
        code = ord(second)
        numbers = dict.fromkeys(
            number
            for number, following in self._firsts[first]
            if None in following or any(atom and self._has(atom, code) for atom in following)
        )
        fitting = [self._expressions[number] for number in numbers]
        return [(expression.template, expression.pattern().match) for expression in fitting]

    def _has(self, atom: str, code: int) -> bool:
        """Whether a character fits an atom; characters of atoms are only ever added."""
        known, members = self._sets[atom], self._alphabet.members[atom]
        if len(known) != len(members):
            known.update(members)
        return code in known


def openings(template: Template) -> dict[str, set[str | None]]:
    """The atoms a match can begin with, each with those that can follow; None is the end.

    Examples
    --------
    >>> found = openings(Template("DATE", "<weekday>? [<month> <digits>?]", 0.9, "x"))
    >>> found["<weekday>"], found["<month>"] == {"<digits>", None}
    ({'<month>'}, True)
    """
    reader = _Reader([(what, text) for what, text in pieces(template) if what != "part"])
    whole = reader.alternatives()
    found: dict[str, set[str | None]] = {}
    for place in whole.first:
        following = found.setdefault(reader.atoms[place], set())
        following |= {reader.atoms[after] for after in reader.follow[place]}
        if place in whole.last:
            following.add(None)
    return found


class _Part:
    """Places of atoms that a part of a pattern can begin and end with; whether it can be empty."""

    def __init__(self, first: set[int], last: set[int], empty: bool) -> None:
        self.first, self.last, self.empty = first, last, empty


class _Reader:
    """Reads a pattern from the left and notes which place of an atom can follow which."""

    def __init__(self, parts: list[tuple[str, str]]) -> None:
        self._parts, self._place = parts, 0
        self.atoms: list[str] = []
        self.follow: list[set[int]] = []

    def alternatives(self) -> _Part:
        """Sequences with bars between them."""
        whole = self._sequence()
        while self._next() == "|":
            self._place += 1
            more = self._sequence()
            whole = _Part(
                whole.first | more.first, whole.last | more.last, whole.empty or more.empty
            )
        return whole

    def _next(self) -> str:
        return self._parts[self._place][1] if self._place < len(self._parts) else ")"

    def _sequence(self) -> _Part:
        whole = _Part(set(), set(), True)
        while self._next() not in ("|", ")"):
            part = self._repeated(self._item())
            self._join(whole.last, part.first)
            whole = _Part(
                whole.first | part.first if whole.empty else whole.first,
                whole.last | part.last if part.empty else part.last,
                whole.empty and part.empty,
            )
        return whole

    def _join(self, last: set[int], first: set[int]) -> None:
        for place in last:
            self.follow[place] |= first

    def _item(self) -> _Part:
        what, text = self._parts[self._place]
        self._place += 1
        if what in ("group", "look"):
            inner = self.alternatives()
            self._place += 1  # the closing parenthesis
            is_group = what == "group" or text == "(?:"
            return inner if is_group else _Part(set(), set(), True)
        if what == "edge":
            return _Part(set(), set(), True)
        self.atoms.append(text)
        self.follow.append(set())
        place = {len(self.atoms) - 1}
        return _Part(place, place, False)

    def _repeated(self, part: _Part) -> _Part:
        while self._place < len(self._parts) and self._parts[self._place][0] == "times":
            times = self._next()
            self._place += 1
            if times not in ("?", "{0,1}", "{1}"):
                self._join(part.last, part.first)
            if times in ("?", "*") or times.startswith("{0"):
                part = _Part(part.first, part.last, True)
        return part
