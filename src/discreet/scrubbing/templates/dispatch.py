"""Runs many templates in one pass: at each token, only those whose first words fit there.

Notes
-----
[Sweeney2001]_, sec. 9.3: detection algorithms run "in parallel"; here they share one pass.

Departures: none.

Cost: a few dictionary look-ups per token, in C; a template is tried where its first words fit, if
words that it requires are near.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property, reduce
from itertools import chain, islice, repeat
from operator import getitem, or_

from discreet.scrubbing.casing import NORMAL
from discreet.scrubbing.templates.alphabet import Alphabet
from discreet.scrubbing.templates.atoms import END, START, Atoms, Letter
from discreet.scrubbing.templates.automaton import Automaton, State, compute_positions
from discreet.scrubbing.templates.expression import NEARBY, Expression, Row, list_atoms
from discreet.scrubbing.templates.lexicon import Lexicon
from discreet.scrubbing.templates.template import Template

_BLOCK = NEARBY
"""Consecutive places for which impossible templates are excluded together."""

_DEPTH = 4
"""Words that are checked before a template is tried."""

Match = tuple[int, int, int, bool]
"""Where a template fits: its number, first token, token after the last, whether it is separate.

It is separate if it starts after the end of the template's last separate match.
"""


class Dispatch:
    """Expressions by number, tried where their first words fit; ``bits`` are those of atoms.

    Of ``overlapping`` expressions all matches are wanted, of others only those that are separate.

    Examples
    --------
    >>> from discreet.scrubbing.templates.template import Template
    >>> bits = {'"dear"': 4, "<first>": 8}
    >>> dear = Expression(Template("NAME", '"dear" [<first>]', 0.9, "dear"), bits)
    >>> Dispatch({0: dear}, bits).run([Letter(0), Letter(4), Letter(8)])
    [(0, 2, 3, True)]
    """

    def __init__(
        self,
        expressions: Mapping[int, Expression],
        bits: Mapping[str, int],
        overlapping: Set[int] = frozenset(),
    ) -> None:
        self._expressions, self._overlapping = expressions, overlapping
        self._anywhere = [n for n, e in expressions.items() if e.can_be_empty]
        self._before = [START] * max((e.behind for e in expressions.values()), default=0)
        automaton = Automaton()
        for number, expression in expressions.items():
            if not expression.can_be_empty:
                automaton.add(number, compute_positions(expression.template), bits)
        self._start = automaton.start

    def run(self, letters: Sequence[Letter]) -> list[Match]:
        """Every match in a text, place by place."""
        before = len(self._before)
        free: dict[int, int] = {}
        row = (*self._before, *letters, END)
        matches = [m for number in self._anywhere for m in self._match_everywhere(number, row)]
        expressions, overlapping = self._expressions, self._overlapping
        lacks = known_to = 0
        for place, state in enumerate(self._list_states(letters)):
            tries = state.tries
            if not tries:
                continue
            if place >= known_to:
                block = place - place % _BLOCK
                known_to = block + _BLOCK
                lacks = _find_lacking(row[block : known_to + before + _BLOCK])
            for number in tries:
                expression = expressions[number]
                if expression.near_needs & lacks:
                    continue
                apart = free.get(number, 0) <= place
                if not apart and number not in overlapping:
                    continue
                found = expression.at(row, place + before)
                if found:
                    length, first, after = found
                    if apart:
                        free[number] = place + length
                    if first < after:
                        matches.append((number, place + first, place + after, apart))
        return matches

    def _match_everywhere(self, number: int, row: Row) -> Iterator[Match]:
        """Matches of an expression that can be empty."""
        before = len(self._before)
        for first, after in self._expressions[number].match_everywhere(row):
            if first < after:
                yield number, first - before, after - before, True

    def _list_states(self, letters: Sequence[Letter]) -> Iterator[State]:
        """For each place, the state after its letter and the next ones."""
        states = map(self._start.__getitem__, letters)
        for ahead in range(1, _DEPTH):
            following = chain(islice(letters, ahead, None), repeat(END))
            states = map(getitem, states, following)
        return states


def _find_lacking(row: Row) -> int:
    """The atoms that no letter of a stretch of text fits, as bits."""
    return ~reduce(or_, [letter.fits for letter in set(row)], 0)


# All templates of a turn, whatever their file, in one pass over the tokens of a text.
#
# Notes
# -----
# [Sweeney2001]_, sec. 9.3: detection algorithms run "in parallel".
#
# Departures: none.
#
# Cost: see the top of the module.


OVERLAPPING = "numbers.txt"
"""The file of which matches of one template that overlap are wanted, as each has to be checked."""

CASELESS = "caseless_"
"""Prefix of sections whose templates are only for texts in one case."""


class OnePass:
    """The templates of one or more files, run together.

    Examples
    --------
    >>> dear = Template("NAME", '"dear" [<first>]', 0.9, "dear", "greeting")
    >>> one_pass = OnePass({"a.txt": [dear]}, Lexicon({"first": ["mary"]}))
    >>> one_pass.matches(["Dear ", "Mary"])["a.txt"]
    [(0, 1, 2, True)]
    """

    def __init__(self, files: Mapping[str, Sequence[Template]], lexicon: Lexicon) -> None:
        self._file = [file for file, templates in files.items() for _ in templates]
        self.templates = [template for templates in files.values() for template in templates]
        self._atoms = Atoms((a for t in self.templates for a in list_atoms(t)), lexicon)
        self._expressions = [Expression(t, self._atoms.bits) for t in self.templates]
        self._by_casing: dict[str, tuple[Alphabet, Dispatch]] = {}

    def matches(
        self, tokens: list[str], casing: str = NORMAL, posted: Mapping[str, int] | None = None
    ) -> dict[str, list[Match]]:
        """The matches in each file; ``posted`` are tokens on the blackboard with their bits."""
        if casing not in self._by_casing:
            self._by_casing[casing] = Alphabet(self._atoms, casing), self._get_dispatch(casing)
        alphabet, dispatch = self._by_casing[casing]
        found: dict[str, list[Match]] = {}
        for match in dispatch.run(alphabet.letters(tokens, posted)):
            found.setdefault(self._file[match[0]], []).append(match)
        return found

    def _get_dispatch(self, casing: str) -> Dispatch:
        """The dispatch of the templates for texts of a casing."""
        wanted = {
            number: expression
            for number, expression in enumerate(self._expressions)
            if casing != NORMAL or not expression.template.section.startswith(CASELESS)
        }
        overlapping = {n for n in wanted if self._file[n] == OVERLAPPING}
        return Dispatch(wanted, self._atoms.bits, overlapping)


# Templates of a file together, and where each of them fits.
#
# Notes
# -----
# Departures: none of substance; the thesis does not say how templates are matched.
#
# Cost: all templates share one pass over the tokens.


Fit = tuple[Template, int, int]
"""A template, the first token it fits, and the token after the last."""


class TemplateSet:
    """Finds templates in tokens.

    Examples
    --------
    >>> dear = Template("NAME", '"dear" [<first>]', 0.9, "dear", "greetings")
    >>> names = TemplateSet([dear], Lexicon({"first": ["mary"]}))
    >>> [(first, after) for _, first, after in names.matches(["Dear ", "Mary", ","], "greetings")]
    [(1, 2)]
    """

    def __init__(self, templates: Iterable[Template], lexicon: Lexicon) -> None:
        self.templates = tuple(templates)
        self._lexicon = lexicon
        self._sections = frozenset(template.section for template in self.templates)

    @cached_property
    def _one_pass(self) -> OnePass:
        return OnePass({"": self.templates}, self._lexicon)

    def has(self, section: str) -> bool:
        """Whether a section has any template."""
        return section in self._sections

    def matches(self, tokens: list[str], section: str, casing: str = NORMAL) -> list[Fit]:
        """Where templates of a section fit; matches of one template do not overlap."""
        matches = self._one_pass.matches(tokens, casing).get("", ())
        return group_by_section(matches, self.templates).get(section, [])


def group_by_section(
    matches: Iterable[Match], templates: Sequence[Template]
) -> dict[str, list[Fit]]:
    """Matches by section of their template, in order; matches of one template do not overlap."""
    found: dict[str, list[Fit]] = {}
    for number, first, after, apart in sorted(matches):
        if apart:
            template = templates[number]
            found.setdefault(template.section, []).append((template, first, after))
    return found
