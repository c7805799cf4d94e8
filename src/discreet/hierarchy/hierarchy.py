"""What each value of a column may be released as, from the value itself up to one common root."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.hierarchy.assemble import assemble
from discreet.hierarchy.level import Codes, Level

SUPPRESSED = "*"


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """How far each value of a column can be blurred, step by step, until all are alike.

    Level 0 holds the values as found, the last level holds one value only. Codes are counted in
    the order in which the values of the data first need them, so a hierarchy depends on the order
    of those values and on nothing else.

    Parameters
    ----------
    column
        The column that the values belong to.
    maps
        ``maps[l][ground code]`` is the code at level ``l``; ``maps[0]`` counts up from 0.
    labels
        ``labels[l][code]`` is the released text; None is the missing value, released as missing.
    leaves
        ``leaves[l][code]`` is the number of leaves of the whole hierarchy under that value.
    leaf_count
        All leaves, those that the data does not hold included.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2: the domain generalization hierarchy ``A0 -> A1 -> ... -> An`` with
    one value in ``An``, and its value generalization hierarchy.

    *Departures*: a label may occur at two levels, and then counts as two values (the disjoint sum
    of the same section).

    *Cost*: four bytes per ground value and level.

    Examples
    --------
    >>> from discreet.hierarchy import Prefix
    >>> zips = Prefix([4, 3]).build("zip", ["02138", "02139", "02141"])
    >>> zips.height, [zips.size(level) for level in range(3)]
    (2, [3, 2, 1])
    >>> zips.labels[1], zips.step(1).tolist()
    (('0213*', '0214*'), [0, 0])
    """

    column: str
    maps: tuple[Codes, ...]
    labels: tuple[tuple[str | None, ...], ...]
    leaves: tuple[NDArray[np.int64], ...]
    leaf_count: int

    def __post_init__(self) -> None:
        for codes in self.maps:
            codes.setflags(write=False)
        for counts in self.leaves:
            counts.setflags(write=False)

    def __repr__(self) -> str:
        sizes = " -> ".join(str(len(labels)) for labels in self.labels)
        return f"Hierarchy({self.column!r}: {sizes} values, {self.leaf_count} leaves)"

    @classmethod
    def from_labels(
        cls, column: str, values: Sequence[str | None], levels: Sequence[Sequence[str | None]]
    ) -> Hierarchy:
        """Make a hierarchy from what each value is called at level 1, level 2, up to the root.

        >>> Hierarchy.from_labels("sex", ["male", "female"], [["human", "human"]])
        Hierarchy('sex': 2 -> 1 values, 2 leaves)
        """
        return cls.from_levels(column, values, [Level.of_texts(texts) for texts in levels])

    @classmethod
    def from_levels(
        cls, column: str, values: Sequence[str | None], levels: Sequence[Level]
    ) -> Hierarchy:
        """Make a hierarchy from coded levels; `values` are the leaves, distinct, in code order."""
        return cls(column, *assemble(column, values, levels))

    @property
    def height(self) -> int:
        """The number of steps from a value as found to the root."""
        return len(self.maps) - 1

    def size(self, level: int) -> int:
        """The number of different values of the data at this level."""
        return len(self.labels[level])

    def step(self, level: int) -> Codes:
        """Map the codes of this level to those of the level above."""
        up = np.empty(self.size(level), dtype=np.int32)
        up[self.maps[level]] = self.maps[level + 1]
        return up

    def with_suppression(self) -> Hierarchy:
        """Add ``*`` above the root, unless the root is ``*`` already.

        This is the new maximal element of [Sweeney2001]_, sec. 5.2.1, figures 28 and 29: a value
        that says nothing at all, not even what the root says of everybody.
        """
        if self.labels[-1] == (SUPPRESSED,) or not len(self.maps[0]):
            return self
        return replace(
            self,
            maps=(*self.maps, np.zeros_like(self.maps[0])),
            labels=(*self.labels, (SUPPRESSED,)),
            leaves=(*self.leaves, np.array([self.leaf_count], dtype=np.int64)),
        )
