"""What the values of a column become, as a ledger remembers it: by keyed hashes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from discreet.hierarchy.hierarchy import Hierarchy
from discreet.ledger.key import Key

Step = tuple[int, str | None, int, str | None]
"""A level and a label of it, and what that is at a higher level."""


def generalizations(key: Key, table: str, hierarchy: Hierarchy, level: int) -> set[str]:
    """Fingerprints of what a release at a level says of values, and of all above it.

    One for each value of the hierarchy and what it is at the level, and one for each label from
    there up and what is above it. A hierarchy that has all of these gives the same values the same
    meaning; it may have more values, and levels on top.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2: the steps of a value generalization hierarchy. *Departures*: those
    below the level are taken as one, since no later release goes below it. *Cost*: one hash for
    each value and each label above the level.
    """
    column = hierarchy.column
    return {key.step_fingerprint(table, column, step) for step in _steps(hierarchy, level)}


def _steps(hierarchy: Hierarchy, level: int) -> Iterator[Step]:
    levels = sorted({0, *range(level, hierarchy.height + 1)})
    for low, high in pairwise(levels):
        pairs = zip(hierarchy.maps[low].tolist(), hierarchy.maps[high].tolist(), strict=True)
        for below, above in set(pairs):
            yield low, hierarchy.labels[low][below], high, hierarchy.labels[high][above]
