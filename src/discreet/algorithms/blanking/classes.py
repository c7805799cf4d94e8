"""Classes of rows that are blanked alike, while a release is being put together."""

from __future__ import annotations

from dataclasses import field

import numpy as np
import numpy.typing as npt

from discreet.algorithms.blanking.patterns import Patterns
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.frequency.class_counter import Groups
from discreet.frequency.classes import Ints, add_up

Places = npt.NDArray[np.int64]


@dataclass(eq=False)
class Parts:
    """Rows of tuples, each with the pattern it is blanked by; ``left`` are rows without one yet.

    ``placed[p]`` lists what pattern p blanks: tuples, and rows of each.
    """

    problem: Problem
    patterns: Patterns
    k: int
    left: Ints
    placed: dict[int, list[tuple[Places, Ints]]] = field(default_factory=dict)
    _spare: dict[int, tuple[Places, Ints]] = field(default_factory=dict)

    def at(self, pattern: int) -> tuple[Places, Ints]:
        """The tuples that a pattern blanks, each once, and how many rows of each."""
        pieces = self.placed.get(pattern, [])
        if not pieces:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        owner = np.concatenate([piece[0] for piece in pieces])
        rows = np.concatenate([piece[1] for piece in pieces])
        different, place = np.unique(owner, return_inverse=True)
        summed = np.bincount(place, weights=rows).astype(np.int64)
        here = summed > 0
        self.placed[pattern] = [(different[here], summed[here])]
        return self.placed[pattern][0]

    def place(self, pattern: int, owner: Places, rows: Ints) -> None:
        """Blank rows of tuples by a pattern; a negative number takes rows back."""
        if len(owner):
            self.placed.setdefault(pattern, []).append((owner, rows))
            self._spare.pop(pattern, None)

    def spare(self, pattern: int) -> tuple[Places, Ints]:
        """Tuples that a pattern blanks and rows of each without which all its classes have k."""
        if pattern not in self._spare:
            owner, rows = self.at(pattern)
            number, size = self.numbers(pattern, owner)
            order = np.argsort(number, kind="stable")
            owner, rows, number = owner[order], rows[order], number[order]
            over = add_up(number, rows, size).astype(np.int64) - self.k
            given = in_turn(number, rows, over)
            self._spare[pattern] = owner[given > 0], given[given > 0]
        return self._spare[pattern]

    def numbers(self, pattern: int, owner: Places) -> tuple[Places, int]:
        """The number of the class that each tuple is in on what a pattern leaves; how many."""
        if pattern == 0:
            different, number = np.unique(owner, return_inverse=True)
            return number, len(different)
        base = self.problem.counter.base
        some = Groups(
            base.node,
            np.ascontiguousarray(base.keys[:, owner]),
            np.ones(len(owner), dtype=np.int64),
            np.zeros((0, len(owner))),
            {},
        )
        classes, inverse = self.problem.counter.project(some, self.patterns.kept(pattern))
        return inverse.astype(np.int64), len(classes)


def in_turn(group: Places, rows: Ints, wanted: Ints) -> Ints:
    """What each member of sorted groups gives, the first first, until its group has enough."""
    before = np.cumsum(rows) - rows
    first = np.searchsorted(group, group)
    taken: Ints = np.clip(wanted[group] - (before - before[first]), 0, rows)
    return taken
