"""One template as a regular expression over the letters of tokens, compiled when needed.

Notes
-----
To a template most letters are the same: it distinguishes them only by its own atoms. So letters are
spelt with a few characters, and answers for short rows of letters are cached for the next time such
words occur in this order.

Departures: none of substance; the thesis does not say how templates are matched.

Cost: a look-up for a known row of letters, two microseconds for a new one; compiling takes some
tenths of a millisecond, on first use and when a token differs from all others for the template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from string import ascii_letters, digits
from typing import NamedTuple

from discreet.display import safe_repr
from discreet.scrubbing.templates.atoms import END, START, Letter
from discreet.scrubbing.templates.template import Template, list_pieces

# What a template requires, its length and how far it looks, all known without running it.
#
# Notes
# -----
# Departures: none; the thesis does not say how templates are matched.
#
# Cost: each part of the pattern is read once.


ENDLESS = 1_000_000_000


@safe_repr
class Facts(NamedTuple):
    """How many tokens a pattern takes, and how many it reads before its start and from there on."""

    least: int
    most: int
    behind: int
    ahead: int
    needs: frozenset[str] = frozenset()
    """Atoms that some token in reach must fit."""

    @property
    def can_be_empty(self) -> bool:
        """Whether the pattern fits no token at all."""
        return self.least == 0


def compute_pattern_facts(template: Template) -> Facts:
    """The facts of a template.

    Examples
    --------
    >>> template = Template("NAME", "(?<=<a>) <b>? (<c>|<c> <d>{2}) (?!<e>)", 1, "x")
    >>> facts = compute_pattern_facts(template)
    >>> facts[:4], sorted(facts.needs)
    ((1, 4, 1, 5), ['<a>', '<c>'])
    """
    groups = [_Group("(")]
    for what, text in list_pieces(template):
        if what in ("atom", "literal"):
            groups[-1].add(Facts(1, 1, 0, 1, frozenset({text})))
        elif what == "edge":
            groups[-1].add(Facts(0, 0, 1, 0) if text == "^" else Facts(0, 0, 0, 1))
        elif what == "times":
            groups[-1].repeat(text)
        elif text in (")", "]"):
            inner = groups.pop()
            groups[-1].add(inner.facts())
        elif text == "|":
            groups[-1].branches.append([])
        else:
            groups.append(_Group(text))
    return groups[0].facts()


class _Group:
    """A group being read: its branches, each a list of consecutive parts."""

    def __init__(self, opening: str) -> None:
        self._opening = opening
        self.branches: list[list[Facts]] = [[]]

    def add(self, facts: Facts) -> None:
        self.branches[-1].append(facts)

    def repeat(self, times: str) -> None:
        """Repeat the last part."""
        least, most = _read_times(times)
        part = self.branches[-1].pop()
        longest = min(most * part.most, ENDLESS)
        ahead = min(max(most - 1, 0) * part.most + part.ahead, ENDLESS)
        needs = part.needs if least else frozenset[str]()
        self.add(Facts(least * part.least, longest, part.behind, ahead, needs))

    def facts(self) -> Facts:
        branches = [_join_sequence(branch) for branch in self.branches]
        least = min(branch.least for branch in branches)
        most = max(branch.most for branch in branches)
        behind = max(branch.behind for branch in branches)
        ahead = max(branch.ahead for branch in branches)
        needs = frozenset.intersection(*(branch.needs for branch in branches))
        if self._opening in ("(?!", "(?<!"):
            needs = frozenset()
        if self._opening in ("(?=", "(?!"):
            return Facts(0, 0, behind, ahead, needs)
        if self._opening in ("(?<=", "(?<!"):
            return Facts(0, 0, behind + most, max(ahead - most, 0), needs)
        return Facts(least, most, behind, ahead, needs)


def _read_times(text: str) -> tuple[int, int]:
    """The least and greatest number of repetitions."""
    if text in ("?", "*", "+"):
        return int(text == "+"), 1 if text == "?" else ENDLESS
    least, comma, most = re.sub(r"[{}]", "", text).partition(",")
    return int(least), int(most or ENDLESS) if comma else int(least)


def _join_sequence(parts: list[Facts]) -> Facts:
    """The facts of consecutive parts."""
    least = most = behind = ahead = 0
    for part in parts:
        behind = max(behind, part.behind - least)
        ahead = max(ahead, min(most + part.ahead, ENDLESS))
        least, most = least + part.least, min(most + part.most, ENDLESS)
    needs = frozenset[str]().union(*(part.needs for part in parts))
    return Facts(least, most, behind, ahead, needs)


_LINE = "<newline>"
_NOTHING, _START, _END, _NOWHERE = " ", "<", ">", "\x01"
"""Characters for a letter that fits no atom, for the edges of a text, and one that never occurs."""

_SPELT = ascii_letters + digits + "".join(map(chr, range(0xC0, 0x100)))
_NEAR = 8
"""Tokens that are read at first: most matches are shorter."""

_MIDDLE = 32
"""Tokens that are read next."""

_FAR = 512
"""Most tokens of a match, which bounds the time for a text of nothing but names."""

NEARBY = 64
"""Tokens within which all atoms that a template requires have to occur, if it reads no further."""

_STRETCH = 8 * _FAR
"""Tokens that are spelt once for all long matches in them."""

_KEPT = 2_000
"""Most answers that are cached for a template."""

Row = tuple[Letter, ...]
Answer = tuple[int, int, int] | tuple[()]
"""End of the match, start and end of its finding, as offsets; empty if there is no match."""


class Expression:
    """A template and its regular expression; ``bits`` has the bit of each of its atoms.

    Examples
    --------
    >>> template = Template("ID", '"no" [<digits>]', 0.9, "x")
    >>> expression = Expression(template, {'"no"': 4, "<digits>": 8})
    >>> expression.at((START, Letter(4), Letter(8), END), 1)
    (2, 1, 2)
    """

    def __init__(self, template: Template, bits: Mapping[str, int]) -> None:
        self.template = template
        facts = compute_pattern_facts(template)
        self.can_be_empty = facts.can_be_empty
        self.behind, self.ahead = facts.behind, min(facts.ahead, _FAR)
        self._near = min(facts.ahead, _NEAR)
        self._bits = {atom: bits[atom] for atom in list_atoms(template)}
        needs = sum(bits[atom] for atom in facts.needs)
        self.near_needs = needs if self.ahead <= NEARBY else 0
        self._own = sum(self._bits.values()) | START.fits | END.fits
        self._spelt = {0: _NOTHING, START.fits: _START, END.fits: _END}
        self._pattern: re.Pattern[str] | None = None
        self._spelling = _Spelling(self)
        self._answers: dict[Row, Answer] = {}
        self._stretch: _Stretch | None = None

    def at(self, row: Row, place: int) -> Answer:
        """The match of the template at a place; ``row`` has START and END around it."""
        near = row[place - self.behind : place + self._near]
        answer = self._answers.get(near)
        return self._learn(near, row, place) if answer is None else answer

    def match_everywhere(self, row: Row) -> Iterator[tuple[int, int]]:
        """The findings of a template that can be empty."""
        text = "".join(map(self._spelling.__getitem__, row))
        for found in self._compile_pattern().finditer(text):
            yield found.span(found.lastindex or 0)

    def _learn(self, near: Row, row: Row, place: int) -> Answer:
        """Compute the answer, from as many letters as it takes."""
        spell, behind, size = self._spelling.__getitem__, self.behind, self._near
        spelt = "".join(map(spell, near))
        if size < self.ahead and _NOTHING not in spelt[behind:] and place + size < len(row):
            return self._look_far(row, place)
        return self._keep(near, self._look(spelt, behind))

    def _keep(self, letters: Row, answer: Answer) -> Answer:
        """An answer, cached for the next time."""
        if len(self._answers) < _KEPT:
            self._answers[letters] = answer
        return answer

    def _look_far(self, row: Row, place: int) -> Answer:
        """The answer from more letters: to one that fits nothing, since no match goes beyond it."""
        start, end = place - self.behind, place + _MIDDLE
        middle = row[start:end]
        answer = self._answers.get(middle)
        if answer is not None:
            return answer
        spelt = "".join(map(self._spelling.__getitem__, middle))
        if self.ahead <= _MIDDLE or _NOTHING in spelt[self.behind :] or end >= len(row):
            return self._keep(middle, self._look(spelt, self.behind))
        stretch = self._stretch
        if stretch is None or not stretch.reaches(row, start):
            stretch = self._stretch = _Stretch(row, start)
        return self._look(stretch.spell(place + _FAR, self._spelling), place - stretch.first, _FAR)

    def _look(self, spelt: str, place: int, ahead: int = ENDLESS) -> Answer:
        found = (self._pattern or self._compile_pattern()).match(spelt, place, place + ahead)
        if not found:
            return ()
        first, after = found.span(found.lastindex or 0)
        return found.end() - place, first - place, after - place

    def spell(self, letter: Letter) -> str:
        """The character for a letter; a new one requires compiling again."""
        fits = letter.fits & self._own
        spelt = self._spelt.get(fits)
        if spelt is None:
            place = len(self._spelt)
            spelt = _SPELT[place] if place < len(_SPELT) else chr(0x100 + place)
            self._spelt[fits] = spelt
            self._pattern = None
        return spelt

    def _compile_pattern(self) -> re.Pattern[str]:
        if self._pattern is None:
            self._pattern = re.compile("".join(self._list_parts()))
        return self._pattern

    def _list_parts(self) -> Iterator[str]:
        for what, text in list_pieces(self.template):
            if what in ("atom", "literal"):
                yield self._write_charset(text)
            elif what == "edge":
                look, edge = ("(?<=", _START) if text == "^" else ("(?=", _END)
                yield f"{look}{self._write_charset(_LINE, edge)})"
            elif what == "part":
                yield "(" if text == "[" else ")"
            else:
                yield "(?:" if text == "(" else text

    def _write_charset(self, atom: str, more: str = "") -> str:
        bit = self._bits[atom]
        spelt = more + "".join([s for fits, s in self._spelt.items() if fits & bit])
        return f"[{spelt or _NOWHERE}]"


class _Stretch:
    """Tokens of a row from ``first`` on, spelt bit by bit for matches that begin at many of them.

    Long matches overlap: in a list of names, one begins at every name.
    """

    def __init__(self, row: Row, first: int) -> None:
        self.first = first
        self._row = row
        self._spelt = ""

    def reaches(self, row: Row, start: int) -> bool:
        """Whether this is a stretch of the row, and a match from ``start`` on is to be in it."""
        return row is self._row and self.first <= start < self.first + _STRETCH

    def spell(self, end: int, spelling: _Spelling) -> str:
        """The characters of the tokens, at least to ``end`` if the row is that long."""
        after = self.first + len(self._spelt)
        if after < end and after < len(self._row):
            more = self._row[after : end + _FAR]
            self._spelt += "".join(map(spelling.__getitem__, more))
        return self._spelt


@safe_repr
class _Spelling(dict[Letter, str]):
    """The characters of letters for one template."""

    def __init__(self, expression: Expression) -> None:
        super().__init__()
        self._expression = expression

    def __missing__(self, letter: Letter) -> str:
        spelt = self[letter] = self._expression.spell(letter)
        return spelt


def list_atoms(template: Template) -> tuple[str, ...]:
    """The atoms of a template, each once."""
    found = {}
    for what, text in list_pieces(template):
        if what in ("atom", "literal"):
            found[text] = True
        elif what == "edge":
            found[_LINE] = True
    return tuple(found)
