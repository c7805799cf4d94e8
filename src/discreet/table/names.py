"""Names of columns: each column has one, and no two share it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from discreet.errors import ColumnNamesError, EmptyTableError


def check_names(name: str, columns: Sequence[str]) -> None:
    """Stop at columns that a policy could not name.

    Places are told, not names: in a file without a line of names these would be cells.
    """
    if not columns:
        raise EmptyTableError(name, "there are no columns")
    counts = Counter(columns)
    unnamed = [place for place, column in enumerate(columns, 1) if not column.strip()]
    shared = [
        place for place, column in enumerate(columns, 1) if counts[column] > 1 and column.strip()
    ]
    if unnamed or shared:
        raise ColumnNamesError(name, unnamed, shared)
