"""The lattice of level vectors: every way to generalize whole columns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

from discreet.display import dataclass
from discreet.hierarchy.hierarchy import Hierarchy

Node = tuple[int, ...]
"""One level per quasi column."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """All nodes from the table as it is to every column at its root.

    Notes
    -----
    [Sweeney2001]_, sec. 5.3 and equation 1. *Departures*: none. *Cost*: holds no nodes.
    """

    hierarchies: tuple[Hierarchy, ...]

    @property
    def bottom(self) -> Node:
        """The table as it is."""
        return (0,) * len(self.hierarchies)

    @property
    def top(self) -> Node:
        """Every column at its root."""
        return tuple(hierarchy.height for hierarchy in self.hierarchies)

    def __iter__(self) -> Iterator[Node]:
        return product(*(range(height + 1) for height in self.top))

    @property
    def nodes(self) -> int:
        """How many nodes there are (equation 1)."""
        return math.prod(height + 1 for height in self.top)

    def space(self, node: Sequence[int]) -> int:
        """The most distinct keys that a node can have."""
        return math.prod(h.size(level) for h, level in zip(self.hierarchies, node, strict=True))
