"""CommonTuples: rows that belong to every minimal of a group."""

from __future__ import annotations

from discreet.algorithms.similar.generate_minimums import Cluster


def common_tuples(mins: list[Cluster]) -> Cluster:
    """The rows that every minimal has.

    Notes
    -----
    [Sweeney2001]_, fig. 102. *Departures*: none. *Cost*: one look at every minimal.
    """
    return tuple(sorted(set(mins[0]).intersection(*mins)))
