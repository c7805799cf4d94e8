"""A column with its pseudonyms, and what was done to get them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Substituted:
    """The pseudonyms in the order of the rows; counts are of different values.

    ``redrawn`` values had a first draw that another value had too, or that was a value of the
    column: their pseudonyms depend on which other values there are. Where more identifiers were
    given (``among``), these are counted in ``redrawn`` too.
    """

    values: pa.Array
    distinct: int
    redrawn: int = 0
    missing: int = 0
    made_missing: int = 0

    def __repr__(self) -> str:
        return f"Substituted({self.distinct} different values)"

    def facts(self) -> dict[str, Any]:
        """Counts, without any value."""
        return {
            "rows": len(self.values),
            "distinct": self.distinct,
            "redrawn": self.redrawn,
            "missing": self.missing,
            "made_missing": self.made_missing,
        }
