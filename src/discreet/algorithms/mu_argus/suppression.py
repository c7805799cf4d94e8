"""Phase E: the cells to suppress in each variant, and the fewest that would suffice."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import scipy

from discreet.algorithms.cell_recoding import CellRecoding, recode_at_levels
from discreet.algorithms.mu_argus.blank_alike import (
    blank_alike,
    build_looks,
    find_fewest_alike,
    find_least_cells,
)
from discreet.algorithms.mu_argus.session import Combination, Session
from discreet.algorithms.optimal.box_search import Progress
from discreet.display import dataclass
from discreet.frequency.classes import Ints, Mask

if TYPE_CHECKING:
    from discreet.algorithms.mu_argus.mu_argus import MuArgus


# One value of every rare combination is suppressed in a row.


def choose_cells_greedily(unsafe: Mask, combinations: Sequence[Combination], columns: int) -> Mask:
    """The cells to suppress, class by class: repeatedly the column that is in most outliers.

    Notes
    -----
    [Sweeney2001]_, sec. 7.2, fig. 62; of columns in equally many outliers the first is taken.
    *Departures*: none. *Cost*: as many steps as a row has columns, for all sets of outliers at
    once.

    >>> choose_cells_greedily(np.array([[True, True]]), [(0, 1), (1, 2)], 3).tolist()
    [[False, True, False]]
    """
    inside = mark_columns(combinations, columns)
    left, place = find_distinct_sets(unsafe)
    cells = np.zeros((len(left), columns), dtype=np.bool_)
    while (todo := np.nonzero(left.any(axis=1))[0]).size:
        totals = left[todo].astype(np.int64) @ inside
        column = totals.argmax(axis=1)
        cells[todo, column] = True
        left[todo] &= ~inside.astype(np.bool_).T[column]
    return cells[place]


def choose_first_cells(unsafe: Mask, combinations: Sequence[Combination], columns: int) -> Mask:
    """The cells that the real program was seen to suppress, which do not cover all outliers.

    A row with a rare pair loses the one value that is in most of its outliers; a row whose rare
    combinations are all triples loses nothing.

    Notes
    -----
    [Sweeney2001]_, sec. 7.2, fig. 76. *Departures*: the thesis shows one result and no rule; this
    is the simplest rule found that gives that result.
    """
    pair = np.array([len(combination) == 2 for combination in combinations], dtype=np.bool_)
    different, place = find_distinct_sets(unsafe)
    cells = np.zeros((len(different), columns), dtype=np.bool_)
    todo = np.nonzero((different & pair).any(axis=1))[0]
    totals = different[todo].astype(np.int64) @ mark_columns(combinations, columns)
    cells[todo, totals.argmax(axis=1)] = True
    return cells[place]


def find_distinct_sets(unsafe: Mask) -> tuple[Mask, Ints]:
    """The distinct sets of outliers, and which of them each class has."""
    packed = np.packbits(unsafe, axis=1)
    _, first, place = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    return unsafe[first], place.reshape(-1)


def mark_columns(combinations: Sequence[Combination], columns: int) -> Ints:
    """Which combination contains which column, as ones and zeros."""
    inside = np.zeros((len(combinations), columns), dtype=np.int64)
    for number, combination in enumerate(combinations):
        inside[number, list(combination)] = 1
    return inside


# The fewest cells that suppress a value of every rare combination.


SECONDS = 5.0
"""Default time for all set covers together, in seconds."""


@dataclass(frozen=True, eq=False)
class Fewest:
    """The cells to suppress in each class, and a lower bound on their number.

    ``least[g]`` equals the number of cells of class g if the fewest were found in time.
    """

    cells: Mask
    least: Ints


def find_fewest_cells(
    unsafe: Mask,
    combinations: Sequence[Combination],
    columns: int,
    seconds: float = SECONDS,
) -> Fewest:
    """The cells to suppress, class by class, as few as possible.

    Notes
    -----
    [Sweeney2001]_, sec. 7.6, future work 5: a set cover, each outlier to be covered by one of its
    columns. Classes with the same outliers have the same answer, and an outlier within which
    another lies needs no cover of its own. *Departures*: none. *Cost*: one small integer program
    for each different set of outliers; those left when time is up keep the greedy choice.
    """
    inside = mark_columns(combinations, columns).astype(np.bool_)
    different, place = find_distinct_sets(unsafe)
    needed = different & ~_find_covered(different, inside)
    cells = choose_cells_greedily(different, combinations, columns)
    least = np.zeros(len(different), dtype=np.int64)
    end = time.monotonic() + seconds
    for number, outliers in enumerate(needed):
        sets = inside[outliers]
        least[number] = _count_disjoint(sets)
        if cells[number].sum() > least[number] and time.monotonic() < end:
            cells[number], least[number] = _set_cover(sets, cells[number], end)
    return Fewest(cells[place], least[place])


def _find_covered(unsafe: Mask, inside: Mask) -> Mask:
    """Outliers that contain a smaller outlier of the same class."""
    covered = np.zeros_like(unsafe)
    for number, columns in enumerate(inside):
        smaller = (inside <= columns).all(axis=1) & (inside.sum(axis=1) < columns.sum())
        covered[:, number] = unsafe[:, smaller].any(axis=1)
    return covered


def _count_disjoint(sets: Mask) -> int:
    """Outliers that share no column: each needs a cell of its own."""
    used = np.zeros(sets.shape[1], dtype=np.bool_)
    number = 0
    for columns in sets[np.argsort(sets.sum(axis=1), kind="stable")]:
        if not (columns & used).any():
            used |= columns
            number += 1
    return number


def _set_cover(sets: Mask, greedy: Mask, end: float) -> tuple[Mask, int]:
    """The smallest set of columns that meets all ``sets``, and a lower bound on its size."""
    columns = sets.shape[1]
    found = scipy.optimize.milp(
        np.ones(columns),
        integrality=np.ones(columns),
        bounds=scipy.optimize.Bounds(0, 1),
        constraints=scipy.optimize.LinearConstraint(sets.astype(np.float64), lb=1),
        options={"time_limit": max(0.01, end - time.monotonic())},
    )
    bound = getattr(found, "mip_dual_bound", None)
    least = max(_count_disjoint(sets), 0 if bound is None else int(np.ceil(bound - 1e-6)))
    if found.x is None or round(found.fun) >= greedy.sum():
        return greedy, min(least, int(greedy.sum()))
    return found.x > 0.5, least


def suppress(
    algorithm: MuArgus,
    session: Session,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> tuple[CellRecoding, str]:
    """Suppress cells as the variant does; returns the release and notes on their number."""
    limit = SECONDS if seconds is None else min(SECONDS, seconds)
    if algorithm.variant == "complete":
        return _suppress_complete(session, algorithm.suppression == "fewest", limit, progress)
    outliers = session.outliers()
    about = (outliers.unsafe, outliers.combinations, len(session.levels))
    greedy, fewest = choose_cells_greedily(*about), find_fewest_cells(*about, limit)
    chosen = fewest.cells if algorithm.suppression == "fewest" else greedy
    if algorithm.variant == "actual":
        chosen = choose_first_cells(*about)
    count = [int(cells.sum(axis=1) @ outliers.rows) for cells in (chosen, greedy, fewest.cells)]
    note = describe_cell_counts(count[1], count[2], int(fewest.least @ outliers.rows))
    if algorithm.variant == "actual":
        note = (
            f"{count[0]:,} cells suppressed, which does not exhaust the outliers; that takes {note}"
        )
    else:
        note = f"suppressed cells: {note}"
    return _recode_session(session, chosen[outliers.group]), note


def _suppress_complete(
    session: Session, want_fewest: bool, seconds: float, progress: Progress | None
) -> tuple[CellRecoding, str]:
    """Blank cells until every class has k rows, the blanks counted as values."""
    problem, k = session.problem, session.k
    session.outliers()
    plain = _recode_session(
        session, np.zeros((len(problem.frequency), len(session.levels)), np.bool_)
    )
    greedy = blank_alike(problem, plain, k, progress)
    fewest = find_fewest_alike(problem, plain, k, seconds)
    if fewest is None:
        least = find_least_cells(build_looks(problem, plain), k, seconds)
        return (
            greedy,
            f"suppressed cells: {describe_cell_counts(count_blanked_cells(greedy), None, least)}",
        )
    few = count_blanked_cells(fewest)
    chosen = fewest if want_fewest else greedy
    return (
        chosen,
        f"suppressed cells: {describe_cell_counts(count_blanked_cells(greedy), few, few)}",
    )


def describe_cell_counts(greedy: int, fewest: int | None, least: int) -> str:
    """The number of suppressed cells by the greedy choice, and how few would do."""
    if fewest is None or least < fewest:
        return f"{greedy:,} by greedy choice, and no choice does with fewer than {least:,}"
    return f"{greedy:,} by greedy choice, {fewest:,} at the fewest"


def count_blanked_cells(recoding: CellRecoding) -> int:
    """Cells of released rows that were suppressed one by one."""
    return sum(
        int(recoding.rows[recoding.kept & (codes == values.blank)].sum())
        for values, codes in zip(recoding.values, recoding.codes, strict=True)
    )


def _recode_session(session: Session, cells: Mask) -> CellRecoding:
    """The table at the session's levels, with some cells of its tuples suppressed."""
    above = np.array(session.problem.lattice.top) + 1
    return recode_at_levels(session.problem, np.where(cells, above, np.array(session.levels)))
