"""The kinds of columns that discreet knows, one file a family, each with its table of examples."""

from __future__ import annotations

from discreet.identify.recognizers import (
    accounts,
    bodies,
    codes,
    contact,
    dates,
    health,
    national,
    notes,
    people,
    places,
    secrets,
    things,
    traits,
)
from discreet.identify.recognizers.recognizer import Check, Item, Recognizer

ALL: tuple[Recognizer, ...] = (
    *contact.ALL,
    *national.ALL,
    *health.ALL,
    *accounts.ALL,
    *things.ALL,
    *bodies.ALL,
    *codes.ALL,
    *people.ALL,
    *places.ALL,
    *dates.ALL,
    *traits.ALL,
    *secrets.ALL,
    *notes.ALL,
)

__all__ = ["ALL", "Check", "Item", "Recognizer"]
