"""AddTuple: rows that were held aside find a place in the clusters of the others."""

from __future__ import annotations

from itertools import combinations

from discreet.algorithms.similar.distance_vectors import Clique
from discreet.algorithms.similar.generate_minimums import Cluster


def add_tuple(clique: Clique, withheld: Cluster, clusters: list[Cluster], k: int) -> list[Cluster]:
    """The clusters with the withheld rows among them, so that distortion rises least.

    A cluster is divided, k rows with the withheld ones among them on one side, or joined by them as
    it is.

    Notes
    -----
    [Sweeney2001]_, figs. 95 and 96. *Departures*: the figure divides clusters of exactly 2k rows,
    withheld ones included, and says nothing of others: those with more are divided too, and any
    cluster may be joined. What counts is by how much distortion rises, as the text says; the figure
    compares what the clusters cost afterwards, whatever they cost before. *Cost*: the combinations
    of fewer than k rows of each cluster.
    """
    best: tuple[float, int, list[Cluster]] | None = None
    for place, cluster in enumerate(clusters):
        before = clique.distortion(cluster)
        for new in [[_together(cluster, withheld)], *_divided(cluster, withheld, k)]:
            rise = round(sum(map(clique.distortion, new)) - before, 9)
            if best is None or (rise, place) < best[:2]:
                best = rise, place, new
    if best is None:
        return [withheld]
    _, place, new = best
    return [*clusters[:place], *new, *clusters[place + 1 :]]


def _divided(cluster: Cluster, withheld: Cluster, k: int) -> list[list[Cluster]]:
    """All ways to add rows to the withheld ones up to k, if k or more are left."""
    if len(cluster) + len(withheld) < 2 * k:
        return []
    found = []
    for chosen in combinations(cluster, k - len(withheld)):
        rest = tuple(row for row in cluster if row not in chosen)
        found.append([rest, _together(chosen, withheld)])
    return found


def _together(one: Cluster, other: Cluster) -> Cluster:
    return tuple(sorted((*one, *other)))
