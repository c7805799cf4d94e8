"""What each cell of a column may be released as, and what that costs."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.cell_recoding import cell_values
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints, Mask
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.values import Values
from discreet.measures import ColumnCost


@dataclass(frozen=True, eq=False)
class Choices:
    """One column: a row for each level, a place for each distinct tuple.

    ``text`` numbers the released texts, ``cost`` is what one row of the tuple loses there. Where a
    tuple has the same text at two levels, only the cheaper one is ``open``. The last level is a
    suppressed cell.
    """

    text: Ints
    cost: Floats
    open: Mask

    @property
    def levels(self) -> int:
        """Levels to look at, that of a suppressed cell included if it can be of use."""
        return len(self.text)


def choices(problem: Problem, cost: ColumnCost) -> tuple[Choices, ...]:
    """The choices of every column; costs are in the score of one row, row weights included."""
    weight = problem.frequency.tallies.get("weight")
    mass = np.ones(len(problem.frequency)) if weight is None else weight / problem.frequency.rows
    found = []
    for column, values in enumerate(cell_values(problem)):
        hierarchy = problem.lattice.hierarchies[column]
        ground = problem.frequency.codes[column].astype(np.int64)
        level = np.arange(_levels(hierarchy, values))[:, None]
        code = values.at(hierarchy, ground[None, :], level)
        worth = cost.worth(column, values.leaves, values.steps, values.mass)
        left = np.where(values.suppressed, 0.0, worth)[code]
        loss = cost.slope[column] * (cost.rise[column][0][ground] - left) * mass
        text = values.alike[code].astype(np.int64)
        found.append(Choices(text, loss, _cheapest(text, loss)))
    return tuple(found)


def _levels(hierarchy: Hierarchy, values: Values) -> int:
    """A suppressed cell says no more than the root, but may look like a value that is called so."""
    told = values.labels[: values.blank]
    useful = values.labels[values.blank] in told[:-1] and told[-1] != values.labels[values.blank]
    return hierarchy.height + 1 + int(useful)


def _cheapest(text: Ints, cost: Floats) -> Mask:
    """Of levels with one text, the cheapest, and the lowest of equals."""
    chosen = np.ones(text.shape, dtype=np.bool_)
    for one in range(len(text)):
        for other in range(len(text)):
            better = cost[other] < cost[one] if other > one else cost[other] <= cost[one]
            if one != other:
                chosen[one] &= (text[other] != text[one]) | ~better
    return chosen
