"""Suppressed cells that published counts of the private table reveal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Ints, Mask, add_up
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.values import Values

if TYPE_CHECKING:
    from discreet.algorithms.cell_recoding import CellRecoding
    from discreet.algorithms.problem import Problem


NONE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Inferred:
    """Suppressed cells that an intruder who knows the counts of every column can fill in.

    ``hidden`` counts the suppressed cells of each column that has any next to others, ``cells``
    those that are revealed, and ``parts`` are the numbers of the parts of the release that they are
    in. Cells of rows that are left out count too. No values are held.
    """

    hidden: Mapping[str, int]
    cells: Mapping[str, int]
    parts: Mapping[str, Ints]

    @property
    def exposed(self) -> int:
        """The number of suppressed cells that are revealed."""
        return sum(self.cells.values())


def infer_cells(problem: Problem, recoding: CellRecoding, k: int | None = None) -> Inferred:
    """The suppressed cells that the counts of each column of the private table reveal.

    The counts minus the released cells are the counts of the suppressed ones. A column's suppressed
    cells are exposed if they must all have one value, at a level at which the column is released,
    or if they are fewer than k (that of the promises if not given).

    Notes
    -----
    [Sweeney2001]_, sec. 6.3.3, figs. 46 and 47, and sec. 7.3.3. *Departures*: a value that every
    row of the table has reveals nothing. Guesses that are only likely, such as one of two
    suppressed cells by the rest of the row, are not searched for; the thesis leaves them out too.
    Columns released as ranges outside their hierarchy are judged by the number of cells alone.
    *Cost*: a few sums per column.
    """
    least = find_largest_class_size(problem) if k is None else k
    hidden, cells, parts = {}, {}, {}
    for c, name in enumerate(problem.frequency.columns):
        known = count_column(problem, recoding, c)
        told = int(known[3].sum())
        if told in (0, problem.total):
            continue
        hidden[name] = problem.total - told
        if is_exposed(*known, least):
            blank = ~recoding.kept | find_silent_values(recoding.values[c])[recoding.codes[c]]
            cells[name], parts[name] = hidden[name], np.nonzero(blank)[0]
    return Inferred(hidden, cells, parts)


def count_column(
    problem: Problem, recoding: CellRecoding, column: int
) -> tuple[Hierarchy, Values, Ints, Ints]:
    """What is known of a column: its values, the private count of each ground value, and how often
    each value is released (never those that say nothing).
    """
    hierarchy, values = problem.lattice.hierarchies[column], recoding.values[column]
    frequency = problem.frequency
    private = add_up(frequency.codes[column], frequency.rows, hierarchy.size(0)).astype(np.int64)
    kept = recoding.kept
    codes, rows = recoding.codes[column][kept], recoding.rows[kept]
    shown = add_up(codes, rows, len(values.labels)).astype(np.int64)
    return hierarchy, values, private, np.where(find_silent_values(values), 0, shown)


def find_silent_values(values: Values) -> Mask:
    """The values of a column that look suppressed; also missing ones if blanks are missing."""
    if not values.suppressed[values.blank]:
        return values.suppressed
    found: Mask = values.suppressed | (values.alike == values.alike[values.blank])
    return found


def is_exposed(hierarchy: Hierarchy, values: Values, private: Ints, shown: Ints, k: int) -> bool:
    """Whether a column's counts reveal its cells that are not shown."""
    total = int(private.sum())
    hidden = total - int(shown.sum())
    if hidden == 0:
        return False
    if hidden < k:
        return True
    return any(
        bool(((least >= hidden) & (counts < total)).any())
        for least, counts in _count_least_hidden(hierarchy, values, private, shown)
    )


def _count_least_hidden(
    hierarchy: Hierarchy, values: Values, private: Ints, shown: Ints
) -> Iterator[tuple[Ints, Ints]]:
    """For each level at which cells are shown: how many hidden cells each value must have.

    All rows with the value, less the cells shown below it, less those shown above it, each of which
    may be one of them. With it the rows that have the value.
    """
    if not len(values.start):
        return
    at = [
        shown[values.start[i] : values.start[i] + hierarchy.size(i)]
        for i in _list_levels(hierarchy)
    ]
    for level in _list_levels(hierarchy):
        if not at[level].any():
            continue
        size = hierarchy.size(level)
        counts = add_up(hierarchy.maps[level], private, size).astype(np.int64)
        least = counts.copy()
        for other in _list_levels(hierarchy):
            low, high = min(level, other), max(level, other)
            up = np.zeros(hierarchy.size(low), dtype=np.int64)
            up[hierarchy.maps[low]] = hierarchy.maps[high]
            less = at[other][up] if other > level else add_up(up, at[other], size)
            least -= less.astype(np.int64)
        yield least, counts


def _list_levels(hierarchy: Hierarchy) -> range:
    return range(hierarchy.height + 1)


def find_largest_class_size(problem: Problem) -> int:
    """The largest class size that any promise requires."""
    sizes = [model.least_rows for model in problem.requirement.models]
    return max([1, *sizes])
