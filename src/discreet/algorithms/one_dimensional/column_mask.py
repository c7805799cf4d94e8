"""What every value of one column is released as, when so many different values may be left."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from discreet.algorithms.mondrian_cuts.number_axis import NumberAxis
from discreet.algorithms.mondrian_cuts.range_values import range_values
from discreet.algorithms.one_dimensional.categories import finest_level
from discreet.algorithms.one_dimensional.clusters import Clusters, clustered
from discreet.algorithms.one_dimensional.ordered_values import OrderedValues
from discreet.algorithms.one_dimensional.quantiles import quantiles
from discreet.algorithms.one_dimensional.so_many_stretches import FEW_VALUES, so_many_stretches
from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints, add_up
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.numbers import Scaled
from discreet.hierarchy.values import Values

Method = Literal["quantiles", "distances", "radius", "cellular"]
Shown = Literal["ranges", "centres"]


@dataclass(frozen=True, eq=False)
class ColumnMask:
    """A recoding of one column: ``code`` is what each ground value becomes, a code of ``values``.

    ``count`` different values are left, the rarest of which has ``rarest`` of the rows.
    """

    values: Values
    code: Ints
    count: int
    rarest: float


def category_mask(hierarchy: Hierarchy, marginal: Floats, rows: Ints, most: int) -> ColumnMask:
    """A column at the finest level of its hierarchy with few enough values."""
    level = finest_level(hierarchy, most)
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

    Missing values are one of the values left; where only one is, all are released as what the
    hierarchy has above them. A column that may keep all its values is left as it is.
    """
    if hierarchy.size(0) <= most:
        return category_mask(hierarchy, marginal, rows, most)
    by_rank = add_up(ordered.rank, rows, ordered.missing + 1).astype(np.int64)
    some_missing = bool(by_rank[-1])
    low, high, centres = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64)
    apart = most > 1 or not some_missing or not ordered.missing
    if ordered.missing and apart:
        found = buckets_of(ordered.numbers, by_rank[:-1], most - some_missing, method)
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
    values, code = range_values(axis, hierarchy, marginal, low, high)
    labels = list(values.labels)
    for text, at in zip(texts, code.tolist(), strict=False):
        labels[at] = text
    bucket = np.searchsorted(low, ordered.rank, side="right") - 1
    return _mask(replace(values, labels=tuple(labels)), code[bucket], rows)


def buckets_of(values: Floats, counts: Ints, buckets: int, method: Method) -> Clusters:
    """So many buckets with about equal shares of the rows, or the next fewer that were found.

    Where values repeat, or the best buckets are larger than they must be, equal shares give too
    few: smaller ones are asked until the buckets are enough.
    """

    def parted(least: int) -> Clusters:
        if method == "quantiles":
            return quantiles(values, counts, least)
        return clustered(values, counts, least, method)

    large, small = -(-int(counts.sum()) // buckets), 0
    found = parted(large)
    while len(found) < buckets and large - small > 1:
        guess = large * len(found) // buckets
        least = guess if small < guess < large else (small + large) // 2
        now = parted(least)
        if len(now) > buckets:
            small = least
        else:
            found, large = now, least
    if small and len(found) < buckets and len(values) <= FEW_VALUES:
        cost = "ranks" if method == "quantiles" else method
        found = so_many_stretches(values, counts, small, buckets, cost) or found
    return found


def _mask(values: Values, code: Ints, rows: Ints) -> ColumnMask:
    by_text = add_up(values.alike[code], rows, 1)
    used = by_text[by_text > 0]
    return ColumnMask(values, code, len(used), float(used.min() / used.sum()))
