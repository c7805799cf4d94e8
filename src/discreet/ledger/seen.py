"""Which rows the recipients of a new release have seen before, by class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Floats
from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.ledger.entry import Entry
from discreet.ledger.fingerprints import classes_now
from discreet.ledger.key import Key


@dataclass(frozen=True, eq=False)
class Seen:
    """Sums by distinct tuple: rows in an earlier release, and earlier classes that lost rows.

    What belongs to a class stands at one of its tuples: classes of a coarser release are unions.
    ``gone`` counts the rows of each release that the table does not have any more.
    """

    known: Floats
    doubtful: Floats
    gone: dict[int, int]


def seen(
    key: Key,
    table: str,
    frequency: FrequencyList,
    hierarchies: Sequence[Hierarchy],
    releases: Sequence[Entry],
) -> Seen:
    """Count the rows of earlier releases, from the fingerprints of their classes.

    The releases are taken from coarse to fine. A class that a coarser one released holds all rows
    of the finer ones in it, so it alone is counted.
    """
    known, doubtful = np.zeros(len(frequency)), np.zeros(len(frequency))
    counted = np.zeros(len(frequency), dtype=np.bool_)
    gone: dict[int, int] = {}
    by_name = {hierarchy.column: hierarchy for hierarchy in hierarchies}
    coarse_last = sorted(releases, key=lambda entry: sum(entry.levels.values()))
    for entry in reversed(coarse_last):
        now = classes_now(key, table, frequency, by_name, entry.levels)
        then = np.array([entry.classes.get(print_, 0) for print_ in now.prints], dtype=np.int64)
        there = np.minimum(then, now.rows)
        lost = sum(entry.classes.values()) - int(there.sum())
        if lost:
            gone[entry.number] = lost
        fresh = (then > 0) & ~counted[now.first]
        known[now.first[fresh]] += there[fresh]
        doubtful[now.first[(then > now.rows) & fresh]] += 1
        counted |= (then > 0)[now.owner]
    return Seen(known, doubtful, gone)


def same_rows(
    key: Key,
    table: str,
    frequency: FrequencyList,
    hierarchies: Sequence[Hierarchy],
    entry: Entry,
) -> bool:
    """Whether a release has every row that the table has now, and no other, by its classes."""
    by_name = {hierarchy.column: hierarchy for hierarchy in hierarchies}
    now = classes_now(key, table, frequency, by_name, entry.levels)
    return dict(zip(now.prints, now.rows.tolist(), strict=True)) == dict(entry.classes)
