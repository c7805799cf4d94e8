"""A part of the table seen along one column: the pieces that a cut can keep together."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.mondrian_cuts.cutting import Axis
from discreet.algorithms.mondrian_cuts.tree_axis import TreeAxis
from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints
from discreet.frequency.frequency_list import Codes


@dataclass(frozen=True, eq=False)
class Pieces:
    """The different numbers of a part, from low to high, or the children of its value.

    Tuple i of the part is in piece ``number[i]``; ``amounts[:, p]`` is what is counted of piece p.
    ``together`` says that only a cut between all pieces can be released without overlap.
    """

    number: Ints
    amounts: Floats
    together: bool

    def __len__(self) -> int:
        return int(self.amounts.shape[1])


def pieces(axis: Axis, ranks: Codes, amounts: Floats) -> Pieces | None:
    """The pieces of a part whose tuples are at ``ranks``; None if they are alike.

    Along a hierarchy the pieces are the children of the least value that covers the part. Some of
    them taken together could only be released as that value, which covers the others too. Numbers
    are pieces of their own; where some are missing, the pieces are all numbers, and the missing.
    """
    low, high = int(ranks.min()), int(ranks.max())
    if low == high:
        return None
    if isinstance(axis, TreeAxis):
        below = int((axis.codes[:, low] != axis.codes[:, high]).sum()) - 1
        codes = axis.codes[below, low : high + 1]
        stretch = np.append(0, np.cumsum(codes[1:] != codes[:-1]))
        return _counted(stretch[ranks - low], amounts, together=True)
    if high == axis.missing:
        return _counted((ranks == high).astype(np.int64), amounts, together=True)
    return _counted((ranks - low).astype(np.int64), amounts, together=False)


def different(ranks: Codes) -> int:
    """How many different values the tuples of a part have."""
    return int(np.count_nonzero(np.bincount(ranks - ranks.min())))


def _counted(place: Ints, amounts: Floats, together: bool) -> Pieces:
    """Number the pieces that are there, and count them."""
    there = np.bincount(place) > 0
    number = (np.cumsum(there) - 1)[place]
    sums = [np.bincount(number, weights=amount) for amount in amounts]
    return Pieces(number, np.array(sums), together)
