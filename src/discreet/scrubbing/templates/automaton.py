"""Which templates can begin at a token, given the letters of that token and the next ones.

Notes
-----
The automata of all templates (see ``Positions``) are merged and made deterministic step by step, as
texts need it (Aho, Sethi and Ullman, Compilers, sec. 3.7).

Departures: none; the thesis does not say how templates are matched.

Cost: one dictionary look-up per step; a new step takes some microseconds and is cached.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import NamedTuple

from discreet.display import safe_repr
from discreet.scrubbing.templates.atoms import Letter
from discreet.scrubbing.templates.template import Template, list_pieces

# The positions of atoms in a template, and which of them can follow which.
#
# Notes
# -----
# Glushkov's automaton of a regular expression; look-around and line edges are ignored, so it
# accepts everything that the template accepts, and more.
#
# Departures: none; the thesis does not say how templates are matched.
#
# Cost: each part of the pattern is read once.


@safe_repr
class Positions(NamedTuple):
    """The atom at each position; the positions that can be first, follow each one, and be last."""

    atoms: list[str]
    first: set[int]
    follow: list[set[int]]
    last: set[int]


def compute_positions(template: Template) -> Positions:
    """The positions of a template.

    Examples
    --------
    >>> found = compute_positions(Template("DATE", "<weekday>? [<month> <digits>?]", 0.9, "x"))
    >>> found.atoms, found.first, found.follow
    (['<weekday>', '<month>', '<digits>'], {0, 1}, [{1}, {2}, set()])
    >>> found.last
    {1, 2}
    """
    reader = _Reader([(what, text) for what, text in list_pieces(template) if what != "part"])
    whole = reader.alternatives()
    return Positions(reader.atoms, whole.first, reader.follow, whole.last)


class _Part:
    """Positions that a part of a pattern can begin and end with; whether it can be empty."""

    def __init__(self, first: set[int], last: set[int], empty: bool) -> None:
        self.first, self.last, self.empty = first, last, empty


class _Reader:
    """Reads a pattern from the left and notes which position can follow which."""

    def __init__(self, parts: list[tuple[str, str]]) -> None:
        self._parts, self._place = parts, 0
        self.atoms: list[str] = []
        self.follow: list[set[int]] = []

    def alternatives(self) -> _Part:
        """Sequences with bars between them."""
        whole = self._read_sequence()
        while self._peek_next() == "|":
            self._place += 1
            more = self._read_sequence()
            whole = _Part(
                whole.first | more.first, whole.last | more.last, whole.empty or more.empty
            )
        return whole

    def _peek_next(self) -> str:
        return self._parts[self._place][1] if self._place < len(self._parts) else ")"

    def _read_sequence(self) -> _Part:
        whole = _Part(set(), set(), True)
        while self._peek_next() not in ("|", ")"):
            part = self._read_repeats(self._read_item())
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

    def _read_item(self) -> _Part:
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

    def _read_repeats(self, part: _Part) -> _Part:
        while self._place < len(self._parts) and self._parts[self._place][0] == "times":
            times = self._peek_next()
            self._place += 1
            if times not in ("?", "{0,1}", "{1}"):
                self._join(part.last, part.first)
            if times in ("?", "*") or times.startswith("{0"):
                part = _Part(part.first, part.last, True)
        return part


_KEPT, _STATES = 300_000, 30_000
"""Most steps and states that are cached, however long the stream."""

_BEFORE = 0
"""The position before all others, which the first positions follow."""


@safe_repr
class State(dict[Letter, "State"]):
    """What is possible after the letters read so far; indexed by a letter, the next state.

    ``places`` fit the last letter; ``done`` are templates that may have ended before it.
    """

    __slots__ = ("_automaton", "_done", "_looks_at", "_places", "_steps", "tries")

    tries: tuple[int, ...]
    """The numbers of templates that may have begun with the letters read."""

    def __init__(self, automaton: Automaton, places: frozenset[int], done: frozenset[int]) -> None:
        super().__init__()
        self._automaton, self._places, self._done = automaton, places, done
        self._looks_at = -1
        self._steps: dict[int, State] = {}

    def __getattr__(self, name: str) -> tuple[int, ...]:
        """Compute ``tries`` when they are first asked for: few states are the last of their row."""
        if name != "tries":
            raise AttributeError(name)
        numbers = self._automaton.numbers
        self.tries = tuple(sorted({numbers[place] for place in self._places} | self._done))
        return self.tries

    def __missing__(self, letter: Letter) -> State:
        automaton = self._automaton
        if self._looks_at < 0:
            looks_at = automaton.looks_at
            self._looks_at = reduce(or_, [looks_at[place] for place in self._places], 0)
        fits = letter.fits & self._looks_at
        state = self._steps.get(fits)
        if state is None:
            state = self._step(fits)
        if automaton.room:
            automaton.room -= 1
            self._steps[fits] = self[letter] = state
        return state

    def _step(self, fits: int) -> State:
        """The state after a letter that fits some of the atoms in question."""
        automaton, looks_at = self._automaton, self._automaton.looks_at
        found: list[int] = []
        for place in self._places:
            if looks_at[place] & fits:
                found += automaton.following(place, fits)
        numbers, is_last = automaton.numbers, automaton.is_last
        done = [numbers[place] for place in self._places if is_last[place]]
        return automaton.state(frozenset(found), self._done.union(done) if done else self._done)


class Automaton:
    """The templates that can begin with some letters.

    Examples
    --------
    >>> from discreet.scrubbing.templates.automaton import compute_positions
    >>> from discreet.scrubbing.templates.template import Template
    >>> automaton = Automaton()
    >>> positions = compute_positions(Template("NAME", "<a> <b>", 0.9, "x"))
    >>> automaton.add(0, positions, {"<a>": 4, "<b>": 8})
    >>> automaton.start[Letter(4)][Letter(8)].tries
    (0,)
    >>> automaton.start[Letter(4)][Letter(4)].tries
    ()
    """

    def __init__(self) -> None:
        self.numbers: list[int] = [-1]
        self.looks_at: list[int] = [0]
        self.is_last: list[bool] = [False]
        self.room = _KEPT
        self._atoms: list[int] = [0]
        self._follow: list[list[int]] = [[]]
        self._first: dict[int, list[int]] = {}
        self._states: dict[tuple[frozenset[int], frozenset[int]], State] = {}

    def add(self, number: int, places: Positions, bits: Mapping[str, int]) -> None:
        """Add the places of a template; ``bits`` are those of its atoms."""
        base = len(self._atoms)
        atoms = [bits[atom] for atom in places.atoms]
        self._atoms += atoms
        self.numbers += [number] * len(atoms)
        self._follow += [[base + after for after in follow] for follow in places.follow]
        self.looks_at += [
            reduce(or_, [atoms[after] for after in follow], 0) for follow in places.follow
        ]
        self.is_last += [place in places.last for place in range(len(atoms))]
        for place in places.first:
            self._first.setdefault(atoms[place], []).append(base + place)
            self.looks_at[_BEFORE] |= atoms[place]

    @property
    def start(self) -> State:
        """The state before any letter is read."""
        return self.state(frozenset({_BEFORE}), frozenset())

    def following(self, place: int, fits: int) -> list[int]:
        """The places that can follow a place and have one of the atoms."""
        if place != _BEFORE:
            atoms = self._atoms
            return [after for after in self._follow[place] if atoms[after] & fits]
        found: list[int] = []
        while fits:
            atom = fits & -fits
            fits ^= atom
            found += self._first[atom]
        return found

    def state(self, places: frozenset[int], done: frozenset[int]) -> State:
        """The state in which places fit the last letter and templates may have ended before."""
        key = places, done
        state = self._states.get(key)
        if state is None:
            state = State(self, places, done)
            if len(self._states) < _STATES:
                self._states[key] = state
        return state
