"""The releases that the recipients of a new one already hold, and what they allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from discreet.display import dataclass
from discreet.errors import EarlierReleaseError
from discreet.frequency.classes import Floats
from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.ledger.entry import Entry
from discreet.ledger.fingerprints import group_as_released
from discreet.ledger.key import Key
from discreet.policy.policy import Policy


@dataclass(frozen=True)
class Known:
    """The earlier releases that somebody holds who gets the new one, a set for each who differs.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.2 and 5.5.3. *Departures*: see
    ``docs/decisions/0021-a-later-release-generalizes-the-earlier.md``.
    """

    held: tuple[tuple[Entry, ...], ...]

    @cached_property
    def releases(self) -> tuple[Entry, ...]:
        """All of them once, in their order."""
        found = {entry.number: entry for held in self.held for entry in held}
        return tuple(found[number] for number in sorted(found))

    @property
    def numbers(self) -> tuple[int, ...]:
        """Their numbers in the ledger."""
        return tuple(entry.number for entry in self.releases)

    @cached_property
    def levels(self) -> dict[str, int]:
        """The finest level that each column released before may have now."""
        found: dict[str, int] = {}
        for entry in self.releases:
            for name, level in entry.levels.items():
                found[name] = max(level, found.get(name, 0))
        return found

    def list_narrower(self, policy: Policy) -> tuple[Entry, ...]:
        """The releases that lack quasi columns of the policy."""
        return tuple(entry for entry in self.releases if set(entry.levels) < set(policy.quasi))

    def list_finer(self, levels: Mapping[str, int] | None) -> tuple[tuple[Entry, ...], ...]:
        """The releases of each set that tell more of their rows than one at ``levels`` will.

        Without levels: all, as for a release that is coarser in some column.
        """
        if levels is None:
            return self.held
        return tuple(
            tuple(entry for entry in held if any(levels[n] != x for n, x in entry.levels.items()))
            for held in self.held
        )

    def refuse(self, policy: Policy) -> None:
        """Refuse a policy under which a release cannot be put beside these."""
        self.refuse_roles(policy)
        self._refuse_levels(policy)

    def refuse_roles(self, policy: Policy) -> None:
        """Refuse a policy with other quasi columns than a release had, and releases by cells."""
        for entry in self.releases:
            _refuse_cells(entry)
            _refuse_lacking(entry, policy)
            _refuse_raw(entry, policy)

    @property
    def parts(self) -> bool:
        """Whether one of them is a part of its table."""
        return any(entry.part is not None for entry in self.releases)

    def _refuse_levels(self, policy: Policy) -> None:
        """A column can join only at the very levels of the releases that lack it."""
        for entry in self.list_narrower(policy):
            for name, level in entry.levels.items():
                if level != self.levels[name]:
                    new = ", ".join(n for n in policy.quasi if n not in entry.levels)
                    what = f"it has '{name}' at level {level}, and {new} not at all; since then"
                    what += f" '{name}' was released at level {self.levels[name]}"
                    fix = f"Leave {new} out: together they would say more than was ever checked."
                    raise EarlierReleaseError([entry.number], what, fix)


def _refuse_cells(entry: Entry) -> None:
    if entry.cells:
        what = f"it was made by {entry.algorithm}, cell by cell, so what its rows say is not known"
        fix = "Release nothing more of this table to those who have it, or start with optimal."
        raise EarlierReleaseError([entry.number], what, fix)


def _refuse_lacking(entry: Entry, policy: Policy) -> None:
    lacking = [name for name in entry.levels if name not in policy.quasi]
    if lacking:
        names = ", ".join(lacking)
        what = f"{names} was released as quasi, and the policy does not have it as quasi"
        fix = f"Add {names} with role quasi; it may be released as coarse as *."
        raise EarlierReleaseError([entry.number], what, fix)


def _refuse_raw(entry: Entry, policy: Policy) -> None:
    raw = [name for name in policy.quasi if name in entry.raw]
    if raw:
        names = ", ".join(raw)
        what = f"{names} was released unchanged, and the policy now has it as quasi"
        fix = f"It cannot be protected any more: give {names} the role it had, or leave it out."
        raise EarlierReleaseError([entry.number], what, fix)


# Which rows the recipients of a new release have seen before, by class.


@dataclass(frozen=True, eq=False)
class Seen:
    """Sums by distinct tuple: rows in an earlier release, and earlier classes that lost rows.

    The facts about a class are stored at one of its tuples: classes of a coarser release are
    unions. ``gone`` counts the rows of each release that the table does not have any more.
    """

    known: Floats
    doubtful: Floats
    gone: dict[int, int]


def count_seen_rows(
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
        now = group_as_released(key, table, frequency, by_name, entry.levels)
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


def has_same_rows(
    key: Key,
    table: str,
    frequency: FrequencyList,
    hierarchies: Sequence[Hierarchy],
    entry: Entry,
) -> bool:
    """Whether a release has every row that the table has now, and no other, by its classes."""
    by_name = {hierarchy.column: hierarchy for hierarchy in hierarchies}
    now = group_as_released(key, table, frequency, by_name, entry.levels)
    return dict(zip(now.prints, now.rows.tolist(), strict=True)) == dict(entry.classes)
