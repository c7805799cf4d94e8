"""The released values of one column, given how many distinct values may be left."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Literal

import numpy as np

from discreet.algorithms.mondrian.axes import NumberAxis, build_range_values
from discreet.algorithms.probabilistic.clusters import (
    FEW_VALUES,
    Clusters,
    check,
    cluster_into_number,
    cluster_values,
    find_best_stretches,
    find_centres,
)
from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints, add_up
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.numbers import Scaled, count_places, read_numbers, scale_numbers, show
from discreet.hierarchy.refusals import UnreadableValuesError
from discreet.hierarchy.values import Values

# Columns without an order: the finest level of the hierarchy with few enough values.


def list_level_sizes(hierarchy: Hierarchy) -> Ints:
    """The numbers of values to which a column can be reduced, rising."""
    sizes = {hierarchy.size(level) for level in range(hierarchy.height + 1)}
    return np.array(sorted(sizes), dtype=np.int64)


def find_finest_level(hierarchy: Hierarchy, most: int) -> int:
    """The finest level with at most ``most`` values; the root if there is none.

    Notes
    -----
    [Lodha2008]_, sec. 4.2, fig. 2. *Departures*: none; the values of a level are those that the
    table has.
    """
    levels = range(hierarchy.height + 1)
    return next((at for at in levels if hierarchy.size(at) <= most), hierarchy.height)


# Buckets of equally many rows: the masking that moves rows over the fewest others.


def cut_quantiles(values: Floats, counts: Ints, k: int) -> Clusters:
    """Partition values into stretches of at least k rows with the least rank difference.

    The cost is the rank difference: the number of rows that all rows pass when each moves to the
    median of its bucket.

    Notes
    -----
    [Lodha2008]_, sec. 4.1, definitions 8 and 9, theorem 5. *Departures*: rows with the same value
    stay together, since no range can separate them. Buckets of equal size are then not always
    possible, nor always best, so the least rank difference is found by dynamic programming. *Cost*:
    only the sort if no value repeats, otherwise n log n for n values.

    >>> cut_quantiles(np.arange(7.0), np.ones(7, dtype=np.int64), 3).starts.tolist()
    [0, 4]
    """
    if len(counts) and int(counts.max()) == 1:
        before = check(values, counts, k)
        number = len(counts) // k
        base, longer = divmod(len(counts), number)
        sizes = np.full(number, base, dtype=np.int64)
        sizes[:longer] += 1
        starts = np.cumsum(sizes) - sizes
        cost = float(rank_difference(sizes))
        return Clusters(*find_centres(starts, values, before, "ranks"), cost)
    return find_best_stretches(values, counts, k, "ranks")


def rank_difference(sizes: Ints) -> int:
    """The number of rows that the rows of buckets of these sizes pass, each moving to its median.

    Notes
    -----
    [Lodha2008]_, definition 8, for buckets that are stretches: s rows move over s^2/4, rounded
    down.

    >>> rank_difference(np.array([3, 2]))
    3
    """
    return int((np.asarray(sizes, dtype=np.int64) ** 2 // 4).sum())


# The values of a column in order: numbers, dates, or codes of one length.


LEADING_ZERO = re.compile(r"\s*[+-]?0\d", re.ASCII)
CODE = re.compile(r"\d{1,15}", re.ASCII)
DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
FIX = "Take the column out of 'ranges' of probabilistic: it then follows its hierarchy."


@dataclass(frozen=True, eq=False)
class OrderedValues:
    """The distinct values of a column from low to high, a missing value after them.

    ``rank`` is the position of each ground code, the same for texts that mean the same; ``numbers``
    are the positions of the values, ``texts`` their notation, and ``dash`` the text between the two
    ends of a range.
    """

    rank: Ints
    numbers: Floats
    texts: tuple[str, ...]
    dash: str

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> OrderedValues:
        """Read the values of a column: all numbers, all dates (1964-02-29), or all codes.

        Numbers written with a leading zero are codes, such as 02138, if all have as many digits.
        """
        values = hierarchy.labels[0]
        present = [value for value in values if value is not None]
        found = _read_as_numbers(present) or _read_as_days(present) or _read_as_codes(present)
        if found is None:
            unread = len(present) - sum(n is not None for n in read_numbers(present))
            wanted = "numbers, dates such as 1964-02-29 or codes of one length"
            number = unread or len(present)
            raise UnreadableValuesError(hierarchy.column, wanted, number, len(values), FIX)
        keys, texts, dash = found
        different, first, place = np.unique(keys, return_index=True, return_inverse=True)
        rank = np.full(len(values), len(different), dtype=np.int64)
        rank[[value is not None for value in values]] = place
        return cls(rank, different, tuple(texts[at] for at in first.tolist()), dash)

    @property
    def missing(self) -> int:
        """The rank of the missing value."""
        return len(self.numbers)

    def label(self, low: int, high: int) -> str:
        """A range from one rank to another, both included: ``20-35``, ``-5 to 5``, ``7``."""
        start, end = self.texts[low], self.texts[high]
        if low == high:
            return start
        return f"{start} to {end}" if start.startswith("-") else f"{start}{self.dash}{end}"


Read = tuple[Floats, list[str], str]


def _read_as_numbers(texts: list[str]) -> Read | None:
    if any(LEADING_ZERO.match(text) for text in texts):
        return None
    numbers = read_numbers(texts)
    present = [number for number in numbers if number is not None]
    if len(present) < len(texts):
        return None
    units, places = scale_numbers(present, max(map(count_places, present), default=0))
    return units.astype(np.float64), [show(int(u), places) for u in units], "-"


def _read_as_days(texts: list[str]) -> Read | None:
    if not all(map(DAY.fullmatch, texts)):
        return None
    try:
        days = [float(date.fromisoformat(text).toordinal()) for text in texts]
    except ValueError:
        return None
    return np.array(days), texts, " to "


def _read_as_codes(texts: list[str]) -> Read | None:
    if not all(map(CODE.fullmatch, texts)) or len({len(text) for text in texts}) > 1:
        return None
    return np.array([float(text) for text in texts]), texts, " to "


Method = Literal["quantiles", "distances", "radius", "cellular"]
Shown = Literal["ranges", "centres"]


@dataclass(frozen=True, eq=False)
class ColumnMask:
    """A recoding of one column: ``code`` has the code of each ground value in ``values``.

    ``count`` distinct values are left, the rarest of which has ``rarest`` of the rows.
    """

    values: Values
    code: Ints
    count: int
    rarest: float


def mask_category(hierarchy: Hierarchy, marginal: Floats, rows: Ints, most: int) -> ColumnMask:
    """A column at the finest level of its hierarchy with few enough values."""
    level = find_finest_level(hierarchy, most)
    values = Values.of(hierarchy, marginal)
    code = values.start[level] + hierarchy.maps[level].astype(np.int64)
    return _mask(values, code, rows)


def number_mask(
    ordered: OrderedValues,
    hierarchy: Hierarchy,
    marginal: Floats,
    rows: Ints,
    most: int,
    method: Method,
    shown: Shown,
) -> ColumnMask:
    """A column of numbers, dates or codes as ranges of about as many rows each.

    Missing values are one of the values left; if only one is left, all are released as the value
    above them in the hierarchy. A column that may keep all its values is left as it is.
    """
    if hierarchy.size(0) <= most:
        return mask_category(hierarchy, marginal, rows, most)
    by_rank = add_up(ordered.rank, rows, ordered.missing + 1).astype(np.int64)
    some_missing = bool(by_rank[-1])
    low, high, centres = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64)
    apart = most > 1 or not some_missing or not ordered.missing
    if ordered.missing and apart:
        found = cut_buckets(ordered.numbers, by_rank[:-1], most - some_missing, method)
        low, centres = found.starts, found.centres
        high = np.append(low[1:], ordered.missing) - 1
    texts: list[str | None] = [
        ordered.texts[c] if shown == "centres" else ordered.label(a, b)
        for a, b, c in zip(low.tolist(), high.tolist(), centres.tolist(), strict=True)
    ]
    if some_missing:
        low = np.append(low, ordered.missing if apart else 0)
        high = np.append(high, ordered.missing)
    axis = NumberAxis(
        ordered.rank.astype(np.int32), Scaled(np.arange(ordered.missing, dtype=np.int64), 0)
    )
    values, code = build_range_values(axis, hierarchy, marginal, low, high)
    labels = list(values.labels)
    for text, at in zip(texts, code.tolist(), strict=False):
        labels[at] = text
    bucket = np.searchsorted(low, ordered.rank, side="right") - 1
    return _mask(replace(values, labels=tuple(labels)), code[bucket], rows)


def cut_buckets(values: Floats, counts: Ints, buckets: int, method: Method) -> Clusters:
    """``buckets`` buckets with about equal shares of the rows, or the next smaller number found.

    If values repeat, or the best buckets are larger than necessary, equal shares give too few:
    smaller shares are tried until there are enough buckets.
    """

    def part_values(least: int) -> Clusters:
        if method == "quantiles":
            return cut_quantiles(values, counts, least)
        return cluster_values(values, counts, least, method)

    large, small = -(-int(counts.sum()) // buckets), 0
    found = part_values(large)
    while len(found) < buckets and large - small > 1:
        guess = large * len(found) // buckets
        least = guess if small < guess < large else (small + large) // 2
        now = part_values(least)
        if len(now) > buckets:
            small = least
        else:
            found, large = now, least
    if small and len(found) < buckets and len(values) <= FEW_VALUES:
        cost = "ranks" if method == "quantiles" else method
        found = cluster_into_number(values, counts, small, buckets, cost) or found
    return found


def _mask(values: Values, code: Ints, rows: Ints) -> ColumnMask:
    by_text = add_up(values.alike[code], rows, 1)
    used = by_text[by_text > 0]
    return ColumnMask(values, code, len(used), float(used.min() / used.sum()))
