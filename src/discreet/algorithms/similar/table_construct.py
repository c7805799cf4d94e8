"""TableConstruct: the rows of each cluster, generalized until they are alike."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.cell_recoding import CellRecoding, at_levels
from discreet.algorithms.problem import Problem
from discreet.algorithms.similar.distance_vectors import Clique
from discreet.algorithms.similar.generate_minimums import Cluster
from discreet.frequency.classes import Ints


def table_construct(
    problem: Problem, owner: Ints, clique: Clique, clusters: list[Cluster]
) -> CellRecoding:
    """Release every row at the maximal distance vector of its cluster.

    Notes
    -----
    [Sweeney2001]_, figs. 94 and 97. *Departures*: step 2.5.1 generalizes the rows numbered 1 to the
    size of the cluster; meant are the rows of the cluster.
    """
    parts = [
        (owner[row], *clique.maximal(cluster).tolist()) for cluster in clusters for row in cluster
    ]
    different, rows = np.unique(np.array(parts, dtype=np.int64), axis=0, return_counts=True)
    return at_levels(problem, different[:, 1:], different[:, 0], rows)
