"""A hierarchy that is proposed from the data when the release is made."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.display import dataclass
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.propose import propose


@dataclass(frozen=True)
class Auto:
    """Let the values of the column decide: dates by month and year, codes by prefix, and so on.

    Written ``hierarchy: {auto: true}`` in a policy, and what the flag ``-q`` means. A hierarchy of
    the data holder's own, which ``discreet inspect`` helps to write, is the better choice for a
    release that is repeated: a proposal may differ when the data does.

    >>> Auto().build("zip", ["02138", "02139", "02141", "02142", "02143", "02144"]).height
    3
    """

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Propose a hierarchy for the values and build it."""
        return propose(column, values).build(column, values)
