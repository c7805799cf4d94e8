"""What counts of one column leave for its hidden cells, once the shown ones are subtracted."""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Ints, Mask


@dataclass(frozen=True, eq=False)
class Subtracted:
    """For each kind of cell: the value that all of them must have, or -1.

    ``known`` marks kinds of which it is certain how many have each value.
    """

    value: Ints
    known: Mask


def subtract(cells: Ints, counts: Ints, may: Any) -> Subtracted | None:
    """Decide which hidden cells can have one value only; None if the counts cannot be.

    ``cells`` counts the cells of each kind, ``counts`` the rows with each value, and ``may`` says
    which kinds may have which values: a sparse matrix of truth.

    Notes
    -----
    Kinds that may have one value only are subtracted, as often as that leaves another such kind.
    The rest is a transport problem: kinds send their cells to values. A largest flow is one
    solution, in whole numbers; all others differ from it by cycles of exchanges. A kind is certain
    if it is in none, which a search from each value that it may have decides exactly. *Cost*: one
    flow, and a search for each kind that is not shown.

    >>> from scipy import sparse
    >>> may = sparse.csr_matrix(np.array([[True, False], [True, True]]))
    >>> subtract(np.array([5, 1]), np.array([5, 1]), may).value.tolist()
    [0, 1]
    """
    value = np.full(len(cells), -1, dtype=np.int64)
    left = _told(cells, counts.astype(np.int64), may.tocsr(), value)
    if left is None:
        return None
    known = value >= 0
    kinds, values = np.nonzero(~known)[0], np.nonzero(left > 0)[0]
    if not len(kinds):
        return Subtracted(value, known) if not left.any() else None
    allowed = may.tocsr()[kinds][:, values].toarray() != 0
    sent = _solution(cells[kinds], left[values], allowed)
    if sent is None:
        return None
    for place, kind in enumerate(kinds):
        has = np.nonzero(sent[place])[0]
        if _certain(place, set(has.tolist()), sent, allowed):
            known[kind] = True
            value[kind] = values[has[0]] if len(has) == 1 else -1
    return Subtracted(value, known)


def _told(cells: Ints, counts: Ints, may: Any, value: Ints) -> Ints | None:
    """Subtract what may have one value only, again and again; None if too little is left."""
    left = counts.copy()
    while True:
        possible = may.multiply(left > 0).tocsr()
        possible.eliminate_zeros()
        new = np.nonzero((np.diff(possible.indptr) <= 1) & (value < 0))[0]
        if not len(new):
            return left
        if (np.diff(possible.indptr)[new] == 0).any():
            return None
        value[new] = possible.indices[possible.indptr[new]]
        np.subtract.at(left, value[new], cells[new])
        if (left < 0).any():
            return None


def _solution(cells: Ints, counts: Ints, may: Mask) -> Any:
    """How many cells of each kind have each value, in one way that fits; None if there is none."""
    from scipy import sparse
    from scipy.sparse.csgraph import maximum_flow

    kinds, values = may.shape
    last = kinds + values + 1
    tail, head = np.nonzero(may)
    most = np.minimum(cells[tail], counts[head])
    tails = [np.zeros(kinds, np.int64), tail + 1, np.arange(values) + 1 + kinds]
    heads = [np.arange(kinds) + 1, head + 1 + kinds, np.full(values, last)]
    where = (np.concatenate(tails), np.concatenate(heads))
    capacity = np.concatenate([cells, most, counts]).astype(np.int32)
    network = sparse.csr_matrix((capacity, where), shape=(last + 1, last + 1))
    result = maximum_flow(network, 0, last)
    if result.flow_value < max(cells.sum(), counts.sum()):
        return None
    flow = result.flow[1 : kinds + 1, kinds + 1 : kinds + values + 1].toarray()
    return np.maximum(flow, 0)


def _certain(kind: int, has: set[int], sent: Any, may: Mask) -> bool:
    """Whether no exchange between kinds can change what this kind sends.

    It would send one cell more to some value; a chain of other kinds, each moving a cell from one
    value to the next that it may have, must end at another value that it sends cells to.
    """
    others = np.arange(len(sent)) != kind
    steps = (sent[others] > 0).astype(np.int32).T @ may[others].astype(np.int32) > 0
    return not any(
        (has - {value}) & _reached(value, steps) for value in np.nonzero(may[kind])[0].tolist()
    )


def _reached(value: int, steps: Any) -> set[int]:
    seen, todo = {value}, [value]
    while todo:
        for step in np.nonzero(steps[todo.pop()])[0].tolist():
            if step not in seen:
                seen.add(step)
                todo.append(step)
    return seen
