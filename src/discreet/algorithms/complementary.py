"""Complementary suppression: suppresses further cells among which the suppressed ones hide."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.mu_argus.blank_alike import Looks, blank_alike, build_looks
from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.algorithms.suppressed_cells import count_column, infer_cells, is_exposed
from discreet.frequency.classes import Ints
from discreet.frequency.frequency_list import AnyCodes
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.values import Values


def complementary(
    problem: Problem, recoding: CellRecoding, k: int, progress: Progress | None = None
) -> CellRecoding:
    """Suppress further cells until all classes have k rows and published counts reveal no cell.

    First, rows in classes of fewer than k are made equal to others, where a suppressed cell counts
    as a value. Then, for each column whose counts would reveal its suppressed cells (see
    :func:`discreet.algorithms.suppressed_cells.infer_cells`), cells of rows with another value are
    suppressed too, as few as possible while all classes keep k rows.

    Notes
    -----
    [Sweeney2001]_, sec. 7.3.3 and 7.3.4, figs. 80 and 81; sec. 7.6, future work 7. *Departures*:
    the thesis prints two results and no rule. *Cost*: that of :func:`blank_alike`, then one count
    of the classes for each step; a column takes few steps, as each step hides at least one class.
    """
    recoding = blank_alike(problem, recoding, k, progress)
    steps = 0
    while telling := infer_cells(problem, recoding, k).cells:
        steps += 1
        if progress is not None:
            progress(steps)
        column = problem.frequency.columns.index(next(iter(telling)))
        recoding = _hide_more(problem, recoding, column, k)
    return recoding


def _hide_more(problem: Problem, recoding: CellRecoding, column: int, k: int) -> CellRecoding:
    """Suppress a column in as few further rows as help, or as few as possible."""
    looks = build_looks(problem, recoding)
    known = count_column(problem, recoding, column)
    hidden = problem.total - int(known[3].sum())
    taken = _count_rows_to_take(
        looks, column, k - hidden, k, divide=not problem.frequency.sensitive
    )
    chosen = -1
    for one in _pick_cheapest_classes(looks, column, taken):
        inside = np.nonzero(looks.home == one)[0]
        code, rows = recoding.codes[column][inside], looks.rows[inside]
        helps = _is_column_safe(known, code, rows, int(taken[one]), k)
        if chosen < 0 or helps:
            chosen = int(one)
        if helps:
            break
    lost = np.arange(len(looks.star)) == column
    looks.move(chosen, int(taken[chosen]), looks.add(chosen, lost))
    return looks.recoding(recoding)


def _pick_cheapest_classes(looks: Looks, column: int, taken: Ints) -> Ints:
    """For each value of a column the class that loses the fewest rows, in rising order."""
    able = np.nonzero(~looks.blank[:, column])[0]
    ranked = able[np.argsort(taken[able], kind="stable")]
    _, first = np.unique(looks.codes[ranked, column], return_index=True)
    found: Ints = ranked[np.sort(first)]
    return found


def _count_rows_to_take(looks: Looks, column: int, need: int, k: int, divide: bool) -> Ints:
    """Rows of each class in which to suppress a column, so that k or none are on both sides."""
    lost = np.arange(len(looks.star)) == column
    after = np.where(lost, looks.star, looks.codes)
    _, place = np.unique(np.vstack([looks.codes, after]), axis=0, return_inverse=True)
    place = place.reshape(-1)
    size = np.zeros(place.max() + 1, dtype=np.int64)
    size[place[: len(looks.size)]] = looks.size
    there = size[place[len(looks.size) :]]
    wanted = np.maximum(max(1, need), k - there)
    return np.where(divide & (looks.size - wanted >= k), wanted, looks.size)


def _is_column_safe(
    known: tuple[Hierarchy, Values, Ints, Ints], code: AnyCodes, rows: Ints, number: int, k: int
) -> bool:
    """Whether a column is safe once it is suppressed in ``number`` of these rows."""
    hierarchy, values, private, shown = known
    moving = np.clip(number - (np.cumsum(rows) - rows), 0, rows)
    left = shown - np.bincount(code, weights=moving, minlength=len(shown)).astype(np.int64)
    return not is_exposed(hierarchy, values, private, left, k)
