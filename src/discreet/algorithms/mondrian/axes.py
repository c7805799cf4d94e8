"""A column of numbers that is cut at the median, and released as ranges."""

from __future__ import annotations

import re
from dataclasses import field

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints
from discreet.frequency.frequency_list import Codes
from discreet.hierarchy.hierarchy import SUPPRESSED, Hierarchy
from discreet.hierarchy.numbers import Scaled, count_places, read_numbers, scale_numbers, show
from discreet.hierarchy.refusals import UnreadableValuesError
from discreet.hierarchy.values import Values

# The classes to cut along one column, and the result.


NONE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Side:
    """Some classes seen along one column.

    ``rank`` and ``rows`` are those of their parts, ``place`` is the class of each part, rising;
    ``low`` and ``high`` are the first and last rank of each class, which always differ.
    """

    rank: Codes
    rows: Ints
    place: Ints
    low: Ints
    high: Ints


@dataclass(frozen=True, eq=False)
class Cut:
    """The child that each part goes to.

    Parts in ``divided`` leave ``stay`` of their rows in child 0, the others go to child 1.
    """

    child: Ints
    divided: Ints = field(default_factory=lambda: NONE)
    stay: Ints = field(default_factory=lambda: NONE)


LEADING_ZERO = re.compile(r"\s*[+-]?0\d", re.ASCII)
FIX = "Take the column out of 'ranges' of the algorithm: it is then cut along its hierarchy."


@dataclass(frozen=True, eq=False)
class NumberAxis:
    """The numbers of a column from low to high, a missing value after them.

    ``rank`` is the position of each ground code, the same for texts of the same number; ``numbers``
    are the distinct numbers in order. With ``relaxed``, rows with the median may go to either side;
    with ``divide``, even rows that are equal in all columns.
    """

    rank: Codes
    numbers: Scaled
    relaxed: bool = False
    divide: bool = False

    @classmethod
    def of(cls, hierarchy: Hierarchy, relaxed: bool, divide: bool) -> NumberAxis:
        """Read the values of a column; refused if one is not a number or would lose a zero."""
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
        scaled = scale_numbers(numbers, max(map(count_places, numbers), default=0))
        units, place = np.unique(scaled.units, return_inverse=True)
        rank = np.full(len(values), len(units), dtype=np.int32)
        rank[[value is not None for value in values]] = place
        return cls(rank, Scaled(units, scaled.places), relaxed, divide)

    @property
    def missing(self) -> int:
        """The rank of the missing value."""
        return len(self.numbers.units)

    def width(self, low: Ints, high: Ints) -> Floats:
        """The range as a share of the whole column's; 1 if numbers and missing values are mixed."""
        if not self.missing:
            return np.zeros(len(low))
        units = self.numbers.units.astype(np.float64)
        span = float(units[-1] - units[0]) or 1.0
        last = self.missing - 1
        share = (units[np.minimum(high, last)] - units[np.minimum(low, last)]) / span
        return np.where((low < high) & (high == self.missing), 1.0, share)

    def cut(self, side: Side) -> Cut:
        """Missing values are separated first; numbers are cut at the median."""
        child = (side.rank == self.missing).astype(np.int64)
        at = np.nonzero((side.high < self.missing)[side.place])[0]
        if not len(at):
            return Cut(child)
        order = at[np.lexsort((side.rank[at], side.place[at]))]
        place, rank, rows = side.place[order], side.rank[order], side.rows[order]
        first = np.nonzero(_find_changes(place))[0]
        before = np.cumsum(rows) - rows
        before -= np.repeat(before[first], np.diff(np.append(first, len(order))))
        sizes = np.repeat(np.add.reduceat(rows, first), np.diff(np.append(first, len(order))))
        if self.relaxed and self.divide:
            half = sizes // 2
            child[order] = before >= half
            over = (before < half) & (before + rows > half)
            return Cut(child, order[over], (half - before)[over])
        fresh = _find_changes(place) | (self.relaxed or _find_changes(rank))
        child[order] = _split_at_median(place, before, sizes, fresh, first)
        return Cut(child)


def _find_changes(sorted_codes: Ints | Codes) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Where a code differs from the one before."""
    new = np.ones(len(sorted_codes), dtype=np.bool_)
    new[1:] = sorted_codes[1:] != sorted_codes[:-1]
    return new


def _split_at_median(
    place: Ints, before: Ints, sizes: Ints, fresh: np.ndarray, first: Ints
) -> Ints:
    """Whether each part is after the cut that halves its class best.

    A class can be cut before each of its parts that is ``fresh``; of two equally good cuts the
    lower is taken.
    """
    off = np.where(fresh, np.abs(2 * before - sizes), sizes + 1)
    best = np.minimum.reduceat(off, first)
    number = np.cumsum(_find_changes(place)) - 1
    here = np.nonzero(off == best[number])[0]
    chosen = here[_find_changes(number[here])]
    after: Ints = (np.arange(len(place)) >= chosen[number]).astype(np.int64)
    return after


# A column that is cut along its hierarchy: a value into its children.


@dataclass(frozen=True, eq=False)
class TreeAxis:
    """The values of a column in an order in which every value of the hierarchy is one stretch.

    ``rank`` is the place of each ground code in that order; ``codes[level, place]`` is its code at
    a level, and ``shares[level, place]`` the share of leaves under that. The least common value of
    some rows is then that of the first and the last of them.
    """

    rank: Codes
    codes: Codes
    shares: Floats

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> TreeAxis:
        """Put the values in order, from the root down."""
        order = np.lexsort(hierarchy.maps)
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        codes = np.array(hierarchy.maps)[:, order]
        under = [leaves[at] for leaves, at in zip(hierarchy.leaves, codes, strict=True)]
        shares = (np.array(under) - 1) / max(1, hierarchy.leaf_count - 1)
        return cls(rank, codes, shares)

    def level(self, low: Ints, high: Ints) -> Ints:
        """The least level at which all values from ``low`` to ``high`` are equal."""
        different: Ints = (self.codes[:, low] != self.codes[:, high]).sum(axis=0)
        return different

    def width(self, low: Ints, high: Ints) -> Floats:
        """The leaves under the least common value, from 0 for one leaf to 1 for all."""
        found: Floats = self.shares[self.level(low, high), low]
        return found

    def cut(self, side: Side) -> Cut:
        """Every row goes with the child of the class's value that it is under."""
        below = self.level(side.low, side.high) - 1
        return Cut(self.codes[below[side.place], side.rank].astype(np.int64))


# The released values of classes in a column of ranges.


def build_range_values(
    axis: NumberAxis, hierarchy: Hierarchy, marginal: Floats, low: Ints, high: Ints
) -> tuple[Values, Ints]:
    """The values of a column, and the code of each class that lies from ``low`` to ``high``.

    A range covers all values of the table between its ends, including those of other classes;
    leaves of the hierarchy that are not in the table are not counted. A class of numbers and
    missing values gets the value of the hierarchy above the missing one and all numbers from
    ``low`` on.
    """
    ends, code = np.unique(np.stack([low, high], axis=1), axis=0, return_inverse=True)
    first, last = ends[:, 0], ends[:, 1]
    level, ground = _find_common_values(axis, hierarchy, first, last)
    mixed = (first < last) & (last == axis.missing)
    counts = [_sum_between(axis, amount, first, last) for amount in (hierarchy.leaves[0], marginal)]
    labels = [_write_range(axis, a, b) for a, b in ends.tolist()]
    mass = [np.bincount(codes, weights=marginal) for codes in hierarchy.maps]
    for i in np.nonzero(mixed)[0]:
        value = hierarchy.maps[level[i]][ground[i]]
        labels[i] = hierarchy.labels[level[i]][value]
        counts[0][i] = hierarchy.leaves[level[i]][value]
        counts[1][i] = mass[level[i]][value]
    values = Values(
        hierarchy.column,
        (*labels, SUPPRESSED),
        np.append(counts[0], hierarchy.leaf_count).astype(np.int64),
        np.append(level / max(1, hierarchy.height), 1.0),
        np.append(counts[1], marginal.sum()),
        np.array([*(label == SUPPRESSED for label in labels), True]),
        np.zeros(0, dtype=np.int64),
    )
    return values, code.reshape(-1)


def _write_range(axis: NumberAxis, low: int, high: int) -> str | None:
    """``20-35``, ``-5 to 5`` or ``7``; both ends belong to a range."""
    if low == axis.missing:
        return None
    units, places = axis.numbers
    start, end = (show(int(units[min(at, axis.missing - 1)]), places) for at in (low, high))
    if low == high:
        return start
    return f"{start} to {end}" if start.startswith("-") else f"{start}-{end}"


def _sum_between(axis: NumberAxis, amount: Ints | Floats, first: Ints, last: Ints) -> Floats:
    """Sum an amount of each ground value over the values from first to last."""
    by_rank = np.bincount(axis.rank, weights=amount, minlength=axis.missing + 1)
    total = np.append(0.0, np.cumsum(by_rank))
    found: Floats = total[last + 1] - total[first]
    return found


def _find_common_values(
    axis: NumberAxis, hierarchy: Hierarchy, first: Ints, last: Ints
) -> tuple[Ints, Ints]:
    """The level of the least common value of each range, and a ground value under it."""
    tree = TreeAxis.of(hierarchy)
    ground = np.argsort(axis.rank, kind="stable")
    begin = np.searchsorted(axis.rank[ground], np.arange(axis.missing + 2))
    stretches = [
        tree.rank[ground[begin[a] : begin[b + 1]]] for a, b in zip(first, last, strict=True)
    ]
    low = np.array([stretch.min() for stretch in stretches], dtype=np.int64)
    high = np.array([stretch.max() for stretch in stretches], dtype=np.int64)
    return tree.level(low, high), ground[begin[first]]
