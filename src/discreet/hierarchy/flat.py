"""The value, then nothing: the hierarchy of a column that has no other."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.display import dataclass
from discreet.hierarchy.assemble import ROOT
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.level import Level


@dataclass(frozen=True)
class Flat:
    """Release the value as found, or ``*``; there is nothing between.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2.1. *Departures*: none. *Cost*: one pass over the distinct values.

    Examples
    --------
    >>> Flat().build("sex", ["male", "female", None]).labels
    (('male', 'female', None), ('*',))
    """

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Put ``*`` above the distinct values of the column; a missing value joins it there."""
        return Hierarchy.from_levels(column, values, [Level.single(len(values), ROOT)])
