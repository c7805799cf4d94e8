"""The fewest cells that take a value out of every rare combination."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from discreet.algorithms.argus.combinations import Combination
from discreet.algorithms.argus.suppress_outliers import distinct, greedy_cells, holds
from discreet.display import dataclass
from discreet.frequency.classes import Ints, Mask

SECONDS = 5.0
"""Time for all set covers together, where none is given."""


@dataclass(frozen=True, eq=False)
class Fewest:
    """The cells to suppress in each class, and the least that can do.

    ``least[g]`` equals the number of cells of class g where the fewest were found in time.
    """

    cells: Mask
    least: Ints


def fewest_cells(
    unsafe: Mask,
    combinations: Sequence[Combination],
    columns: int,
    seconds: float = SECONDS,
) -> Fewest:
    """The cells to suppress, class by class, as few as can be.

    Notes
    -----
    [Sweeney2001]_, sec. 7.6, future work 5: a set cover, each outlier to be covered by one of its
    columns. Classes with the same outliers have the same answer, and an outlier within which
    another lies needs no cover of its own. *Departures*: none. *Cost*: one small integer program
    for each different set of outliers; those left when time is up keep the greedy choice.
    """
    inside = holds(combinations, columns).astype(np.bool_)
    different, place = distinct(unsafe)
    needed = different & ~_covered(different, inside)
    cells = greedy_cells(different, combinations, columns)
    least = np.zeros(len(different), dtype=np.int64)
    end = time.monotonic() + seconds
    for number, outliers in enumerate(needed):
        sets = inside[outliers]
        least[number] = _apart(sets)
        if cells[number].sum() > least[number] and time.monotonic() < end:
            cells[number], least[number] = _set_cover(sets, cells[number], end)
    return Fewest(cells[place], least[place])


def _covered(unsafe: Mask, inside: Mask) -> Mask:
    """Outliers that hold a smaller outlier of the same class."""
    covered = np.zeros_like(unsafe)
    for number, columns in enumerate(inside):
        smaller = (inside <= columns).all(axis=1) & (inside.sum(axis=1) < columns.sum())
        covered[:, number] = unsafe[:, smaller].any(axis=1)
    return covered


def _apart(sets: Mask) -> int:
    """Outliers that share no column: each needs a cell of its own."""
    used = np.zeros(sets.shape[1], dtype=np.bool_)
    number = 0
    for columns in sets[np.argsort(sets.sum(axis=1), kind="stable")]:
        if not (columns & used).any():
            used |= columns
            number += 1
    return number


def _set_cover(sets: Mask, greedy: Mask, end: float) -> tuple[Mask, int]:
    """The smallest set of columns that meets all ``sets``, and the least size that is proven."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    columns = sets.shape[1]
    found = milp(
        np.ones(columns),
        integrality=np.ones(columns),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(sets.astype(np.float64), lb=1),
        options={"time_limit": max(0.01, end - time.monotonic())},
    )
    bound = getattr(found, "mip_dual_bound", None)
    least = max(_apart(sets), 0 if bound is None else int(np.ceil(bound - 1e-6)))
    if found.x is None or round(found.fun) >= greedy.sum():
        return greedy, min(least, int(greedy.sum()))
    return found.x > 0.5, least
