"""Whether a set of columns tells enough apart, and if not, what every answer needs besides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from discreet.identify.cover.growing import Growing, RowsTold
from discreet.identify.minimal.difference_sets import DifferenceSets, clashes, differences

Told = TypeVar("Told", bound=Growing)

PAIRS = 256
"""Pairs of rows looked at when a set is no key."""


class Along(Generic[Told]):
    """What sets tell apart, kept for the first columns of the last set asked for."""

    def __init__(self, start: Told) -> None:
        self.told = [start]
        self.path: list[int] = []

    def at(self, path: Sequence[int]) -> Told:
        """What the columns of a set tell apart."""
        same = 0
        for new, old in zip(path, self.path, strict=False):
            if new != old:
                break
            same += 1
        del self.told[same + 1 :], self.path[same:]
        for place in path[same:]:
            self.told.append(self.told[-1].plus(place))  # type: ignore[arg-type]
            self.path.append(place)
        return self.told[-1]

    def value(self, path: Sequence[int]) -> int:
        """How much the columns of a set tell apart."""
        if not path or list(path) == self.path[: len(path)]:
            return self.at(path).value
        return self.at(path[:-1]).value_with(path[-1])


class Outsides(Generic[Told]):
    """Judges by a goal; a set that misses it is grown to a largest one that does.

    Every answer has a column outside of that largest set. Columns that tell little apart are
    added first: the larger the set, the fewer columns are outside, and the more that says.
    """

    def __init__(
        self, known: DifferenceSets, start: Told, goal: int, pause: Callable[[int], None]
    ) -> None:
        self.known, self.goal, self.pause = known, goal, pause
        self.along = Along(start)
        self.start = start

    @cached_property
    def order(self) -> list[int]:
        """Columns that tell little apart first."""
        return sorted(range(self.known.columns), key=lambda c: (self.start.value_with(c), c))

    def __call__(self, path: tuple[int, ...]) -> bool:
        """Whether the set meets the goal; if not, its outside is now known."""
        if self.along.value(path) >= self.goal:
            return True
        told: Growing = self.along.at(path)
        outside = []
        for place in self.order:
            if place in path:
                continue
            self.pause(0)
            if told.value_with(place) < self.goal:
                told = told.plus(place)
            else:
                outside.append(place)
        self.known.add([outside])
        return False


class Clashes:
    """Judges keys of a table: where two rows are alike, every key has a column they differ in.

    The empty set is left to ``first``: two rows at random differ in too much to say anything.
    """

    def __init__(
        self, known: DifferenceSets, start: RowsTold, first: Callable[[tuple[int, ...]], bool]
    ) -> None:
        self.known, self.table, self.first = known, start.table, first
        self.along = Along(start)

    def __call__(self, path: tuple[int, ...]) -> bool:
        """Whether the set is a key; if not, more difference sets are known."""
        if not path:
            return self.first(path)
        table, last = self.table, path[-1]
        rest = self.along.at(path[:-1]).partition
        left, right = clashes(rest.order, rest.starts, table.codes[last], table.sizes[last], PAIRS)
        if not len(left):
            return True
        self.known.add_masks(differences(table.codes, left, right))
        return False
