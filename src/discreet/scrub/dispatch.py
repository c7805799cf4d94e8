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
from typing import TYPE_CHECKING

from discreet.scrub.expression import Expression, View
from discreet.scrub.template import Template, pieces

if TYPE_CHECKING:
    from discreet.scrub.template_set import TemplateSet

_Try = tuple[Callable[[str, int], re.Match[str] | None], str]
"""What matches a template at a place of some classes, and these."""

_Opened = tuple[int, int]
"""The number of an expression, and the atoms that can follow the one it starts with, as bits."""

_END = "\0"
"""Stands after the last token."""

_ANYTHING = -1
"""All bits: what follows makes no difference, as the expression can end there."""


class Dispatch:
    """Templates of a set by the two characters that they can start with.

    Examples
    --------
    >>> from discreet.scrub.lexicon import Lexicon
    >>> from discreet.scrub.template_set import TemplateSet
    >>> dear = Template("NAME", '"dear" [<first>]', 0.9, "dear")
    >>> names = TemplateSet([dear], Lexicon({"first": ["mary"]}))
    >>> classes = names.alphabet.classes(["Dear ", "Mary", ","])
    >>> [(first, after) for _, first, after in Dispatch(names).matches(classes)]
    [(1, 2)]
    """

    def __init__(self, templates: TemplateSet) -> None:
        self._alphabet = templates.alphabet
        self._expressions = templates.expressions
        self._anywhere = [n for n, e in enumerate(self._expressions) if e.can_be_empty]
        self._openings: dict[int, list[_Opened]] = {}
        for number, expression in enumerate(self._expressions):
            if not expression.can_be_empty:
                self._open(number, openings(expression.template))
        self._firsts: dict[str, list[_Opened]] = {}
        self._pairs: dict[str, dict[str, list[int]]] = {}

    def _open(self, number: int, opening: dict[str, set[str | None]]) -> None:
        bits = self._alphabet.bits
        for atom, following in opening.items():
            after = _ANYTHING if None in following else bits(a for a in following if a)
            self._openings.setdefault(bits([atom]), []).append((number, after))

    def matches(self, classes: str) -> Iterator[tuple[Template, int, int]]:
        """Each place where a template fits: the template, first token, token after the last.

        From every place a template can start at, so that matches of one may overlap.
        """
        for number, found in self._tries(View(self._alphabet, classes), False):
            start, after = found.span(found.lastindex or 0)
            if start < after:
                yield self._expressions[number].template, start, after

    def spans(self, view: View) -> dict[int, list[tuple[int, int]]]:
        """Where templates fit, by number; a template is tried again after its last match only."""
        spans: dict[int, list[tuple[int, int]]] = {}
        for number, found in self._tries(view, True):
            start, after = found.span(found.lastindex or 0)
            if start < after:
                spans.setdefault(number, []).append((start, after))
        return spans

    def _tries(self, view: View, apart: bool) -> Iterator[tuple[int, re.Match[str]]]:
        """Expressions that match, place by place; ``apart``: no two matches of one overlap."""
        ready: list[_Try | tuple[()] | None] = [None] * len(self._expressions)
        free = [0] * len(self._expressions)
        for number in self._anywhere:
            pattern, classes = self._expressions[number].ready(view)
            yield from ((number, found) for found in pattern.finditer(classes))
        pairs, classes = self._pairs, view.classes
        more = classes[1:] + _END
        for place, first in enumerate(classes):
            seconds = pairs.get(first)
            if seconds is None:
                seconds = self._start(first)
            if not seconds:
                continue
            numbers = seconds.get(more[place])
            if numbers is None:
                numbers = seconds[more[place]] = self._fitting(first, more[place])
            for number in numbers:
                entry = ready[number]
                if entry is None:
                    entry = ready[number] = _ready(self._expressions[number], view)
                if entry and free[number] <= place:
                    found = entry[0](entry[1], place)
                    if found:
                        if apart:
                            free[number] = found.end()
                        yield number, found

    def _start(self, first: str) -> dict[str, list[int]]:
        """A new entry for templates that start with a character; empty if there is none."""
        fits = self._alphabet.signature(first)
        found = [o for atom, opened in self._openings.items() if fits & atom for o in opened]
        self._firsts[first] = found
        self._pairs[first] = {"": []} if found else {}
        return self._pairs[first]

    def _fitting(self, first: str, second: str) -> list[int]:
        """The numbers of templates that can start with two characters."""
        fits = self._alphabet.signature(second) if second != _END else 0
        opened = self._firsts[first]
        return sorted({n for n, after in opened if after == _ANYTHING or after & fits})


def _ready(expression: Expression, view: View) -> _Try | tuple[()]:
    """What tries an expression on a document; nothing if it lacks an atom that has to be there."""
    if expression.required & ~view.present:
        return ()
    pattern, classes = expression.ready(view)
    return pattern.match, classes


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
