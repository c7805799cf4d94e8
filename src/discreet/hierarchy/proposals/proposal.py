"""The proposal for a column, the reason for it, and what was tried before."""

from __future__ import annotations

from typing import Any

from discreet.display import dataclass, format_count
from discreet.hierarchy.hierarchy import Builder


@dataclass(frozen=True)
class RejectedKind:
    """A kind of hierarchy that was tried, and the number of values it does not fit.

    ``rows`` is None if the rows were not counted.
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
    given_up: tuple[RejectedKind, ...] = ()

    def facts(self) -> dict[str, Any]:
        """The reasons for the proposal as plain data, without the hierarchy itself."""
        return {"reason": self.reason, "given_up": [one.facts() for one in self.given_up]}
