"""Pieces of the table that several releases tell apart: none in a class, or enough rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import cached_property
from typing import ClassVar

import numpy as np

from discreet.algorithms.solution import Solution
from discreet.display import dataclass
from discreet.frequency.class_counter import Groups
from discreet.frequency.classes import Classes, Floats, Histogram, Ints, Mask, add_up
from discreet.frequency.frequency_list import Entries
from discreet.ledger.entry import Entry
from discreet.ledger.fingerprints import Numbers, group_as_released, number_lines
from discreet.ledger.key import Key
from discreet.ledger.whole_table import WholeTable
from discreet.models.verdict import Verdict


@dataclass(frozen=True, eq=False)
class Pieces:
    """Every class has none or enough rows of every piece that earlier releases separate.

    Rows are in one piece if every earlier release shows them with equal values, or shows none of
    them. Anybody who holds those releases and the new one can divide a class of the new one into
    pieces.

    Parameters
    ----------
    tally
        The name under which rows are counted by piece.
    k
        The smallest number of rows that may be separated.
    needs
        How many rows of each piece a class needs if it has any.
    columns
        The quasi-identifier this holds for; all quasi columns if not given.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.2 and 5.5.3. *Departures*: the thesis has the later release generalize
    the earlier one; parts of a table overlap, so what two of them tell apart is counted instead
    (``docs/decisions/0028-parts-are-compared-by-what-they-tell-apart.md``). *Cost*: as l-diversity.
    """

    tally: str
    k: int
    needs: Ints = field(repr=False)
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "earlier_releases"
    hereditary: ClassVar[bool] = False
    least_rows: ClassVar[int] = 1

    @property
    def sensitive(self) -> str:
        """Rows by piece are counted as sensitive values are."""
        return self.tally

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.k

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return f"fewer than {self.k} rows are never told apart by earlier releases"

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes with too few rows of some piece."""
        histogram = classes.histograms[self.tally]
        found = np.zeros(len(classes), dtype=np.bool_)
        found[histogram.owner[self._mark_small(histogram)]] = True
        return found

    def count_keepable(self, classes: Classes) -> Floats:
        """Too few rows of a piece here are too few at every finer node."""
        histogram = classes.histograms[self.tally]
        amounts = np.where(self._mark_small(histogram), 0, histogram.count)
        return classes.sum_by_class(histogram, amounts)

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the smallest number of rows that is told apart."""
        histogram = classes.histograms[self.tally]
        there = histogram.count[histogram.count > 0]
        failing = self.fails(classes)
        return Verdict(
            self.name,
            not failing.any(),
            float(there.min()) if len(there) else 0.0,
            self.k,
            int(classes.rows[failing].sum()),
            columns,
            "smallest set of rows distinguishable with earlier releases" if len(there) else "",
        )

    def _mark_small(self, histogram: Histogram) -> Mask:
        found: Mask = (histogram.count > 0) & (histogram.count < self.needs[histogram.value])
        return found


# The rows of the whole table that earlier releases separate.


@dataclass(frozen=True, eq=False)
class SeparatedPieces:
    """The piece of every tuple of the whole table: tuples with equal values in all releases.

    Parameters
    ----------
    piece
        The number of each tuple's piece.
    rows
        Rows of each piece, now.
    seen
        Whether any release shows a piece.
    added
        Most rows of a piece that were added after some release that would show them.
    gone
        Rows of each release that the table does not have any more.
    """

    piece: Numbers
    rows: Ints
    seen: Mask
    added: Ints
    gone: dict[int, int]

    def unsure(self, k: int) -> bool:
        """Whether a piece may be as large as k only by rows that came later, wherever they are."""
        changed = bool(self.added.any()) or bool(self.gone)
        return changed and bool((self.seen & (self.rows - self.added < k)).any())

    def needs(self, k: int) -> Ints:
        """How many rows of each piece may be told apart from its others.

        At least k that were there all along, whichever rows came later. A piece that is smaller
        already may not be divided any more.
        """
        enough = k + self.added + sum(self.gone.values())
        whole = np.maximum(self.rows, 1)
        found = np.where(self.seen & (self.rows - self.added < k), whole, enough)
        return np.where(self.seen, found, k).astype(np.int64)


def find_told_apart(
    key: Key,
    table: str,
    whole: WholeTable,
    releases: Sequence[Entry],
    columns: Sequence[str] | None = None,
) -> SeparatedPieces:
    """The pieces for somebody who holds releases and knows some columns, or all, of everybody.

    A release shows the tuples that met its condition then and were in a class that the ledger has.

    *Cost*: one hash for each class at the levels of each release.
    """
    size = len(whole.frequency)
    piece, added = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    seen = np.zeros(size, dtype=np.bool_)
    gone: dict[int, int] = {}
    for entry in releases:
        inside = whole.meets(entry.where)
        now = group_as_released(key, table, whole.frequency, whole.hierarchies, entry.levels)
        rows = add_up(now.owner, whole.frequency.rows * inside, len(now.first)).astype(np.int64)
        then = np.array([entry.classes.get(mark, 0) for mark in now.prints], dtype=np.int64)
        shown = inside & (then > 0)[now.owner]
        lost = sum(entry.classes.values()) - int(np.minimum(then, rows).sum())
        if lost:
            gone[entry.number] = lost
        more = np.where(then > 0, np.maximum(rows - then, 0), 0)
        added += np.where(shown, more[now.owner] if columns is None else more.sum(), 0)
        seen |= shown
        label = _label_tuples(whole, entry, columns)
        piece = number_lines([piece, np.where(shown, label + 1, 0)])
    rows_of = add_up(piece, whole.frequency.rows, int(piece.max(initial=0)) + 1).astype(np.int64)
    return SeparatedPieces(
        piece,
        rows_of,
        _find_largest_amounts(piece, seen.astype(np.int64), len(rows_of)) > 0,
        _find_largest_amounts(piece, added, len(rows_of)),
        gone,
    )


def _label_tuples(whole: WholeTable, entry: Entry, columns: Sequence[str] | None) -> Numbers:
    """What a release shows for each tuple, in the columns that somebody knows."""
    frequency = whole.frequency
    found = [np.zeros(len(frequency), dtype=np.int64)]
    for name, level in entry.levels.items():
        if columns is None or name in columns:
            codes = frequency.codes[frequency.columns.index(name)]
            found.append(whole.hierarchies[name].maps[level][codes].astype(np.int64))
    return number_lines(found)


def _find_largest_amounts(piece: Numbers, amounts: Numbers, size: int) -> Ints:
    """The largest amount of any tuple of a piece."""
    found = np.zeros(size, dtype=np.int64)
    np.maximum.at(found, piece, amounts)
    return found


# One reader's pieces of the table, counted in a part that is to be released.


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
        The smallest number of rows that may be separated.
    columns
        The columns that somebody knows of everybody; all quasi columns if None.
    separated
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
    separated: SeparatedPieces
    whole: WholeTable = field(repr=False)
    inside: Mask = field(repr=False)
    places: Numbers = field(repr=False)

    @cached_property
    def needs(self) -> Ints:
        """How many rows of each piece may be told apart."""
        return self.separated.needs(self.k)

    @property
    def _within(self) -> Floats:
        rows = np.where(self.inside, self.whole.frequency.rows, 0)
        return add_up(self.separated.piece, rows, len(self.separated.rows))

    @property
    def model(self) -> Pieces:
        """The promise that the search has to keep.

        A piece of which the part leaves too few rows out is not released at all.
        """
        left_over = self._mark_too_few(self.separated.rows - self._within)
        needs = np.where(left_over, NEVER, self.needs)
        return Pieces(self.name, self.k, needs, self.columns)

    def entries(self) -> Entries:
        """Rows of each tuple of the part by piece."""
        size = len(self.separated.rows)
        pairs = self.places * size + self.separated.piece[self.inside]
        which, number = np.unique(pairs, return_inverse=True)
        rows = self.whole.frequency.rows[self.inside]
        count = add_up(number.reshape(-1), rows, len(which)).astype(np.int64)
        owner, value = np.divmod(which, size)
        return Entries(owner.astype(np.int32), value.astype(np.int32), count)

    def _mark_too_few(self, rows: Floats) -> Mask:
        """Mark the pieces whose left-out ``rows`` would be too few to hide among each other."""
        found: Mask = self.separated.seen & (rows > 0) & (rows < self.needs)
        return found

    def mark_left_behind(self, groups: Groups, dropped: Ints) -> Mask:
        """Mark the classes that must be left out too, as too few rows of a piece of theirs are."""
        entries = groups.entries[self.name]
        kept = (dropped < groups.rows)[entries.owner] & (entries.count > 0)
        shown = add_up(entries.value, np.where(kept, entries.count, 0), len(self.separated.rows))
        bad = self._mark_too_few(self.separated.rows - shown)
        found = np.zeros(len(groups), dtype=np.bool_)
        found[entries.owner[kept & bad[entries.value]]] = True
        return found


def complete_left_out(guards: Iterable[Guard], solution: Solution) -> Ints:
    """Rows of each class to leave out, so that those left out are told apart in enough numbers."""
    groups, dropped = solution.groups, solution.dropped
    before = -1
    while int(dropped.sum()) != before:
        before = int(dropped.sum())
        for guard in guards:
            dropped = np.where(guard.mark_left_behind(groups, dropped), groups.rows, dropped)
    return dropped
