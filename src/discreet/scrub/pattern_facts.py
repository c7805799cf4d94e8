"""What can be told of a template without running it: what it needs, and how it can start.

Notes
-----
Departures: none; the thesis says nothing of how templates are matched.

Cost: one look at each part of the pattern, once.
"""

from __future__ import annotations

from typing import NamedTuple

from discreet.scrub.template import Template, pieces


class Facts(NamedTuple):
    """The atoms a text must have a token for, those a match can start with, whether it needs none.

    Where a match can be empty, it can start anywhere.
    """

    needs: frozenset[str]
    starts: frozenset[str]
    can_be_empty: bool


_NOTHING = Facts(frozenset(), frozenset(), True)


def pattern_facts(template: Template) -> Facts:
    """The facts of a template.

    Examples
    --------
    >>> facts = pattern_facts(Template("NAME", "(?<=<a>) <b>? (<c>|<c> <d>)", 1, "x"))
    >>> sorted(facts.needs), sorted(facts.starts), facts.can_be_empty
    (['<a>', '<c>'], ['<b>', '<c>'], False)
    """
    groups = [_Group("(")]
    for what, text in pieces(template):
        if what in ("atom", "literal"):
            atom = frozenset({text})
            groups[-1].add(Facts(atom, atom, False))
        elif what == "edge":
            groups[-1].add(_NOTHING)
        elif what == "times":
            if text in ("?", "*") or text.startswith("{0"):
                groups[-1].make_optional()
        elif text in (")", "]"):
            inner = groups.pop()
            groups[-1].add(inner.facts())
        elif text == "|":
            groups[-1].branches.append([])
        else:
            groups.append(_Group(text))
    return groups[0].facts()


class _Group:
    """A group while it is read: its branches, each a list of what follows one another."""

    def __init__(self, opening: str) -> None:
        self._opening = opening
        self.branches: list[list[Facts]] = [[]]

    def add(self, facts: Facts) -> None:
        self.branches[-1].append(facts)

    def make_optional(self) -> None:
        last = self.branches[-1].pop()
        self.add(Facts(frozenset(), last.starts, True))

    def facts(self) -> Facts:
        branches = [_sequence(branch) for branch in self.branches]
        needs = frozenset.intersection(*(branch.needs for branch in branches))
        if self._opening in ("(?!", "(?<!"):
            return _NOTHING
        if self._opening in ("(?=", "(?<="):
            return Facts(needs, frozenset(), True)
        starts = frozenset().union(*(branch.starts for branch in branches))
        return Facts(needs, starts, any(branch.can_be_empty for branch in branches))


def _sequence(parts: list[Facts]) -> Facts:
    """The facts of parts that follow one another."""
    needs = frozenset[str]().union(*(part.needs for part in parts))
    starts, can_be_empty = frozenset[str](), True
    for part in parts:
        if can_be_empty:
            starts |= part.starts
            can_be_empty = part.can_be_empty
    return Facts(needs, starts, can_be_empty)
