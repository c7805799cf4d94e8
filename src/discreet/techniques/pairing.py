"""Rows put into small groups that exchange their values."""

from __future__ import annotations

import numpy as np

from discreet.techniques.arrow_rows import Ints


def exchanged(strata: Ints, share: float, rng: np.random.Generator) -> Ints:
    """For each row the row whose values it gets: pairs at random, each inside one stratum.

    The odd row of a stratum joins its last pair, and three pass their values on in a circle; a row
    alone in its stratum keeps its own. `share` is the share of these pairs that exchange.
    """
    mixed = rng.permutation(len(strata))
    order = mixed[np.argsort(strata[mixed], kind="stable")]
    taken = order.copy()
    if len(order):
        groups = _groups(strata[order])
        first = np.flatnonzero(np.diff(groups, prepend=-1))
        last = np.append(first[1:], len(order)) - 1
        after = np.arange(1, len(order) + 1)
        after[last] = first
        chosen = np.zeros(len(first), dtype=np.bool_)
        chosen[rng.permutation(len(first))[: round(share * len(first))]] = True
        taken = np.where(chosen[groups], order[after], order)
    source = np.empty(len(order), dtype=np.int64)
    source[order] = taken
    return source


def _groups(strata: Ints) -> Ints:
    """The number of the pair of each row; `strata` is sorted."""
    first = np.flatnonzero(np.diff(strata, prepend=strata[0] - 1))
    sizes = np.diff(np.append(first, len(strata)))
    place = np.arange(len(strata)) - np.repeat(first, sizes)
    pairs = np.maximum(sizes // 2, 1)
    start = np.cumsum(pairs) - pairs
    inside = np.minimum(place // 2, np.repeat(pairs, sizes) - 1)
    return np.asarray(np.repeat(start, sizes) + inside, dtype=np.int64)
