"""One reader's pieces of the table, counted in a part that is to be released."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from functools import cached_property

import numpy as np

from discreet.algorithms.solution import Solution
from discreet.display import dataclass
from discreet.frequency.class_counter import Groups
from discreet.frequency.classes import Floats, Ints, Mask, add_up
from discreet.frequency.frequency_list import Entries
from discreet.ledger.numbered import Numbers
from discreet.ledger.pieces import Pieces
from discreet.ledger.told_apart import ToldApart
from discreet.ledger.whole_table import WholeTable

NEVER = 1 << 62
"""More rows than any class has."""


@dataclass(frozen=True, eq=False)
class Guard:
    """Keeps what a reader can tell apart at no row, or enough.

    Parameters
    ----------
    name
        The name of its counts.
    k
        The smallest number of rows that somebody may tell apart.
    columns
        The columns that somebody knows of everybody; all quasi columns if None.
    told
        The pieces that the earlier releases tell apart.
    whole
        The table of which a part is released.
    inside
        Which of its tuples are in the part.
    places
        Where the part has each of them.
    """

    name: str
    k: int
    columns: tuple[str, ...] | None
    told: ToldApart
    whole: WholeTable = field(repr=False)
    inside: Mask = field(repr=False)
    places: Numbers = field(repr=False)

    @cached_property
    def needs(self) -> Ints:
        """How many rows of each piece may be told apart."""
        return self.told.needs(self.k)

    @property
    def _within(self) -> Floats:
        rows = np.where(self.inside, self.whole.frequency.rows, 0)
        return add_up(self.told.piece, rows, len(self.told.rows))

    @property
    def model(self) -> Pieces:
        """The promise that the search has to keep.

        A piece of which the part leaves too few rows out is not released at all.
        """
        left_over = self._too_few(self.told.rows - self._within)
        needs = np.where(left_over, NEVER, self.needs)
        return Pieces(self.name, self.k, needs, self.columns)

    def entries(self) -> Entries:
        """Rows of each tuple of the part by piece."""
        size = len(self.told.rows)
        pairs = self.places * size + self.told.piece[self.inside]
        which, number = np.unique(pairs, return_inverse=True)
        rows = self.whole.frequency.rows[self.inside]
        count = add_up(number.reshape(-1), rows, len(which)).astype(np.int64)
        owner, value = np.divmod(which, size)
        return Entries(owner.astype(np.int32), value.astype(np.int32), count)

    def _too_few(self, rows: Floats) -> Mask:
        """Mark the pieces of which so many rows would be told apart as left out."""
        found: Mask = self.told.seen & (rows > 0) & (rows < self.needs)
        return found

    def left_behind(self, groups: Groups, dropped: Ints) -> Mask:
        """Mark the classes that must go, since too few rows of a piece of theirs stay out."""
        entries = groups.entries[self.name]
        kept = (dropped < groups.rows)[entries.owner] & (entries.count > 0)
        shown = add_up(entries.value, np.where(kept, entries.count, 0), len(self.told.rows))
        bad = self._too_few(self.told.rows - shown)
        found = np.zeros(len(groups), dtype=np.bool_)
        found[entries.owner[kept & bad[entries.value]]] = True
        return found


def completed(guards: Iterable[Guard], solution: Solution) -> Ints:
    """Rows of each class to leave out, so that those left out are told apart in enough numbers."""
    groups, dropped = solution.groups, solution.dropped
    before = -1
    while int(dropped.sum()) != before:
        before = int(dropped.sum())
        for guard in guards:
            dropped = np.where(guard.left_behind(groups, dropped), groups.rows, dropped)
    return dropped
