"""The best way to part sorted values into stretches of at least k rows."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from discreet.algorithms.one_dimensional import kernels
from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Floats, Ints
from discreet.models.parameters import require_choice, require_whole

Cost = Literal["distances", "radius", "cellular"]
CODES = {
    "distances": kernels.DISTANCES,
    "radius": kernels.RADIUS,
    "cellular": kernels.CELLULAR,
    "ranks": kernels.RANKS,
}


@dataclass(frozen=True, eq=False)
class Clusters:
    """Stretches of sorted values: where each starts, which value stands for it, and the cost."""

    starts: Ints
    centres: Ints
    cost: float

    def __len__(self) -> int:
        return len(self.starts)


def clustered(values: npt.NDArray[np.float64], counts: Ints, k: int, cost: Cost) -> Clusters:
    """Part values into stretches of at least k rows each, at the least cost.

    Parameters
    ----------
    values
        The different values, rising.
    counts
        How many rows have each value; rows with the same value stay together.
    k
        The rows that a cluster must have.
    cost
        ``distances``: the sum of distances to the cluster's centre, its median. ``radius``: the
        largest distance of any row to its centre. ``cellular``: the sum over clusters of radius
        times rows. Centres are values of the column.

    Notes
    -----
    [Lodha2008]_, sec. 4.1, dynamic programming. *Departures*: rows with the same value stay
    together, so a cluster may have 2k rows and more. Clusters that are no stretches are not
    looked at; for ``distances`` and ``radius`` none of them is better, for ``cellular`` one may be,
    which the paper denies. *Cost*: for ``distances`` n log^2 n for n values, instead of the
    paper's n k, since a later start of the last cluster, once better, stays better; for ``radius``
    n for each of some 60 halvings; for ``cellular`` n times the values of about k rows.

    >>> found = clustered(np.array([1.0, 3, 4, 7, 12]), np.ones(5, dtype=np.int64), 2, "distances")
    >>> found.starts.tolist(), found.centres.tolist(), found.cost
    ([0, 3], [1, 3], 8.0)
    """
    require_choice("one_dimensional", "cost", cost, get_args(Cost))
    return best_stretches(values, counts, k, cost)


def best_stretches(values: Floats, counts: Ints, k: int, cost: str) -> Clusters:
    """Run the dynamic program of a cost and follow it back."""
    before = check(values, counts, k)
    moved = np.asarray(values, dtype=np.float64) - values[0]
    if cost in ("distances", "ranks"):
        mass = np.append(0.0, np.cumsum(moved * counts))
        found, first = kernels.by_queue(moved, before, mass, k, CODES[cost])
    elif cost == "radius":
        found, first = kernels.by_radius(moved, before, k)
    else:
        found, first = kernels.by_window(moved, before, k)
    starts: list[int] = []
    end = len(moved)
    while end:
        end = int(first[end - 1])
        starts.append(end)
    return Clusters(*centred(np.array(starts[::-1]), moved, before, cost), float(found))


def centred(starts: Ints, values: Floats, before: Ints, cost: str) -> tuple[Ints, Ints]:
    """The starts, and the value that stands for each cluster."""
    ends = np.append(starts[1:], len(values)) - 1
    by_radius = cost in ("radius", "cellular")
    centres = [
        kernels.centre_at(values, i, j) if by_radius else kernels.median_at(before, i, j)
        for i, j in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
    return starts, np.array(centres, dtype=np.int64)


def check(values: Floats, counts: Ints, k: int) -> Ints:
    """Refuse what cannot be parted; the rows before each value otherwise."""
    require_whole("one_dimensional", "k", k, least=1)
    if len(values) != len(counts) or not (np.diff(values) > 0).all():
        raise ParameterError("one_dimensional", "values", "rising, with a count each")
    before = np.append(0, np.cumsum(counts)).astype(np.int64)
    if not len(counts) or before[-1] < k:
        raise ParameterError("one_dimensional", "k", f"at most the {before[-1]:,} rows there are")
    return before
