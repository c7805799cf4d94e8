"""The places of atoms in a template, and which of them can follow which.

Notes
-----
Glushkov's automaton of a regular expression; what looks ahead or behind, and line edges, are left
out, so it takes all that the template takes, and more.

Departures: none; the thesis says nothing of how templates are matched.

Cost: one look at each part of the pattern, once.
"""

from __future__ import annotations

from typing import NamedTuple

from discreet.display import safe_repr
from discreet.scrub.template import Template, pieces


@safe_repr
class Positions(NamedTuple):
    """The atom at each place; places that can be first, follow each, and can be last."""

    atoms: list[str]
    first: set[int]
    follow: list[set[int]]
    last: set[int]


def positions(template: Template) -> Positions:
    """The places of a template.

    Examples
    --------
    >>> found = positions(Template("DATE", "<weekday>? [<month> <digits>?]", 0.9, "x"))
    >>> found.atoms, found.first, found.follow
    (['<weekday>', '<month>', '<digits>'], {0, 1}, [{1}, {2}, set()])
    >>> found.last
    {1, 2}
    """
    reader = _Reader([(what, text) for what, text in pieces(template) if what != "part"])
    whole = reader.alternatives()
    return Positions(reader.atoms, whole.first, reader.follow, whole.last)


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
