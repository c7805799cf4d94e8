"""Rows that a class can spare make up a group that is too small."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.blanking.classes import Parts, Places, in_turn
from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints, Mask, add_up


@dataclass(frozen=True, eq=False)
class Lenders:
    """Tuples, the pattern that blanks them now, rows of each to be had, and the price of one."""

    owner: Places
    source: Places
    rows: Ints
    price: Floats


def spare_rows(parts: Parts, pattern: int, free: bool) -> Lenders:
    """Rows of all other patterns that can be spared; if ``free``, those that lose nothing."""
    cost = parts.patterns.cost
    sources = [p for p in parts.placed if p != pattern and (not free or cost[p] >= cost[pattern])]
    pieces = [parts.spare(source) for source in sources]
    none = np.zeros(0, dtype=np.int64)
    source = np.repeat(np.array(sources, dtype=np.int64), [len(owner) for owner, _ in pieces])
    return Lenders(
        np.concatenate([none, *(owner for owner, _ in pieces)]),
        source,
        np.concatenate([none, *(rows for _, rows in pieces)]),
        cost[pattern] - cost[source],
    )


def whole_classes(parts: Parts, pattern: int) -> Lenders:
    """Classes of rows that are safe as they are, each to be had as a whole."""
    owner, rows = parts.at(0)
    price = parts.patterns.cost[pattern] * rows
    return Lenders(owner, np.zeros(len(owner), dtype=np.int64), rows, price)


def lend(parts: Parts, pattern: int, wanting: Places, lenders: Lenders, whole: bool) -> Mask:
    """Blank lenders' rows by a pattern where groups of ``wanting`` tuples get k rows by that.

    The cheapest rows are taken first. Marks the tuples whose group has k rows now.
    """
    group, size = parts.numbers(pattern, np.concatenate([wanting, lenders.owner]))
    mine, theirs = group[: len(wanting)], group[len(wanting) :]
    lacking = parts.k - add_up(mine, parts.left[wanting], size).astype(np.int64)
    lacking[np.bincount(mine, minlength=size) == 0] = 0
    enough = add_up(theirs, lenders.rows, size) >= lacking
    lacking[~enough] = 0
    order = np.lexsort((lenders.price, theirs))
    taken = np.zeros(len(theirs), dtype=np.int64)
    taken[order] = in_turn(theirs[order], lenders.rows[order], lacking)
    if whole:
        taken = np.where(taken > 0, lenders.rows, 0)
    for source in np.unique(lenders.source[taken > 0]):
        here = (lenders.source == source) & (taken > 0)
        parts.place(int(source), lenders.owner[here], -taken[here])
    parts.place(pattern, lenders.owner[taken > 0], taken[taken > 0])
    marked: Mask = enough[mine]
    return marked
