"""A column with its pseudonyms, and what was done to get them."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from discreet.display import dataclass
from discreet.pseudonyms.book import Book

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Substituted:
    """The pseudonyms in the order of the rows; counts are of different values.

    ``redrawn`` values do not have their first draw, which another value had too, or which was a
    value of the column: without a book their pseudonyms depend on which other values there are.
    ``changed`` values had another pseudonym in the book, which is a value of the column now.
    """

    values: pa.Array
    distinct: int
    redrawn: int = 0
    missing: int = 0
    made_missing: int = 0
    changed: int = 0
    book: Book = field(default_factory=Book)

    def __repr__(self) -> str:
        return f"Substituted({self.distinct} different values)"

    def facts(self) -> dict[str, Any]:
        """Counts, without any value."""
        return {
            "rows": len(self.values),
            "distinct": self.distinct,
            "redrawn": self.redrawn,
            "changed": self.changed,
            "missing": self.missing,
            "made_missing": self.made_missing,
        }
