"""Releases that come together in one hand, and were never checked together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from discreet.display import dataclass
from discreet.ledger.audience import PUBLIC, Audiences, held, held_by
from discreet.ledger.entry import Entry, Line, Membership, Withdrawal


@dataclass(frozen=True)
class JoinedHand:
    """Somebody who holds releases of a table that were made in ignorance of each other."""

    audience: str
    table: str
    releases: tuple[int, ...]

    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        return {**asdict(self), "releases": list(self.releases)}

    def __str__(self) -> str:
        *most, last = map(str, self.releases)
        return (
            f"{self.audience} now holds releases {', '.join(most)} and {last} of '{self.table}', "
            "which were never checked together and are out already"
        )


def joined_hands(lines: Sequence[Line], audiences: Audiences) -> tuple[JoinedHand, ...]:
    """Whom a change of audiences gives releases that were never checked together.

    A release was checked beside others if somebody whom it reached, as audiences were then, held
    them all.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.2. *Cost*: every audience is looked at once for every release.
    """
    before = Audiences.of(lines)
    out = {line.withdraws for line in lines if isinstance(line, Withdrawal)}
    releases = [one for one in lines if isinstance(one, Entry) and one.number not in out]
    names = dict.fromkeys([*audiences.names, *(entry.to for entry in releases)])
    checked = _checked(lines, releases)
    found = []
    for table in dict.fromkeys(entry.table for entry in releases):
        own = [entry for entry in releases if entry.table == table]
        for name in names:
            hand = held(own, name, audiences)
            if name == PUBLIC or hand == held(own, name, before) or _together(hand, checked):
                continue
            found.append(JoinedHand(name, table, tuple(entry.number for entry in hand)))
    return tuple(found)


def _checked(
    lines: Sequence[Line], releases: Sequence[Entry]
) -> Mapping[int, tuple[frozenset[int], ...]]:
    """What each reader of a release held when it was made, as sets of numbers."""
    found: dict[int, tuple[frozenset[int], ...]] = {}
    then = Audiences()
    there = {entry.number for entry in releases}
    earlier: dict[str, list[Entry]] = {}
    for line in lines:
        if isinstance(line, Membership):
            then = then.joined(line.audience, line.includes)
        elif isinstance(line, Entry) and line.number in there:
            before = earlier.setdefault(line.table, [])
            hands = held_by(before, line.to, then)
            found[line.number] = tuple(_numbers(hand) for hand in hands)
            before.append(line)
    return found


def _together(hand: Sequence[Entry], checked: Mapping[int, tuple[frozenset[int], ...]]) -> bool:
    """Whether each release of a hand was checked beside all those before it."""
    return all(
        any(_numbers(hand[:place]) <= known for known in checked[entry.number])
        for place, entry in enumerate(hand)
        if place
    )


def _numbers(releases: Iterable[Entry]) -> frozenset[int]:
    return frozenset(entry.number for entry in releases)
