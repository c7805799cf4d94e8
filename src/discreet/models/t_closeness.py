"""t-closeness: a class tells little more about its sensitive values than the whole table does."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.frequency.classes import Classes, Floats, Histogram, Ints, Mask, add_up
from discreet.models.parameters import require_choice, require_real
from discreet.models.verdict import TOLERANCE, Verdict

CELLS_AT_ONCE = 1 << 21
BISECTIONS = 24


@dataclass(frozen=True)
class TCloseness:
    """The sensitive values of every class are distributed almost as in the whole table.

    Parameters
    ----------
    column
        The sensitive column.
    t
        The largest distance allowed, above 0 and up to 1.
    distance
        ``equal``: all values are equally far apart; ``ordered``: neighbours are near;
        ``hierarchical``: values under a common parent are near.
    order
        The values from low to high, for ``ordered`` where they are not numbers.
    columns
        The quasi-identifier this holds for; all quasi columns if not given.

    Notes
    -----
    [Li2007]_, sec. 4, with the earth mover's distance of sec. 4.1. The tree distance is the mean,
    over the levels below the root, of the equal distance between the level's values, which is the
    sum of the paper's node costs. *Departures*: the whole table is the private one, before any row
    is suppressed. *Cost*: linear in the (class, value) pairs; ordered: classes times values.

    >>> TCloseness(column="disease", t=0.2).distance
    'equal'
    """

    column: str
    t: float
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    order: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "t_closeness"
    hereditary: ClassVar[bool] = False
    least_rows: ClassVar[int] = 1

    def __post_init__(self) -> None:
        kinds = ("equal", "ordered", "hierarchical")
        require_choice(self.name, "distance", self.distance, kinds)
        require_real(self.name, "t", self.t, above=0, most=1)

    @property
    def sensitive(self) -> str:
        """The sensitive column this model looks at."""
        return self.column

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes whose distribution is too far from the table's."""
        rows = classes.rows.astype(np.float64)
        return self._least_distance(classes, rows) > self.t + TOLERANCE

    def keepable(self, classes: Classes) -> Floats:
        """Rows of each class that some finer grouping could still release.

        A part of N rows can at best hold min(q, h/N) of each share q, where h is the class's own
        count; the largest N that comes within t by that reckoning is found by bisection.
        """
        rows = classes.rows.astype(np.float64)
        failing = self.fails(classes)
        if not failing.any():
            return rows
        part = classes.only(failing)
        low, high = np.zeros(len(part)), part.rows.astype(np.float64)
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            over = self._least_distance(part, np.maximum(middle, 1e-9)) > self.t + TOLERANCE
            high, low = np.where(over, middle, high), np.where(over, low, middle)
        rows[failing] = np.minimum(high, part.rows - 1)
        return rows

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.t

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return f"{self.column} in every class is within {self.t:g} of the whole table"

    def verdict(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the class furthest from the whole table."""
        distances = self._least_distance(classes, classes.rows.astype(np.float64))
        failing = distances > self.t + TOLERANCE
        measured = float(distances.max()) if len(distances) else 0.0
        at_risk = int(classes.rows[failing].sum())
        note = f"{self.distance} distance, column {self.column}, compared with the whole table"
        return Verdict(self.name, not failing.any(), measured, self.t, at_risk, columns, note)

    def _least_distance(self, classes: Classes, size: Floats) -> Floats:
        """Least distance that any ``size`` rows of each class have; exact for the whole class."""
        histogram = classes.histograms[self.column]
        if self.distance == "ordered":
            return _ordered(classes, histogram, size, histogram.reference.ranks[self.order])
        if self.distance == "equal":
            return _equal(classes, histogram, size, None)
        levels = histogram.reference.levels[:-1]
        if not levels:
            return np.zeros(len(classes))
        total = np.zeros(len(classes))
        for level in levels:
            total += _equal(classes, histogram, size, level)
        return total / len(levels)


def _equal(
    classes: Classes, histogram: Histogram, size: Floats, level: npt.NDArray[np.int32] | None
) -> Floats:
    """One minus what the class has in common with the table: half the absolute differences."""
    shares, owner = histogram.reference.shares, histogram.owner
    value, count = histogram.value, histogram.count
    if level is not None:
        shares = add_up(level, shares, int(level.max()) + 1)
        pairs = owner.astype(np.int64) * len(shares) + level[value]
        pair, where = np.unique(pairs, return_inverse=True)
        count = np.bincount(where, weights=count).astype(np.int64)
        owner, value = (pair // len(shares)).astype(np.int32), pair % len(shares)
    common = np.minimum(shares[value], count / size[owner])
    return 1.0 - add_up(owner, common, len(classes))


def _ordered(classes: Classes, histogram: Histogram, size: Floats, rank: Ints) -> Floats:
    """Sum of absolute differences of the cumulated shares, over one less than the values."""
    reference = histogram.reference
    values = len(rank)
    if values < 2:
        return np.zeros(len(classes))
    table = np.zeros(values)
    table[rank] = reference.shares
    target = np.cumsum(table)
    result = np.empty(len(classes))
    order = np.argsort(histogram.owner, kind="stable")
    owner = histogram.owner[order]
    place, count = rank[histogram.value[order]], histogram.count[order]
    step = max(1, CELLS_AT_ONCE // values)
    for start in range(0, len(classes), step):
        stop = min(len(classes), start + step)
        first, last = np.searchsorted(owner, [start, stop])
        dense = np.zeros((stop - start, values))
        dense[owner[first:last] - start, place[first:last]] = count[first:last]
        below = np.cumsum(dense, axis=1)
        above = below[:, -1:] - below
        n = size[start:stop, None]
        short = np.maximum(target - below / n, (1 - above / n) - target)
        result[start:stop] = np.maximum(short, 0.0)[:, :-1].sum(axis=1) / (values - 1)
    return result
