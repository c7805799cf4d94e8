"""What can be told of a template without running it: what it needs, its length, how far it looks.

Notes
-----
Departures: none; the thesis says nothing of how templates are matched.

Cost: one look at each part of the pattern, once.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from discreet.display import safe_repr
from discreet.scrub.template import Template, pieces

ENDLESS = 1_000_000_000


@safe_repr
class Facts(NamedTuple):
    """How many tokens a pattern takes, and how many before its start and from it on it looks at."""

    least: int
    most: int
    behind: int
    ahead: int
    needs: frozenset[str] = frozenset()
    """Atoms that some token there must fit."""

    @property
    def can_be_empty(self) -> bool:
        """Whether the pattern fits no token at all."""
        return self.least == 0


def pattern_facts(template: Template) -> Facts:
    """The facts of a template.

    Examples
    --------
    >>> facts = pattern_facts(Template("NAME", "(?<=<a>) <b>? (<c>|<c> <d>{2}) (?!<e>)", 1, "x"))
    >>> facts[:4], sorted(facts.needs)
    ((1, 4, 1, 5), ['<a>', '<c>'])
    """
    groups = [_Group("(")]
    for what, text in pieces(template):
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
    """A group while it is read: its branches, each a list of what follows one another."""

    def __init__(self, opening: str) -> None:
        self._opening = opening
        self.branches: list[list[Facts]] = [[]]

    def add(self, facts: Facts) -> None:
        self.branches[-1].append(facts)

    def repeat(self, times: str) -> None:
        """Let the last part come some times."""
        least, most = _times(times)
        part = self.branches[-1].pop()
        longest = min(most * part.most, ENDLESS)
        ahead = min(max(most - 1, 0) * part.most + part.ahead, ENDLESS)
        needs = part.needs if least else frozenset[str]()
        self.add(Facts(least * part.least, longest, part.behind, ahead, needs))

    def facts(self) -> Facts:
        branches = [_sequence(branch) for branch in self.branches]
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


def _times(text: str) -> tuple[int, int]:
    """How often at least and at most."""
    if text in ("?", "*", "+"):
        return int(text == "+"), 1 if text == "?" else ENDLESS
    least, comma, most = re.sub(r"[{}]", "", text).partition(",")
    return int(least), int(most or ENDLESS) if comma else int(least)


def _sequence(parts: list[Facts]) -> Facts:
    """The facts of parts that follow one another."""
    least = most = behind = ahead = 0
    for part in parts:
        behind = max(behind, part.behind - least)
        ahead = max(ahead, min(most + part.ahead, ENDLESS))
        least, most = least + part.least, min(most + part.most, ENDLESS)
    needs = frozenset[str]().union(*(part.needs for part in parts))
    return Facts(least, most, behind, ahead, needs)
