"""A table after the techniques of a policy, with what each of them cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discreet.display import dataclass
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.techniques.technique import Technique
    from discreet.techniques.utility import Utility


@dataclass(frozen=True)
class Applied:
    """A technique that was run, the columns that it could change, and what it left of them."""

    technique: Technique
    columns: tuple[str, ...]
    utility: Utility

    def facts(self) -> dict[str, Any]:
        """Plain data for JSON; no cell of a table is in it."""
        return {
            "technique": self.technique.name,
            "columns": list(self.columns),
            "protection": self.technique.protection,
            "truthful": self.technique.truthful,
            "keeps": self.technique.keeps,
            "utility": self.utility.facts(),
        }


@dataclass(frozen=True, eq=False)
class ChangedTable(Table):
    """A table in memory that techniques have changed, in the order of ``applied``."""

    applied: tuple[Applied, ...] = ()


def applied(table: Table) -> tuple[Applied, ...]:
    """What techniques did to a table, in their order."""
    return table.applied if isinstance(table, ChangedTable) else ()
