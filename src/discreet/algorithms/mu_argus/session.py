"""The data holder's part: see the outliers, generalize a column, undo it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations as choose
from itertools import product

import numpy as np
import numpy.typing as npt

from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.frequency.classes import Ints, Mask, add_up
from discreet.frequency.frequency_list import Codes, KeyIndex
from discreet.hierarchy.lattice import Node
from discreet.measures.precision import Precision

# Which combinations of columns mu-Argus tests.


Combination = tuple[int, ...]

TESTED = (
    ("most", "more"),
    ("most", "identifying"),
    ("more", "identifying"),
    ("most", "most"),
    ("most", "more", "identifying"),
    ("most", "most", "identifying"),
    ("most", "most", "most"),
)
"""The combinations that figure 49 always tests."""

TESTED_WITH_IDENTIFYING = (
    ("more", "more"),
    ("most", "more", "more"),
    ("most", "most", "more"),
)
"""The combinations that figure 49 tests only if some column is rated as identifying."""


def list_combinations(
    most: Sequence[int], more: Sequence[int], identifying: Sequence[int]
) -> tuple[Combination, ...]:
    """The pairs and triples of columns that are tested for rare values, which are far from all.

    Notes
    -----
    [Sweeney2001]_, sec. 7.2, fig. 49. *Departures*: fig. 49 tests three kinds "only if" there is
    more than one identifying column; figs. 56 and 67 need only one, and so does this. Fig. 56 tests
    most with more only if there are two columns of more, and nothing at all if none is most, or all
    are; fig. 49 does not say so and is followed, as it protects more.

    >>> list_combinations(most=[1], more=[2, 3], identifying=[])
    ((1, 2), (1, 3))
    """
    ranked = {"most": most, "more": more, "identifying": identifying}
    kinds = TESTED + TESTED_WITH_IDENTIFYING if identifying else TESTED
    found = {combination for kind in kinds for combination in _combine_ranks(kind, ranked)}
    return tuple(sorted(found, key=lambda c: (len(c), c)))


def _combine_ranks(kind: Sequence[str], ranked: dict[str, Sequence[int]]) -> list[Combination]:
    """All combinations with a given number of columns of each rank."""
    parts = [choose(ranked[rank], kind.count(rank)) for rank in dict.fromkeys(kind)]
    return [tuple(sorted(sum(chosen, ()))) for chosen in product(*parts)]


# Rare combinations of values, and the rows that have them.


@dataclass(frozen=True, eq=False)
class Outliers:
    """The outliers of a table at a node, over the combinations that were tested.

    ``unsafe[g, c]`` says that the values of class g in ``combinations[c]`` are those of fewer than
    k rows. ``rows`` counts each class, ``codes`` has its values (a column each), and ``group`` is
    the class of each distinct tuple of the table.
    """

    combinations: tuple[Combination, ...]
    unsafe: Mask
    rows: Ints
    codes: tuple[Codes, ...]
    group: npt.NDArray[np.int32]

    @property
    def rows_with_outliers(self) -> int:
        """Rows that have a rare combination."""
        return int(self.rows[self.unsafe.any(axis=1)].sum())


def find_outliers(
    problem: Problem, node: Node, combinations: Sequence[Combination], k: int
) -> Outliers:
    """Count the values of every combination, and mark those of fewer than k rows.

    Notes
    -----
    [Sweeney2001]_, sec. 7.2, figs. 52 to 54 and 57 to 60. *Departures*: none. *Cost*: one roll-up
    of the node's classes per combination, never a pass over the rows.
    """
    counter = problem.counter
    groups = counter.groups(node)
    unsafe = np.zeros((len(groups), len(combinations)), dtype=np.bool_)
    for number, combination in enumerate(combinations):
        classes, inverse = counter.project(groups, combination)
        unsafe[:, number] = (classes.rows < k)[inverse]
    raised = [
        hierarchy.maps[level][codes]
        for hierarchy, level, codes in zip(
            problem.lattice.hierarchies, node, problem.frequency.codes, strict=True
        )
    ]
    keys = counter.packing.pack(raised, len(problem.frequency))
    codes = tuple(counter.packing.unpack(groups.keys, c) for c in range(len(node)))
    group = KeyIndex(groups.keys).find(keys)
    return Outliers(tuple(combinations), unsafe, groups.rows, codes, group)


class Session:
    """A table in a mu-Argus session: levels so far, steps, outliers.

    Notes
    -----
    [Sweeney2001]_, sec. 7.2, figs. 48 and 50, phases A to D. *Departures*: the data holder sees the
    precision and the number of outliers before and after a step, which sec. 7.3.4 misses.
    *Cost*: one roll-up per combination each time the outliers are counted.
    """

    def __init__(self, problem: Problem, combinations: Sequence[Combination], k: int) -> None:
        self.problem, self.k = problem, k
        self.combinations = tuple(combinations)
        self._history = [phase_a(problem, k)]
        self._found: dict[Node, Outliers] = {}

    @property
    def levels(self) -> Node:
        """The level that each column is at."""
        return self._history[-1]

    @property
    def steps(self) -> int:
        """How often a column was generalized, without undone steps."""
        return len(self._history) - 1

    @property
    def checked(self) -> int:
        """How many nodes were counted."""
        return len(self._found)

    def is_at_top(self, column: int) -> bool:
        """Whether a column cannot be generalized any further."""
        return self.levels[column] == self.problem.lattice.top[column]

    def generalize(self, column: int) -> None:
        """Raise a column by one level (fig. 55); a column at its top stays there."""
        if not self.is_at_top(column):
            now = self.levels
            self._history.append((*now[:column], now[column] + 1, *now[column + 1 :]))

    def undo(self) -> bool:
        """Undo the last generalization, if any; that of phase A stays."""
        if self.steps:
            self._history.pop()
            return True
        return False

    def outliers(self) -> Outliers:
        """The rare combinations at the present levels (phase B)."""
        now = self.levels
        if now not in self._found:
            self._found[now] = find_outliers(self.problem, now, self.combinations, self.k)
        return self._found[now]

    def precision(self) -> float:
        """The precision at the present levels, before any cell is suppressed."""
        measure = Precision()
        cost = measure.on(self.problem.table)
        return measure.convert_score(cost.score(self.levels, np.zeros(len(self.levels))))


def phase_a(problem: Problem, k: int) -> Node:
    """The least level of each column at which every value has k rows (step 3 of fig. 50)."""
    levels = []
    for codes, hierarchy in zip(problem.frequency.codes, problem.lattice.hierarchies, strict=True):
        ground = add_up(codes, problem.frequency.rows, hierarchy.size(0))
        level = 0
        while level < hierarchy.height:
            rows = add_up(hierarchy.maps[level], ground, hierarchy.size(level))
            if rows.min() >= k:
                break
            level += 1
        levels.append(level)
    return tuple(levels)
