"""What new columns do to the classes of releases that lack them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.frequency.class_counter import Groups
from discreet.frequency.classes import Floats, Ints, Mask, add_up
from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.ledger.entry import Entry
from discreet.ledger.fingerprints import classes_now
from discreet.ledger.key import Key


@dataclass(frozen=True, eq=False)
class Split:
    """The classes of an earlier release that new columns would divide.

    ``columns`` are those of the earlier release; ``then`` has the rows of each of its classes, at
    one tuple of the class, and 0 for classes that a release with all columns has divided already.
    """

    name: str
    columns: tuple[str, ...]
    then: Floats

    def crowded_out(self, problem: Problem, groups: Groups, k: int) -> Mask:
        """Mark the parts of a class that may hold fewer than k of its old rows.

        Which rows of a class are new is not known, so all of them may be in any of its parts.
        """
        classes, owner = problem.counter.project(groups, self._places(problem))
        sums = groups.tallies[list(problem.frequency.tallies).index(self.name)]
        then = add_up(owner, sums, len(classes))
        new = np.where(then > 0, np.abs(classes.rows - then), 0.0)
        found: Mask = (groups.rows > 0) & (groups.rows < k + new[owner]) & (then[owner] > 0)
        return found

    def as_wholes(self, problem: Problem, groups: Groups, dropped: Ints) -> Ints:
        """Leave out every part of a class of which one part is left out."""
        classes, owner = problem.counter.project(groups, self._places(problem))
        hit = np.zeros(len(classes), dtype=np.bool_)
        hit[owner[dropped > 0]] = True
        whole: Ints = np.where(hit[owner], groups.rows, dropped)
        return whole

    def _places(self, problem: Problem) -> tuple[int, ...]:
        return tuple(problem.frequency.columns.index(name) for name in self.columns)


def splits(
    key: Key,
    table: str,
    frequency: FrequencyList,
    hierarchies: Sequence[Hierarchy],
    held: Sequence[Entry],
    reader: int,
) -> tuple[Split, ...]:
    """The releases of one reader that lack a column, with their classes as they were."""
    by_name = {hierarchy.column: hierarchy for hierarchy in hierarchies}
    divided = np.zeros(len(frequency), dtype=np.bool_)
    for entry in held:
        if set(entry.levels) == set(frequency.columns):
            now = classes_now(key, table, frequency, by_name, entry.levels)
            divided |= np.array([mark in entry.classes for mark in now.prints])[now.owner]
    found = []
    for entry in held:
        if set(entry.levels) < set(frequency.columns):
            now = classes_now(key, table, frequency, by_name, entry.levels)
            then = np.array([entry.classes.get(mark, 0) for mark in now.prints], dtype=np.float64)
            then[add_up(now.owner, divided, len(then)) > 0] = 0
            sums = np.zeros(len(frequency))
            sums[now.first] = then
            found.append(Split(f"then {reader}.{entry.number}", tuple(entry.levels), sums))
    return tuple(found)
