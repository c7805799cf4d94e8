"""What every builder of hierarchies can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from discreet.hierarchy.hierarchy import Hierarchy


@runtime_checkable
class Builder(Protocol):
    """A way to blur the values of a column, before the values are known."""

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Make the hierarchy of a column.

        `values` are the distinct values of the data in the order of their codes; None is the
        missing value.
        """
        ...
