"""Which rows of two files can be the same people, if nobody is left over."""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Ints, Mask

MOST_EDGES = 2_000_000
"""With more pairs of groups than this no assignment is sought; all pairs stay possible."""


@dataclass(frozen=True, eq=False)
class Matching:
    """Which pairs occur in some largest assignment of people, and how large it is.

    ``possible`` marks the pairs; ``alone`` marks, for both files, the groups some of whose rows may
    be nobody of the other. ``assigned`` is None where none was sought.
    """

    possible: Mask
    alone: tuple[Mask, Mask]
    assigned: int | None


def matching(one: Ints, other: Ints, supply: Ints, demand: Ints) -> Matching:
    """Assign the rows of groups to each other along the pairs (one, other), as many as possible.

    Notes
    -----
    A pair occurs in some largest flow if it carries some in the one that was found, or if it lies
    on a cycle of what is left of the network (its strong components): the decomposition of Dulmage
    and Mendelsohn for groups of rows. *Cost*: one flow on the pairs of groups, and one search.

    >>> found = matching(np.array([0, 0, 1]), np.array([0, 1, 1]), np.ones(2, int), np.ones(2, int))
    >>> found.possible.tolist()  # the second must be the second's, so the first is the first's
    [True, False, True]
    """
    everything = np.ones(len(one), dtype=np.bool_)
    if len(one) > MOST_EDGES or not len(one):
        alone = tuple(np.ones(len(rows), dtype=np.bool_) for rows in (supply, demand))
        return Matching(everything, (alone[0], alone[1]), None)
    from scipy.sparse.csgraph import connected_components, maximum_flow

    network = _network(one, other, supply, demand)
    last = network.shape[0] - 1
    result = maximum_flow(network, 0, last)
    flow = result.flow
    left = (network - flow).tocsr()
    left.data = np.maximum(left.data, 0)
    left.eliminate_zeros()
    part = connected_components(left, directed=True, connection="strong")[1]
    tail, head = one + 1, other + 1 + len(supply)
    carried = np.asarray(flow[tail, head]).ravel() > 0
    possible = carried | (part[tail] == part[head])
    firsts = np.arange(len(supply)) + 1
    seconds = np.arange(len(demand)) + 1 + len(supply)
    sent = np.asarray(flow[np.zeros_like(firsts), firsts]).ravel()
    met = np.asarray(flow[seconds, np.full_like(seconds, last)]).ravel()
    alone = (
        (sent < supply) | (part[firsts] == part[0]),
        (met < demand) | (part[seconds] == part[last]),
    )
    return Matching(possible, alone, int(result.flow_value))


def _network(one: Ints, other: Ints, supply: Ints, demand: Ints) -> Any:
    """Source, groups of the first file, groups of the second, sink."""
    from scipy import sparse

    left, right = len(supply), len(demand)
    last = left + right + 1
    tails = np.concatenate([np.zeros(left, np.int64), one + 1, np.arange(right) + 1 + left])
    heads = np.concatenate([np.arange(left) + 1, other + 1 + left, np.full(right, last)])
    most = np.minimum(supply[one], demand[other])
    capacity = np.concatenate([supply, most, demand]).astype(np.int32)
    return sparse.csr_matrix((capacity, (tails, heads)), shape=(last + 1, last + 1))
