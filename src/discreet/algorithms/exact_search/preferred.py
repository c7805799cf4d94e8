"""Which of several releases that lose equally much is taken."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.exact_search.placement import Placement
from discreet.algorithms.problem import Problem

Key = tuple[tuple[int, ...], int, tuple[int, ...], tuple[tuple[int, ...], ...]]


def preferred(problem: Problem, placement: Placement) -> Key:
    """The levels of the preferred columns, all rows added up, smaller is better.

    Then fewer suppressed rows, then lower levels in the order of the columns, then the levels of
    the single tuples. A row that is left out counts as one level above each root.
    """
    used = np.nonzero(placement.rows)[0]
    levels = placement.boxes.levels[used].astype(np.int64)
    out = placement.left_out
    above = np.array([h.height + 1 for h in problem.lattice.hierarchies])
    sums = placement.rows[used] @ levels + above * int(out.sum())
    by_column = tuple(sums.tolist())
    rows = np.column_stack([placement.boxes.member[used], levels, placement.rows[used]])
    single = tuple(sorted(tuple(row) for row in rows.tolist()))
    return tuple(by_column[c] for c in problem.prefer), int(out.sum()), by_column, single
