"""CliqueConstruct: the distance vectors between every two rows."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.problem import Problem
from discreet.algorithms.similar.distance_vectors import Clique
from discreet.frequency.classes import Floats, Ints
from discreet.measures import Precision, WeightedPrecision


def clique_construct(problem: Problem, owner: Ints) -> Clique:
    """Compare every two rows, ``owner`` being the distinct tuple of each.

    Notes
    -----
    [Sweeney2001]_, figs. 90 and 91. *Departures*: none; the length of the path between two values
    is the level at which they are first alike, as the definition in sec. 8.2.1 says. *Cost*: the
    square of the rows, times levels.
    """
    columns = []
    for codes, hierarchy in zip(problem.frequency.codes, problem.lattice.hierarchies, strict=True):
        ground = codes[owner]
        distance = np.zeros((len(owner), len(owner)), dtype=np.uint8)
        for level in range(hierarchy.height):
            at_level = hierarchy.maps[level][ground]
            distance += at_level[:, None] != at_level[None, :]
        columns.append(distance)
    return Clique(np.stack(columns, axis=2), level_shares(problem))


def level_shares(problem: Problem) -> Floats:
    """What one level of each column counts in Prec, or in the weighted Prec of the policy."""
    weighted = isinstance(problem.measure, WeightedPrecision)
    measure = problem.measure if weighted else Precision()
    heights = np.array([max(1, h.height) for h in problem.lattice.hierarchies], dtype=np.float64)
    slope = measure.on(problem.table).slope  # type: ignore[union-attr]
    shares: Floats = slope / slope.mean() / heights
    return shares
