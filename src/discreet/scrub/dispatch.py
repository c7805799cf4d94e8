"""Runs many templates in one pass: at each token, only those whose first words fit there.

Notes
-----
[Sweeney2001]_, sec. 9.3: detection algorithms run "in parallel"; here they share one pass.

Departures: none.

Cost: a few dictionary look-ups a token, in C; a template is tried where its first words fit, if
words that it cannot do without are near.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain, islice, repeat
from operator import getitem, or_

from discreet.display import safe_repr
from discreet.scrub.atoms import END, START, Letter
from discreet.scrub.automaton import Automaton, State
from discreet.scrub.expression import Expression, Row
from discreet.scrub.positions import positions

_BLOCK = 64
"""Places for which it is told together which templates cannot fit there at all."""

_DEPTH = 4
"""Words that are looked at before a template is tried."""

Match = tuple[int, int, int, bool]
"""Where a template fits: its number, first token, token after the last, whether it is apart.

It is apart if it starts after the last such match of the template has ended.
"""


class Dispatch:
    """Expressions by number, tried where their first words fit; ``bits`` are those of atoms.

    Examples
    --------
    >>> from discreet.scrub.template import Template
    >>> bits = {'"dear"': 4, "<first>": 8}
    >>> dear = Expression(Template("NAME", '"dear" [<first>]', 0.9, "dear"), bits)
    >>> Dispatch({0: dear}, bits).run([Letter(0), Letter(4), Letter(8)])
    [(0, 2, 3, True)]
    """

    def __init__(self, expressions: Mapping[int, Expression], bits: Mapping[str, int]) -> None:
        self._expressions = expressions
        self._anywhere = [n for n, e in expressions.items() if e.can_be_empty]
        self._before = [START] * max((e.behind for e in expressions.values()), default=0)
        automaton = Automaton()
        for number, expression in expressions.items():
            if not expression.can_be_empty:
                automaton.add(number, positions(expression.template), bits)
        self._start = automaton.start

    def run(self, letters: Sequence[Letter]) -> list[Match]:
        """Every match in a text, place by place."""
        before = len(self._before)
        free: dict[int, int] = {}
        row = (*self._before, *letters, END)
        matches = [m for number in self._anywhere for m in self._everywhere(number, row)]
        states = self._states(letters)
        for block in range(0, len(letters), _BLOCK):
            wanted = _Wanted(self._expressions, row[block : block + before + 2 * _BLOCK])
            for place, state in zip(range(block, block + _BLOCK), states, strict=False):
                for number in state.tries:
                    expression = wanted[number]
                    found = expression and expression.at(row, place + before)
                    if found:
                        length, first, after = found
                        apart = free.get(number, 0) <= place
                        if apart:
                            free[number] = place + length
                        if first < after:
                            matches.append((number, place + first, place + after, apart))
        return matches

    def _everywhere(self, number: int, row: Row) -> Iterator[Match]:
        """Matches of an expression that can be empty."""
        before = len(self._before)
        for first, after in self._expressions[number].everywhere(row):
            if first < after:
                yield number, first - before, after - before, True

    def _states(self, letters: Sequence[Letter]) -> Iterator[State]:
        """For each place, what its letter and the next ones leave possible."""
        states = map(self._start.__getitem__, letters)
        for ahead in range(1, _DEPTH):
            following = chain(islice(letters, ahead, None), repeat(END))
            states = map(getitem, states, following)
        return states


@safe_repr
class _Wanted(dict[int, Expression | None]):
    """The expressions for which a stretch of text has all that they cannot do without."""

    def __init__(self, expressions: Mapping[int, Expression], row: Row) -> None:
        super().__init__()
        self._expressions = expressions
        self._lacks = ~reduce(or_, [letter.fits for letter in set(row)], 0)

    def __missing__(self, number: int) -> Expression | None:
        expression = self._expressions[number]
        lacks = expression.needs & self._lacks and expression.ahead <= _BLOCK
        wanted = self[number] = None if lacks else expression
        return wanted
