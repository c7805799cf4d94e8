"""A column of numbers that is cut at the median, and released as ranges."""

from __future__ import annotations

import re

import numpy as np

from discreet.algorithms.mondrian_cuts.cut import Cut, Side
from discreet.display import dataclass
from discreet.errors import UnreadableValuesError
from discreet.frequency.classes import Floats, Ints
from discreet.frequency.frequency_list import Codes
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.numbers import Scaled, places_of, read_numbers, scale

LEADING_ZERO = re.compile(r"\s*[+-]?0\d", re.ASCII)
FIX = "Take the column out of 'ranges' of the algorithm: it is then cut along its hierarchy."


@dataclass(frozen=True, eq=False)
class NumberAxis:
    """The numbers of a column from low to high, a missing value after them.

    ``rank`` is the place of each ground code, the same for texts that are the same number;
    ``numbers`` are the different numbers in order. With ``relaxed`` rows with the median may go to
    either side; with ``divide`` even rows that are alike in all columns.
    """

    rank: Codes
    numbers: Scaled
    relaxed: bool = False
    divide: bool = False

    @classmethod
    def of(cls, hierarchy: Hierarchy, relaxed: bool, divide: bool) -> NumberAxis:
        """Read the values of a column; refused if one is no number or would lose a zero."""
        values = hierarchy.labels[0]
        present = [value for value in values if value is not None]
        read = read_numbers(present)
        numbers = [
            n
            for n, text in zip(read, present, strict=True)
            if n is not None and not LEADING_ZERO.match(text)
        ]
        unread = len(present) - len(numbers)
        if unread:
            wanted = "numbers, or start with a zero that a range would lose"
            raise UnreadableValuesError(hierarchy.column, wanted, unread, len(values), FIX)
        scaled = scale(numbers, max(map(places_of, numbers), default=0))
        units, place = np.unique(scaled.units, return_inverse=True)
        rank = np.full(len(values), len(units), dtype=np.int32)
        rank[[value is not None for value in values]] = place
        return cls(rank, Scaled(units, scaled.places), relaxed, divide)

    @property
    def missing(self) -> int:
        """The rank of the missing value."""
        return len(self.numbers.units)

    def width(self, low: Ints, high: Ints) -> Floats:
        """The range as a share of the whole column's; 1 where numbers and missing are mixed."""
        if not self.missing:
            return np.zeros(len(low))
        units = self.numbers.units.astype(np.float64)
        span = float(units[-1] - units[0]) or 1.0
        last = self.missing - 1
        share = (units[np.minimum(high, last)] - units[np.minimum(low, last)]) / span
        return np.where((low < high) & (high == self.missing), 1.0, share)

    def cut(self, side: Side) -> Cut:
        """Missing values leave first; numbers part at the median."""
        child = (side.rank == self.missing).astype(np.int64)
        at = np.nonzero((side.high < self.missing)[side.place])[0]
        if not len(at):
            return Cut(child)
        order = at[np.lexsort((side.rank[at], side.place[at]))]
        place, rank, rows = side.place[order], side.rank[order], side.rows[order]
        first = np.nonzero(_changes(place))[0]
        before = np.cumsum(rows) - rows
        before -= np.repeat(before[first], np.diff(np.append(first, len(order))))
        sizes = np.repeat(np.add.reduceat(rows, first), np.diff(np.append(first, len(order))))
        if self.relaxed and self.divide:
            half = sizes // 2
            child[order] = before >= half
            over = (before < half) & (before + rows > half)
            return Cut(child, order[over], (half - before)[over])
        fresh = _changes(place) | (self.relaxed or _changes(rank))
        child[order] = _after_the_middle(place, before, sizes, fresh, first)
        return Cut(child)


def _changes(sorted_codes: Ints | Codes) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Where a code differs from the one before."""
    new = np.ones(len(sorted_codes), dtype=np.bool_)
    new[1:] = sorted_codes[1:] != sorted_codes[:-1]
    return new


def _after_the_middle(
    place: Ints, before: Ints, sizes: Ints, fresh: np.ndarray, first: Ints
) -> Ints:
    """Whether each part stands behind the cut that halves its class best.

    A class can be cut in front of each of its parts that is ``fresh``; of two cuts that are as
    good, the lower is taken.
    """
    off = np.where(fresh, np.abs(2 * before - sizes), sizes + 1)
    best = np.minimum.reduceat(off, first)
    number = np.cumsum(_changes(place)) - 1
    here = np.nonzero(off == best[number])[0]
    chosen = here[_changes(number[here])]
    after: Ints = (np.arange(len(place)) >= chosen[number]).astype(np.int64)
    return after
