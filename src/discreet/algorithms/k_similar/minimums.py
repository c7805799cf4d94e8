"""GenerateMinimums: for every row, the closest groups of k rows around it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.frequency.classes import Floats

# Distance vectors: how many levels each column must rise until two rows are equal.


Vector = npt.NDArray[np.uint8]

DECIMALS = 12
"""Decimals to which equal distances agree."""


def is_below(one: Vector, other: Vector) -> bool:
    """Whether every element is smaller ([Sweeney2001]_, fig. 87, relation 1)."""
    return bool((one < other).all())


def is_same(one: Vector, other: Vector) -> bool:
    """Whether all elements are equal (fig. 87, relation 2)."""
    return bool((one == other).all())


def meet(one: Vector, other: Vector) -> Vector:
    """The smaller of each two elements (fig. 87, operation 3)."""
    return np.minimum(one, other)


def join(one: Vector, other: Vector) -> Vector:
    """The larger of each two elements (fig. 87, operation 4)."""
    return np.maximum(one, other)


@dataclass(frozen=True, eq=False)
class Clique:
    """Distance vectors between every two rows, and the weight of one level of each column.

    Notes
    -----
    [Sweeney2001]_, sec. 8.2.1 and fig. 105. *Departures*: none. *Cost*: memory for the square of
    the rows.
    """

    vectors: npt.NDArray[np.uint8]
    shares: Floats

    def dist(self, vector: Vector) -> float:
        """The levels of a vector, each as a share of its column's height, added up."""
        return round(float(vector @ self.shares), DECIMALS)

    def maximal(self, rows: tuple[int, ...]) -> Vector:
        """The maximal distance vector across some rows, which makes them all equal (theorem 7)."""
        vectors: Vector = self.vectors[rows[0], list(rows)].max(axis=0)
        return vectors

    def distortion(self, rows: tuple[int, ...]) -> float:
        """The cost of making some rows equal."""
        return self.dist(self.maximal(rows)) * len(rows)


Cluster = tuple[int, ...]
"""Rows that belong together, in rising order."""


def generate_minimums(clique: Clique, rows: Cluster, k: int) -> list[Cluster]:
    """The minimals of all rows, each once, in the order in which they are found.

    Notes
    -----
    [Sweeney2001]_, fig. 98. *Departures*: every row is compared with all others, as the
    walk-through does, and not only with those after it. *Cost*: the combinations of k rows, except
    those cut off by the best so far.
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
    and empties in ways that lose k and the root's best distance; the result is that of its
    description and the walk-throughs. Rows that are by themselves too far from the root are left
    out first.
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


# FindComplements: minimals that can be released at once, since other rows do not need them.


def find_complements(mins: list[Cluster]) -> list[Cluster]:
    """The complementary minimums: every other row has a minimal that shares no row with them.

    Notes
    -----
    [Sweeney2001]_, fig. 99 and fig. 88, step C. *Departures*: the figure removes from the other
    rows what a minimal shares with the candidate, which is never among them, so that every minimal
    would be complementary. Here the rows of minimals that share nothing with the candidate are
    removed, and none may be left; this gives the complementary minimums of both walk-throughs.
    *Cost*: the square of the minimals at most.
    """
    of_row: dict[int, list[frozenset[int]]] = {}
    for minimal in mins:
        rows = frozenset(minimal)
        for row in minimal:
            of_row.setdefault(row, []).append(rows)
    found = []
    for candidate in mins:
        inside = frozenset(candidate)
        if all(
            any(inside.isdisjoint(minimal) for minimal in minimals)
            for row, minimals in of_row.items()
            if row not in inside
        ):
            found.append(candidate)
    return found


def choose_disjoint(complements: list[Cluster], rows: int, k: int) -> list[Cluster]:
    """Complementary minimums that can be released together, in order.

    Notes
    -----
    [Sweeney2001]_, fig. 92, step 6. *Departures*: if complementary minimums share rows, the figure
    would release these twice: the later ones are left out. So are those that would leave fewer than
    k rows behind.
    """
    taken: list[Cluster] = []
    used: set[int] = set()
    for cluster in complements:
        left = rows - len(used) - len(cluster)
        if used.isdisjoint(cluster) and (left == 0 or left >= k):
            taken.append(cluster)
            used.update(cluster)
    return taken


# CommonTuples: rows that belong to every minimal of a group.


def common_tuples(mins: list[Cluster]) -> Cluster:
    """The rows that every minimal has.

    Notes
    -----
    [Sweeney2001]_, fig. 102. *Departures*: none. *Cost*: one pass over the minimals.
    """
    return tuple(sorted(set(mins[0]).intersection(*mins)))


# Partition: a connected group of minimals, and the rest.


def partition(mins: list[Cluster]) -> tuple[list[Cluster], list[Cluster]]:
    """The minimals connected with the first one by shared rows, and the others.

    Notes
    -----
    [Sweeney2001]_, fig. 101. *Departures*: the figure visits each minimal once and can leave one
    behind that is connected only by a later one; here the pass is repeated until nothing changes,
    as "connected" requires. *Cost*: the square of the minimals at most.
    """
    together, others = mins[:1], mins[1:]
    rows = set(mins[0])
    while True:
        joining = [minimal for minimal in others if not rows.isdisjoint(minimal)]
        if not joining:
            return together, others
        others = [minimal for minimal in others if rows.isdisjoint(minimal)]
        together += joining
        rows.update(*joining)


# AddTuple: withheld rows join the clusters of the others.


def add_tuple(clique: Clique, withheld: Cluster, clusters: list[Cluster], k: int) -> list[Cluster]:
    """The clusters with the withheld rows added so that distortion rises least.

    A cluster is either divided, with k rows including the withheld ones on one side, or joined by
    them as a whole.

    Notes
    -----
    [Sweeney2001]_, figs. 95 and 96. *Departures*: the figure divides clusters of exactly 2k rows,
    including withheld ones, and says nothing about others: larger ones are divided too, and any
    cluster may be joined. The increase of distortion decides, as the text says; the figure compares
    the costs of the clusters afterwards, whatever they were before. *Cost*: the combinations of
    fewer than k rows of each cluster.
    """
    best: tuple[float, int, list[Cluster]] | None = None
    for place, cluster in enumerate(clusters):
        before = clique.distortion(cluster)
        for new in [[_join_clusters(cluster, withheld)], *_list_divisions(cluster, withheld, k)]:
            rise = round(sum(map(clique.distortion, new)) - before, 9)
            if best is None or (rise, place) < best[:2]:
                best = rise, place, new
    if best is None:
        return [withheld]
    _, place, new = best
    return [*clusters[:place], *new, *clusters[place + 1 :]]


def _list_divisions(cluster: Cluster, withheld: Cluster, k: int) -> list[list[Cluster]]:
    """All ways to fill the withheld rows up to k, if k or more are left."""
    if len(cluster) + len(withheld) < 2 * k:
        return []
    found = []
    for chosen in combinations(cluster, k - len(withheld)):
        rest = tuple(row for row in cluster if row not in chosen)
        found.append([rest, _join_clusters(chosen, withheld)])
    return found


def _join_clusters(one: Cluster, other: Cluster) -> Cluster:
    return tuple(sorted((*one, *other)))
