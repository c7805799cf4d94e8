"""A tree for the values of a category column, learnt from their association with other columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.display import dataclass
from discreet.hierarchy.proposals.group_names import GroupNames
from discreet.hierarchy.proposals.join_values import (
    Costs,
    choose_sizes,
    cut_joins,
    join_all,
    join_neighbours,
)
from discreet.hierarchy.proposals.row_codes import Ints, Joint, RowCodes
from discreet.hierarchy.proposals.value_order import Order, find_order
from discreet.hierarchy.tree import Tree

MOST_VALUES = 1500
"""Most values that are compared in pairs; if there are more, the rarest are pooled first."""
POOLS = 100
"""Number of pools for the rarest values of a column that has more."""
MOST_LEVELS = 3
SPREAD = 2.0
"""Weight of an additional leaf in a group against information about the other columns."""


@dataclass(frozen=True, eq=False)
class Learnt:
    """A learnt tree, and a description of what it was learnt from."""

    tree: Tree
    reason: str


def learn_tree(
    column: str,
    values: Sequence[str],
    counts: Ints | None,
    others: RowCodes | None,
    least: int,
) -> Learnt | None:
    """Learn a tree for the values of a column; None if there is nothing to learn from.

    Values are processed in the order of their texts, so that the same table gives the same tree.
    """
    texts = sorted(value for value in values if value)
    order = find_order(texts)
    if counts is None and order is None:
        return None
    rows = np.full(len(texts), least, dtype=np.int64)
    if counts is not None:
        known = dict(zip(values, counts.tolist(), strict=True))
        rows = np.array([known[text] for text in texts], dtype=np.int64)
    joint = others.join(column, texts) if others else _tell_nothing(len(texts))
    twin = others.find_twin_order(column, texts) if others and order is None else None
    if twin is not None:
        order = Order(tuple(twin[1]), (), f"its values go with the numbers of '{twin[0]}'")
    levels = _join(texts, rows, joint, order)
    rank = {at: number for number, at in enumerate(order.places)} if order else {}
    names = GroupNames(texts, rows, least, rank).name_levels(levels)
    if not names:
        return None
    tree = _build_tree(texts, names)
    if "" in values:
        tree[None] = None  # an empty text is looked up as the missing value
    return Learnt(Tree(tree), _explain(len(texts), joint, order))


def learn_cuts(
    column: str, values: Sequence[str], numbers: Sequence[Any], counts: Ints, others: RowCodes
) -> tuple[tuple[Any, ...], ...]:
    """Levels of cuts between a few distinct numbers: similar neighbours are joined."""
    ranked = sorted(range(len(values)), key=lambda at: (numbers[at], values[at]))
    texts = [values[at] for at in ranked]
    joint = others.join(column, texts)
    levels = _join(texts, counts[ranked], joint, Order(tuple(range(len(texts))), (), ""))
    found = []
    for level in levels:
        first = np.flatnonzero(np.diff(level)) + 1
        found.append(tuple(numbers[ranked[at]] for at in first.tolist()))
    return tuple(found)


def _tell_nothing(values: int) -> Joint:
    return Joint(np.zeros((values, 0), dtype=np.int64), 0)


def _explain(values: int, joint: Joint, order: Order | None) -> str:
    if order is not None:
        return f"{order.reason}, so only neighbours are joined"
    if not joint.columns:
        return "rare values are joined first; no other column shows which values are similar"
    pooled = f"; the {values - MOST_VALUES + POOLS:,} rarest were pooled first"
    return (
        f"values that behave alike in {joint.columns} other quasi "
        f"column{'' if joint.columns == 1 else 's'} are joined first"
        f"{pooled if values > MOST_VALUES else ''}"
    )


def _join(texts: Sequence[str], rows: Ints, joint: Joint, order: Order | None) -> list[Ints]:
    """The group of each value at each level, finest first."""
    size = len(texts)
    if order is not None:
        places = np.array(order.places)
        costs = Costs(Joint(joint.counts[places], joint.columns), rows[places], SPREAD)
        levels = cut_joins(
            join_neighbours(costs), len(places), choose_sizes(len(places), MOST_LEVELS)
        )
        whole = []
        for level in levels:
            groups = np.arange(size)
            groups[places] = places[level]
            whole.append(groups)
        return whole
    pool = _pool_rare(rows, joint) if size > MOST_VALUES else np.arange(size)
    members = int(pool.max()) + 1
    counts = np.zeros((members, joint.counts.shape[1]), dtype=np.int64)
    np.add.at(counts, pool, joint.counts)
    summed = np.bincount(pool, weights=rows, minlength=members).astype(np.int64)
    costs = Costs(Joint(counts, joint.columns), summed, SPREAD)
    costs.leaves = np.bincount(pool, minlength=members).astype(np.float64)
    sizes = choose_sizes(size, MOST_LEVELS)
    joins = join_all(costs)
    return [level[pool] for level in cut_joins(joins, members, [s for s in sizes if s < members])]


def _pool_rare(rows: Ints, joint: Joint) -> Ints:
    """The pool of each value: frequent ones alone, the rarest by what they mostly occur with."""
    ranked = np.lexsort((np.arange(len(rows)), -rows))
    kept, rare = ranked[: MOST_VALUES - POOLS], ranked[MOST_VALUES - POOLS :]
    pool = np.empty(len(rows), dtype=np.int64)
    pool[kept] = np.arange(len(kept))
    shares = joint.counts[rare] / np.maximum(1, rows[rare])[:, None]
    shares = shares - shares.mean(axis=0) if shares.size else np.zeros((len(rare), 1))
    axis = np.round(shares @ _find_main_axis(shares), 9)
    order = np.lexsort((np.arange(len(rare)), axis))
    pool[rare[order]] = len(kept) + np.arange(len(rare)) * POOLS // max(1, len(rare))
    return pool


def _find_main_axis(shares: Any) -> Any:
    """The direction in which shares differ most, by a few steps of the power method."""
    axis = np.ones(shares.shape[1])
    for _ in range(20):
        axis = shares.T @ (shares @ axis)
        length = np.linalg.norm(axis)
        if length == 0:
            return np.zeros(shares.shape[1])
        axis /= length
    return axis


def _build_tree(texts: Sequence[str], names: Sequence[Sequence[str]]) -> dict[Any, Any]:
    """The tree of values below the names of their groups, the coarsest level on top."""
    root: dict[Any, Any] = {}
    for at, text in enumerate(texts):
        branch = root
        for level in reversed(names):
            if level[at] == text:
                break
            branch = branch.setdefault(level[at], {})
        branch[text] = None
    return root
