"""The value or nothing: the hierarchy of a column that has no other."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.display import dataclass
from discreet.hierarchy.hierarchy import ROOT, Builder, Hierarchy, Level


@dataclass(frozen=True)
class Flat:
    """Release the value as found, or ``*``; there is no level in between.

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


# A hierarchy with ``*`` above its root.


@dataclass(frozen=True)
class WithSuppression:
    """Add ``*`` above the root, so that a value can be suppressed completely: ``top: "*"``.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2.1, fig. 28 and 29. *Departures*: a root that is already ``*`` stays the
    top. *Cost*: that of the builder.

    Examples
    --------
    >>> from discreet.hierarchy import Tree
    >>> race = Tree({"person": ["black", "white"]})
    >>> WithSuppression(race).build("race", ["black", "white"]).labels[1:]
    (('person',), ('*',))
    """

    builder: Builder

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Build the inner hierarchy and put ``*`` on top of it."""
        return self.builder.build(column, values).with_suppression()
