"""Rare combinations of values: which rows have which."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from discreet.algorithms.argus.combinations import Combination
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.frequency.classes import Ints, Mask
from discreet.frequency.frequency_list import Codes
from discreet.hierarchy.lattice import Node


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
    of the node's classes a combination, never a pass over the rows.
    """
    from discreet.frequency.key_index import KeyIndex

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
