"""Whom a release goes to, and who has which releases."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.errors import FlagError
from discreet.ledger.entry import Entry

PUBLIC = "public"
"""The audience of everybody."""


def audience(name: str) -> str:
    """The name of an audience as the ledger has it: case and spacing do not count.

    >>> audience(" Health  Council ")
    'health council'
    """
    found = " ".join(name.split()).casefold()
    if not found or not found.isprintable():
        what = "an audience needs a name"
        raise FlagError("--to", what, f"Name who gets the release, such as {PUBLIC}.")
    return found


def held_by(releases: Sequence[Entry], to: str) -> tuple[tuple[Entry, ...], ...]:
    """The earlier releases that recipients of a new one hold, a set for each who differs.

    A release to ``public`` is held by everybody, one to a name by that name. A new release to a
    name meets what that name and everybody hold. A new release to everybody also reaches each
    earlier audience, with what it holds.
    """
    readers = [to] if to != PUBLIC else [PUBLIC, *(entry.to for entry in releases)]
    sets = {}
    for reader in readers:
        held = tuple(entry for entry in releases if entry.to in (reader, PUBLIC))
        sets[tuple(entry.number for entry in held)] = held
    return tuple(held for held in sets.values() if held)
