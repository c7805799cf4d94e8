"""FindComplements: minimals that can be released at once, since the other rows do not need them."""

from __future__ import annotations

from discreet.algorithms.similar.generate_minimums import Cluster


def find_complements(mins: list[Cluster]) -> list[Cluster]:
    """The complementary minimums: every other row has a minimal that shares no row with them.

    Notes
    -----
    [Sweeney2001]_, fig. 99 and fig. 88, step C. *Departures*: the figure takes from the other rows
    what a minimal shares with the candidate, which is never among them, so that every minimal would
    be complementary. Taken away are the rows of minimals that share nothing with the candidate, and
    none may be left; this gives the complementary minimums of both walk-throughs. *Cost*: the
    square of the minimals at most.
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


def apart(complements: list[Cluster], rows: int, k: int) -> list[Cluster]:
    """Complementary minimums that can be released together, the first first.

    Notes
    -----
    [Sweeney2001]_, fig. 92, step 6. *Departures*: where complementary minimums share rows, the
    figure would release these twice: the later ones are left out. So are those that would leave
    fewer than k rows behind.
    """
    taken: list[Cluster] = []
    used: set[int] = set()
    for cluster in complements:
        left = rows - len(used) - len(cluster)
        if used.isdisjoint(cluster) and (left == 0 or left >= k):
            taken.append(cluster)
            used.update(cluster)
    return taken
