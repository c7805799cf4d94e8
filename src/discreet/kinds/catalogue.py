"""The kinds of columns that discreet knows, one file a family, each with its table of examples."""

from __future__ import annotations

from discreet.kinds import (
    accounts,
    contact,
    dates,
    health,
    national,
    people,
    places,
    secrets,
    things,
    traits,
)
from discreet.kinds.recognizer import Check, Item, Recognizer

ALL: tuple[Recognizer, ...] = (
    *contact.ALL,
    *national.ALL,
    *health.ALL,
    *accounts.ALL,
    *things.ALL_THINGS,
    *things.ALL_BODIES,
    *things.ALL_CODES,
    *people.ALL,
    *places.ALL,
    *dates.ALL,
    *traits.ALL,
    *secrets.ALL,
    *things.ALL_NOTES,
)

__all__ = ["ALL", "Check", "Item", "Recognizer"]
