"""What is proposed for a column, why, and what was tried before."""

from __future__ import annotations

from typing import Any

from discreet.display import dataclass, format_count
from discreet.hierarchy.hierarchy import Builder


@dataclass(frozen=True)
class GivenUp:
    """A kind of hierarchy that was tried and does not fit, and for how many values.

    ``rows`` is None where nobody counted the rows.
    """

    kind: str
    why: str
    values: int
    rows: int | None = None

    def __str__(self) -> str:
        rows = "" if self.rows is None else f" in {format_count(self.rows, 'row')}"
        return f"{self.kind}: {self.why} ({format_count(self.values, 'value')}{rows})"

    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"kind": self.kind, "why": self.why, "values": self.values, "rows": self.rows}


@dataclass(frozen=True)
class Proposal:
    """A hierarchy for a column, to be read and edited, with the reason in one sentence.

    Neither ``reason`` nor ``given_up`` holds a value of the table.
    """

    builder: Builder
    reason: str
    given_up: tuple[GivenUp, ...] = ()

    def facts(self) -> dict[str, Any]:
        """Why this was proposed, as plain data; the hierarchy itself is not in it."""
        return {"reason": self.reason, "given_up": [one.facts() for one in self.given_up]}
