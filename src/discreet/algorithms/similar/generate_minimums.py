"""GenerateMinimums: for every row, the groups of k rows around it that are closest."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.similar.distance_vectors import Clique, Vector, join

Cluster = tuple[int, ...]
"""Rows that belong together, in rising order."""


def generate_minimums(clique: Clique, rows: Cluster, k: int) -> list[Cluster]:
    """The minimals of all rows, each once, in the order in which they are found.

    Notes
    -----
    [Sweeney2001]_, fig. 98. *Departures*: every row is compared with all others, as the
    walk-through does, and not only with those after it. *Cost*: the combinations of k rows, less
    what the best so far cuts off.
    """
    found: dict[Cluster, None] = {}
    for root in rows:
        found.update(dict.fromkeys(traverse(clique, rows, root, k)))
    return list(found)


def traverse(clique: Clique, rows: Cluster, root: int, k: int) -> list[Cluster]:
    """All groups of k rows with the root whose maximal distance vector is least.

    Notes
    -----
    [Sweeney2001]_, fig. 100. *Departures*: a recursion instead of a stack, which the figure fills
    and empties in ways that lose k and the root's best distance; what it finds is what its
    description and the walk-throughs say. Rows too far from the root alone are left out first.
    """
    others = [row for row in rows if row != root]
    if k == 1:
        return [(root,)]
    near = sorted(others, key=lambda row: clique.dist(clique.vectors[root, row]))[: k - 1]
    most = clique.dist(clique.maximal((root, *near)))
    others = [row for row in others if clique.dist(clique.vectors[root, row]) <= most]
    start = np.zeros_like(clique.vectors[root, root])
    walk = _Walk(clique, root, others, most)
    walk.on(start, (root,), 0, k - 1)
    return walk.found


class _Walk:
    """The walk along the edges of the clique from one row."""

    def __init__(self, clique: Clique, root: int, others: list[int], most: float) -> None:
        self._clique, self._others, self._most = clique, others, most
        self._to = [clique.vectors[root, row] for row in others]
        self.found: list[Cluster] = []

    def on(self, vector: Vector, path: Cluster, first: int, wanted: int) -> None:
        """Add ``wanted`` more rows to the path, from the first of the others on."""
        if not wanted:
            distance = self._clique.dist(vector)
            if distance < self._most:
                self._most = distance
                self.found.clear()
            self.found.append(tuple(sorted(path)))
            return
        for place in range(first, len(self._others) - wanted + 1):
            longer = join(vector, self._to[place])
            if self._clique.dist(longer) <= self._most:
                self.on(longer, (*path, self._others[place]), place + 1, wanted - 1)
