"""kSimilarRun and kSimilarRunParts: which rows are released together."""

from __future__ import annotations

from collections.abc import Callable

from discreet.algorithms.similar.add_tuple import add_tuple
from discreet.algorithms.similar.common_tuples import common_tuples
from discreet.algorithms.similar.distance_vectors import Clique
from discreet.algorithms.similar.find_complements import apart, find_complements
from discreet.algorithms.similar.generate_minimums import Cluster, generate_minimums
from discreet.algorithms.similar.partition import partition

Told = Callable[[], None]
"""Called now and then; may raise to stop the work."""


def k_similar_run(clique: Clique, rows: Cluster, k: int, told: Told) -> list[Cluster]:
    """Divide k rows or more into clusters of at least k.

    Notes
    -----
    [Sweeney2001]_, fig. 92. *Departures*: see :func:`apart`; the minimals of the rows that remain
    are made once, after all complementary minimums are taken out.
    """
    told()
    if len(rows) < 2 * k:
        return [rows] if rows else []
    mins = generate_minimums(clique, rows, k)
    complements = apart(find_complements(mins), len(rows), k)
    rest = without(rows, *complements)
    if complements and rest:
        mins = generate_minimums(clique, rest, k)
    return complements + (k_similar_run_parts(clique, mins, k, told) if rest else [])


def k_similar_run_parts(clique: Clique, mins: list[Cluster], k: int, told: Told) -> list[Cluster]:
    """Divide the rows of each connected group of minimals by itself.

    Notes
    -----
    [Sweeney2001]_, fig. 93. *Departures*: the figure asserts that the minimals of a group of 2k
    rows or more have rows in common. They need not (two rows that are each the nearest of several
    others), and the figure would then run on the same rows for ever: the closest minimal of the
    group is released, and the rest is run on. Where fewer than 2k rows are left without the
    withheld ones, these are one cluster (step 4.2.1 has minimals less the withheld rows, which are
    no clusters).
    """
    clusters: list[Cluster] = []
    while mins:
        group, mins = partition(mins)
        rows = tuple(sorted(set().union(*group)))
        withheld = common_tuples(group)
        if len(rows) < 2 * k:
            clusters.append(rows)
        elif withheld:
            others = k_similar_run(clique, without(rows, withheld), k, told)
            clusters += add_tuple(clique, withheld, others, k)
        else:
            closest = min(group, key=clique.distortion)
            clusters += [closest, *k_similar_run(clique, without(rows, closest), k, told)]
    return clusters


def without(rows: Cluster, *clusters: Cluster) -> Cluster:
    """The rows that are in none of the clusters."""
    gone = {row for cluster in clusters for row in cluster}
    return tuple(row for row in rows if row not in gone)
