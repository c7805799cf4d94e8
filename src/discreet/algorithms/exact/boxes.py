"""Every possible class of a release: a text for each column, and the rows that it covers."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import numpy.typing as npt

from discreet.algorithms.cell_recoding import list_cell_values
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.errors import TooLargeError
from discreet.frequency.classes import Floats, Ints, Mask
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.values import Values
from discreet.measures import ColumnCost

# The possible released values of each column's cells, and their costs.


@dataclass(frozen=True, eq=False)
class Choices:
    """One column: a row for each level, a position for each distinct tuple.

    ``text`` numbers the released texts, ``cost`` is the loss of one row of the tuple there. If a
    tuple has the same text at two levels, only the cheaper one is ``open``. The last level is a
    suppressed cell.
    """

    text: Ints
    cost: Floats
    open: Mask

    @property
    def levels(self) -> int:
        """Levels to consider, including that of a suppressed cell if it can be useful."""
        return len(self.text)


def list_choices(problem: Problem, cost: ColumnCost) -> tuple[Choices, ...]:
    """The choices of every column; costs are in the score of one row, including weights."""
    weight = problem.frequency.tallies.get("weight")
    mass = np.ones(len(problem.frequency)) if weight is None else weight / problem.frequency.rows
    found = []
    for column, values in enumerate(list_cell_values(problem)):
        hierarchy = problem.lattice.hierarchies[column]
        ground = problem.frequency.codes[column].astype(np.int64)
        level = np.arange(_count_levels(hierarchy, values))[:, None]
        code = values.at(hierarchy, ground[None, :], level)
        worth = cost.worth(column, values.leaves, values.steps, values.mass)
        left = np.where(values.suppressed, 0.0, worth)[code]
        loss = cost.slope[column] * (cost.rise[column][0][ground] - left) * mass
        text = values.alike[code].astype(np.int64)
        found.append(Choices(text, loss, _mark_cheapest(text, loss)))
    return tuple(found)


def _count_levels(hierarchy: Hierarchy, values: Values) -> int:
    """Count levels: a suppressed cell says no more than the root, but may look like a value."""
    told = values.labels[: values.blank]
    useful = values.labels[values.blank] in told[:-1] and told[-1] != values.labels[values.blank]
    return hierarchy.height + 1 + int(useful)


def _mark_cheapest(text: Ints, cost: Floats) -> Mask:
    """The cheapest of the levels with one text, and the lowest of equally cheap ones."""
    chosen = np.ones(text.shape, dtype=np.bool_)
    for one in range(len(text)):
        for other in range(len(text)):
            better = cost[other] < cost[one] if other > one else cost[other] <= cost[one]
            if one != other:
                chosen[one] &= (text[other] != text[one]) | ~better
    return chosen


MOST_PAIRS = 6_000_000
"""Most distinct tuples times nodes of the lattice that are processed."""

MOST_TUPLES = 1_000
"""Most distinct tuples: beyond this the integer program is hopeless."""

Levels = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Boxes:
    """Boxes with the distinct tuples that fit in them; a pair is one tuple in one box.

    The pairs of box b are those from ``start[b]`` to ``start[b + 1]``. ``cost`` is what one row of
    the pair's tuple loses in the box, ``levels`` are its levels there. ``rows`` has the rows of
    each tuple and ``whole`` what a row loses that is left out; no more than ``limit`` rows may be.
    Costs are scaled so that leaving out a row costs 1 on average; ``scale`` undoes this.
    """

    k: int
    limit: int
    start: Ints
    member: Ints
    cost: Floats
    levels: Levels
    rows: Ints
    whole: Floats
    scale: float

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def box(self) -> Ints:
        """The box of each pair."""
        return np.repeat(np.arange(len(self)), np.diff(self.start))

    @property
    def root(self) -> int:
        """A box that every row fits into."""
        return int(np.nonzero(np.diff(self.start) == len(self.rows))[0][0])


def boxes(problem: Problem, cost: ColumnCost, k: int) -> Boxes:
    """All boxes with at least k rows, except those that a finer box with the same rows replaces."""
    columns = list_choices(problem, cost)
    nodes = math.prod(column.levels for column in columns)
    refuse_large(len(problem.frequency), nodes)
    level = np.array(list(product(*(range(c.levels) for c in columns))), dtype=np.uint8)
    place, member, start = _group_pairs(columns, level)
    rows = problem.frequency.rows
    levels = level[place]
    enough = np.add.reduceat(rows[member], start[:-1]) >= k
    keep = enough & ~_find_replaceable(columns, levels, member, start)
    pairs = np.repeat(keep, np.diff(start))
    levels, member = levels[pairs], member[pairs]
    start = np.concatenate([[0], np.cumsum(np.diff(start)[keep])])
    each = sum((c.cost[levels[:, i], member] for i, c in enumerate(columns)), np.zeros(len(member)))
    whole = _price_left_out_rows(problem, cost)
    scale = float((whole * rows).sum()) / max(1, int(rows.sum())) or 1.0
    return Boxes(k, problem.limit, start, member, each / scale, levels, rows, whole / scale, scale)


def refuse_large(tuples: int, nodes: int) -> None:
    """Refuse a table that is too large before any work is done."""
    what = "different combinations of quasi values"
    if tuples > MOST_TUPLES:
        raise TooLargeError.for_algorithm("exact", what, tuples, MOST_TUPLES, "local")
    if tuples * nodes > MOST_PAIRS:
        what = f"{what} at {nodes:,} combinations of levels each"
        raise TooLargeError.for_algorithm("exact", what, tuples, MOST_PAIRS // nodes, "local")


def _group_pairs(columns: tuple[Choices, ...], level: Levels) -> tuple[Ints, Ints, Ints]:
    """Node and tuple of every pair, in the order of boxes, and where each box starts."""
    key = np.zeros((len(level), columns[0].text.shape[1]), dtype=np.int64)
    fits = np.ones(key.shape, dtype=np.bool_)
    size = 1
    for i, column in enumerate(columns):
        texts = int(column.text.max(initial=0)) + 1
        if size * texts >= 2**62:
            different, key = np.unique(key, return_inverse=True)
            size = len(different)
        key = key.reshape(fits.shape) * texts + column.text[level[:, i]]
        fits &= column.open[level[:, i]]
        size *= texts
    place, member = np.nonzero(fits)
    ranked = key[fits]
    order = np.argsort(ranked, kind="stable")
    ranked = ranked[order]
    new = np.concatenate([[True], ranked[1:] != ranked[:-1]])
    start = np.append(np.nonzero(new)[0], len(ranked))
    return place[order], member[order], start


def _find_replaceable(
    columns: tuple[Choices, ...], levels: Levels, member: Ints, start: Ints
) -> Mask:
    """Boxes whose rows are also equal one level lower in some column, at no more cost."""
    first = start[:-1]
    found = np.zeros(len(first), dtype=np.bool_)
    for i, column in enumerate(columns):
        level = levels[:, i].astype(np.int64)
        lower = np.maximum(level - 1, 0)
        text, gain = column.text[lower, member], column.cost[level, member]
        gain = gain - column.cost[lower, member]
        one_level = _are_alike(level, first) & (level[first] > 0)
        found |= one_level & _are_alike(text, first) & (np.minimum.reduceat(gain, first) >= 0)
    return found


def _are_alike(numbers: Ints, first: Ints) -> Mask:
    same: Mask = np.minimum.reduceat(numbers, first) == np.maximum.reduceat(numbers, first)
    return same


def _price_left_out_rows(problem: Problem, cost: ColumnCost) -> Floats:
    """The cost of leaving out a row of each tuple."""
    frequency = problem.frequency
    whole = np.zeros(len(frequency))
    for column, codes in enumerate(frequency.codes):
        whole += cost.slope[column] * cost.rise[column][0][codes]
    weight = frequency.tallies.get("weight")
    return whole if weight is None else whole * weight / frequency.rows
