"""What an inspection found: the columns, the role each seems to have, and why."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from discreet.display import dataclass, html_table, plural
from discreet.identify.kind import Kind
from discreet.identify.recognizers import Item
from discreet.table.role import Role

AUTO = {"auto": True}
"""A hierarchy that is proposed anew from all values when the release is made."""


class Proposal(StrEnum):
    """What a first policy would do with a column."""

    withheld = "withheld"
    recoded = "recoded"
    as_found = "as found"


@dataclass(frozen=True)
class Column:
    """One column: what was counted, the role it seems to have, and the reasons in words.

    Holds no value of the table: `shapes` show only what values look like (9 for a digit, A and a
    for letters). `doubt` says what speaks against the role, and is None when nothing does.
    """

    name: str
    kind: Kind
    rows: int
    missing: int
    distinct: int
    distinct_exact: bool
    unique: int | None
    most_common: float
    role: Role
    reasons: tuple[str, ...]
    recognized: str | None = None
    item: Item | None = None
    doubt: str | None = None
    hints: tuple[str, ...] = ()
    shapes: tuple[str, ...] = ()
    proposal: Proposal = Proposal.as_found
    hierarchy: Any = None

    @property
    def missing_share(self) -> float:
        """The part of the rows that has no value here."""
        return self.missing / self.rows if self.rows else 0.0

    @property
    def unique_share(self) -> float | None:
        """The part of the rows whose value no other row has; None when too many to count."""
        if self.unique is None:
            return None
        return self.unique / self.rows if self.rows else 0.0

    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "name": self.name,
            "kind": self.kind.value,
            "missing": self.missing,
            "missing_share": self.missing_share,
            "distinct": self.distinct,
            "distinct_exact": self.distinct_exact,
            "unique": self.unique,
            "unique_share": self.unique_share,
            "role": self.role.value,
            "reasons": list(self.reasons),
            "recognized": self.recognized,
            "identifier_kind": self.recognized if self.item else None,
            "hipaa": self.item.value if self.item else None,
            "doubt": self.doubt,
            "hints": list(self.hints),
            "shapes": list(self.shapes),
            "proposal": self.proposal.value,
            "hierarchy": self.hierarchy,
        }


@dataclass(frozen=True)
class Inspection:
    """What identifies people in a table, as far as names and values of its columns tell.

    A suspicion, not a verdict: the data holder knows what the columns mean, and decides.
    """

    name: str
    rows: int
    columns: tuple[Column, ...]
    notices: tuple[str, ...] = ()

    def __repr__(self) -> str:
        rows, columns = plural(self.rows, "row"), plural(len(self.columns), "column")
        return f"Inspection({self.name}: {rows}, {columns})"

    def _repr_html_(self) -> str:
        heads = ("column", "kind", "different", "missing", "role")
        rows = [
            (one.name, one.kind.value, one.distinct, one.missing, one.role.value)
            for one in self.columns
        ]
        return html_table(repr(self), heads, rows)

    def facts(self) -> dict[str, Any]:
        """The result as plain data, ready for JSON."""
        return {
            "file": self.name,
            "rows": self.rows,
            "columns": [column.facts() for column in self.columns],
            "notices": list(self.notices),
        }

    def policy_text(self) -> str:
        """A first policy in YAML, with the reasons as comments, to be read and edited."""
        from discreet.identify.first_policy import first_policy

        return first_policy(self)

    def with_role(self, role: Role) -> tuple[Column, ...]:
        """The columns that seem to have a role, in the order of the table."""
        return tuple(column for column in self.columns if column.role is role)
