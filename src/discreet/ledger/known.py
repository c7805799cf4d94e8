"""What the recipients of a new release hold already, and what that allows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from discreet.display import dataclass
from discreet.errors import EarlierReleaseError
from discreet.ledger.entry import Entry
from discreet.release.policy import Policy


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

    def narrower(self, policy: Policy) -> tuple[Entry, ...]:
        """The releases that lack quasi columns of the policy."""
        return tuple(entry for entry in self.releases if set(entry.levels) < set(policy.quasi))

    def finer(self, levels: Mapping[str, int] | None) -> tuple[tuple[Entry, ...], ...]:
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
        for entry in self.narrower(policy):
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
        what = f"{names} was released as it is, and the policy now has it as quasi"
        fix = f"It cannot be protected any more: give {names} the role it had, or leave it out."
        raise EarlierReleaseError([entry.number], what, fix)
