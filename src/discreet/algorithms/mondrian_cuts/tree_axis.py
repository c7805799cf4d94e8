"""A column that is cut along its hierarchy: a value into its children."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.mondrian_cuts.cut import Cut, Side
from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints
from discreet.frequency.frequency_list import Codes
from discreet.hierarchy.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class TreeAxis:
    """The values of a column in an order in which every value of the hierarchy is one stretch.

    ``rank`` is the place of each ground code in that order; ``codes[level, place]`` is its code at
    a level, and ``shares[level, place]`` the share of leaves under that. The least common value of
    some rows is then that of the first and the last of them.
    """

    rank: Codes
    codes: Codes
    shares: Floats

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> TreeAxis:
        """Put the values in order, from the root down."""
        order = np.lexsort(hierarchy.maps)
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        codes = np.array(hierarchy.maps)[:, order]
        under = [leaves[at] for leaves, at in zip(hierarchy.leaves, codes, strict=True)]
        shares = (np.array(under) - 1) / max(1, hierarchy.leaf_count - 1)
        return cls(rank, codes, shares)

    def level(self, low: Ints, high: Ints) -> Ints:
        """The least level at which all values from ``low`` to ``high`` are alike."""
        different: Ints = (self.codes[:, low] != self.codes[:, high]).sum(axis=0)
        return different

    def width(self, low: Ints, high: Ints) -> Floats:
        """The leaves under the least common value, from 0 for one leaf to 1 for all."""
        found: Floats = self.shares[self.level(low, high), low]
        return found

    def cut(self, side: Side) -> Cut:
        """Every row goes with the child of the class's value that it is under."""
        below = self.level(side.low, side.high) - 1
        return Cut(self.codes[below[side.place], side.rank].astype(np.int64))
