"""A hierarchy with ``*`` above its root."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.display import dataclass
from discreet.hierarchy.builder import Builder
from discreet.hierarchy.hierarchy import Hierarchy


@dataclass(frozen=True)
class WithSuppression:
    """Add ``*`` above the root, so that a value can be taken out altogether: ``top: "*"``.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2.1, fig. 28 and 29. *Departures*: a root that is ``*`` already stays
    the top. *Cost*: that of the builder.

    Examples
    --------
    >>> from discreet.hierarchy import Tree
    >>> race = Tree({"person": ["black", "white"]})
    >>> WithSuppression(race).build("race", ["black", "white"]).labels[1:]
    (('person',), ('*',))
    """

    builder: Builder

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Build the hierarchy beneath and put ``*`` on top of it."""
        return self.builder.build(column, values).with_suppression()
