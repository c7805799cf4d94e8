"""The outcome of an attack on a release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from discreet.display import dataclass

LISTED = 1000
"""Most row numbers in the facts; the object has all of them."""


@dataclass(frozen=True)
class Outcome:
    """Whether an attack applies to a release, how many rows it exposes, and which.

    Parameters
    ----------
    attack
        The attack's name.
    applies
        Whether it could be tried; ``note`` says why not.
    rows_exposed
        The number of exposed rows; each attack says what that means.
    note
        What an intruder learns, in words, without any value.
    rows
        The exposed rows of the release, counted from 1, for the data holder to look up.
    cells
        Hidden cells that are inferred.
    people_exposed
        People of a register about whom something is learned.
    earlier_rows
        The same rows in the other file, if there is one.
    counts
        Whether the finding goes beyond what was promised.
    found
        More numbers, by name.
    fix
        How to get a decision, if the attack applies but could not be decided; ``note`` says why.
        Empty otherwise.

    >>> Outcome("homogeneity", applies=True, rows_exposed=3).succeeds
    True
    """

    attack: str
    applies: bool
    rows_exposed: int
    note: str = ""
    rows: tuple[int, ...] = field(default=(), repr=False)
    cells: int = 0
    people_exposed: int = 0
    earlier_rows: tuple[int, ...] = field(default=(), repr=False)
    counts: bool = True
    found: Mapping[str, Any] = field(default_factory=dict)
    fix: str = ""

    @property
    def decided(self) -> bool:
        """Whether it is known what the attack exposes, if it applies."""
        return not self.fix

    @property
    def succeeds(self) -> bool:
        """Whether the attack exposes anything."""
        return self.rows_exposed > 0 or self.people_exposed > 0

    @property
    def breaks(self) -> bool:
        """Whether it exposes more than the promises allow."""
        return self.succeeds and self.counts

    def facts(self) -> dict[str, Any]:
        """The outcome as plain data."""
        return {
            "attack": self.attack,
            "applies": self.applies,
            "decided": self.decided,
            "succeeds": self.succeeds,
            "breaks": self.breaks,
            "rows_exposed": self.rows_exposed,
            "cells": self.cells,
            "people_exposed": self.people_exposed,
            "rows": list(self.rows[:LISTED]),
            "earlier_rows": list(self.earlier_rows[:LISTED]),
            "found": dict(self.found),
            "note": self.note,
        }


def make_not_applied(attack: str, why: str) -> Outcome:
    """The outcome of an attack that could not be tried, and why."""
    return Outcome(attack, False, 0, why)


def make_not_decided(attack: str, why: str, fix: str) -> Outcome:
    """The outcome of an attack that applies but could not be decided, and why."""
    return Outcome(attack, True, 0, why, fix=fix)
