"""Partition: a group of minimals that hang together, and the rest."""

from __future__ import annotations

from discreet.algorithms.similar.generate_minimums import Cluster


def partition(mins: list[Cluster]) -> tuple[list[Cluster], list[Cluster]]:
    """The minimals that hang together with the first one through rows they share, and the others.

    Notes
    -----
    [Sweeney2001]_, fig. 101. *Departures*: the figure looks at each minimal once and can leave one
    behind that joins only through a later one; here the look is repeated until nothing joins, as
    "connected" says. *Cost*: the square of the minimals at most.
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
