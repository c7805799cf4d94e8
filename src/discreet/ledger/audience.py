"""Whom a release goes to, who is part of whom, and who has which releases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, field
from typing import Any
from unicodedata import normalize

from discreet.display import dataclass
from discreet.errors import ArgumentError, LedgerError, argument
from discreet.ledger.entry import Entry, Line, Membership, Withdrawal
from discreet.policy.profiles import Recipient

PUBLIC = "public"
"""The audience of everybody."""


def normalize_audience(name: str, parameter: str = "to") -> str:
    """The name of an audience as the ledger has it: case and spacing do not count.

    >>> normalize_audience(" Health  Council ")
    'health council'
    """
    found = fold_name(name)
    if not found or not found.isprintable():
        what = "an audience needs a name"
        raise ArgumentError(parameter, what, f"Name who gets the release, such as {PUBLIC}.")
    return found


def fold_name(name: str) -> str:
    """A name as it is compared; an accent may be a letter's own or a sign behind it."""
    return normalize("NFKC", " ".join(normalize("NFKC", name).split()).casefold())


def choose_audience(recipient: Recipient, to: str | None) -> str:
    """Who gets a release: as said, or as the profile of the recipient has it."""
    if to is None and recipient.audience is None:
        what = "the recipient is missing"
        fix = f"Give {argument('to', 'NAME')}, or {argument('to', PUBLIC)} if anybody may see it."
        raise ArgumentError("ledger", what, fix)
    if to is None or recipient.audience is None:
        return normalize_audience(to or recipient.audience or "")
    if normalize_audience(to) != normalize_audience(recipient.audience):
        what = f"the profile '{recipient.name}' is for {recipient.audience}, not for {to}"
        raise ArgumentError("to", what, "Leave it out, or choose another profile.")
    return normalize_audience(to)


@dataclass(frozen=True)
class Audiences:
    """Which audiences are part of which: whatever one gets, those in it have.

    >>> found = Audiences().include("registry", ["alice"]).include("health", ["registry"])
    >>> sorted(found.members("health")), sorted(found.list_including("alice"))
    (['alice', 'registry'], ['health', 'registry'])
    """

    includes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, lines: Iterable[Line]) -> Audiences:
        """The audiences in the lines of a ledger."""
        found: dict[str, tuple[str, ...]] = {}
        for line in lines:
            if isinstance(line, Membership):
                found[line.audience] = (*found.get(line.audience, ()), *line.includes)
        return cls(found)

    @property
    def names(self) -> tuple[str, ...]:
        """Every audience that includes another or is included."""
        return tuple(
            dict.fromkeys(n for name, most in self.includes.items() for n in (name, *most))
        )

    def members(self, name: str) -> frozenset[str]:
        """Who is part of an audience, or part of a part of it."""
        found: set[str] = set()
        waiting = [name]
        while waiting:
            fresh = set(self.includes.get(waiting.pop(), ())) - found
            found |= fresh
            waiting.extend(fresh)
        return frozenset(found)

    def list_including(self, name: str) -> frozenset[str]:
        """The audiences that a name is part of."""
        return frozenset(one for one in self.includes if name in self.members(one))

    def list_wider(self, name: str) -> frozenset[str]:
        """The audiences that a name is part of, and everybody."""
        return self.list_including(name) | (frozenset() if name == PUBLIC else {PUBLIC})

    def new(self, name: str, includes: Iterable[str]) -> tuple[str, ...]:
        """Those that are not said to be part of ``name`` yet."""
        known = self.includes.get(name, ())
        return tuple(dict.fromkeys(one for one in includes if one not in known))

    def include(self, name: str, includes: Iterable[str]) -> Audiences:
        """The same with more said to be part of ``name``; refused if that makes no sense."""
        more = self.new(name, includes)
        if not more:
            return self
        subject = f"audience '{name}' with {', '.join(more)} in it"
        if PUBLIC in (name, *more):
            what = f"'{PUBLIC}' is everybody, so it has everyone in it and is part of nobody"
            raise LedgerError(subject, what, "Leave it out.")
        found = Audiences({**self.includes, name: (*self.includes.get(name, ()), *more)})
        round_about = [one for one in more if one == name or name in found.members(one)]
        if round_about:
            what = f"'{name}' would be part of itself by way of {', '.join(round_about)}"
            fix = "Audiences that hold the same are one audience and need one name."
            raise LedgerError(subject, what, fix)
        return found


def list_held_by(
    releases: Sequence[Entry], to: str, audiences: Audiences | None = None
) -> tuple[tuple[Entry, ...], ...]:
    """The earlier releases that recipients of a new one hold, a set for each who differs.

    A release to ``public`` is held by everybody, one to a name by that name and all who are part
    of it. A new release to a name meets what that name holds. It also reaches everybody who is
    part of the name, with what they hold; one to everybody reaches each audience there is.
    """
    known = audiences or Audiences()
    readers: list[str] = [to, *sorted(known.members(to))]
    if to == PUBLIC:
        readers += [*(fold_name(entry.to) for entry in releases), *known.names]
    sets = {}
    for reader in dict.fromkeys(readers):
        hand = list_held(releases, reader, known)
        sets[tuple(entry.number for entry in hand)] = hand
    return tuple(hand for hand in sets.values() if hand)


def list_held(releases: Sequence[Entry], reader: str, audiences: Audiences) -> tuple[Entry, ...]:
    """The releases that one reader holds."""
    through = {reader, *audiences.list_wider(reader)}
    return tuple(entry for entry in releases if fold_name(entry.to) in through)


# Releases that come together in one hand, and were never checked together.


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
            "which were never checked together and have already been released"
        )


def find_joined_hands(lines: Sequence[Line], audiences: Audiences) -> tuple[JoinedHand, ...]:
    """The people who, after a change of audiences, hold releases never checked together.

    A release was checked beside others if somebody whom it reached, as audiences were then, held
    them all.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5.2. *Cost*: every audience is visited once for every release.
    """
    before = Audiences.of(lines)
    out = {line.withdraws for line in lines if isinstance(line, Withdrawal)}
    releases = [one for one in lines if isinstance(one, Entry) and one.number not in out]
    names = dict.fromkeys([*audiences.names, *(entry.to for entry in releases)])
    checked = _list_sets_held(lines, releases)
    found = []
    for table in dict.fromkeys(entry.table for entry in releases):
        own = [entry for entry in releases if entry.table == table]
        for name in names:
            hand = list_held(own, name, audiences)
            if (
                name == PUBLIC
                or hand == list_held(own, name, before)
                or _was_checked_together(hand, checked)
            ):
                continue
            found.append(JoinedHand(name, table, tuple(entry.number for entry in hand)))
    return tuple(found)


def _list_sets_held(
    lines: Sequence[Line], releases: Sequence[Entry]
) -> Mapping[int, tuple[frozenset[int], ...]]:
    """The releases each reader of a release held when it was made, as sets of numbers."""
    found: dict[int, tuple[frozenset[int], ...]] = {}
    then = Audiences()
    there = {entry.number for entry in releases}
    earlier: dict[str, list[Entry]] = {}
    for line in lines:
        if isinstance(line, Membership):
            then = then.include(line.audience, line.includes)
        elif isinstance(line, Entry) and line.number in there:
            before = earlier.setdefault(line.table, [])
            hands = list_held_by(before, line.to, then)
            found[line.number] = tuple(_collect_numbers(hand) for hand in hands)
            before.append(line)
    return found


def _was_checked_together(
    hand: Sequence[Entry], checked: Mapping[int, tuple[frozenset[int], ...]]
) -> bool:
    """Whether each release of a hand was checked beside all those before it."""
    return all(
        any(_collect_numbers(hand[:place]) <= known for known in checked[entry.number])
        for place, entry in enumerate(hand)
        if place
    )


def _collect_numbers(releases: Iterable[Entry]) -> frozenset[int]:
    return frozenset(entry.number for entry in releases)
