"""What an attack on a release got."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Outcome:
    """Whether an attack applies to a release, and how many rows it gives away.

    >>> Outcome("homogeneity", applies=True, rows_exposed=3).succeeds
    True
    """

    attack: str
    applies: bool
    rows_exposed: int
    note: str = ""

    @property
    def succeeds(self) -> bool:
        """Whether the attack gives away a single row."""
        return self.rows_exposed > 0

    def facts(self) -> dict[str, Any]:
        """The outcome as plain data."""
        return {
            "attack": self.attack,
            "applies": self.applies,
            "succeeds": self.succeeds,
            "rows_exposed": self.rows_exposed,
            "note": self.note,
        }
