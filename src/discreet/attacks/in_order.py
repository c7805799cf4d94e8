"""Whether the rows of two files stand in the same order, and how likely that is by chance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Ints, Mask


@dataclass(frozen=True, eq=False)
class InOrder:
    """Where each row of the shorter file stands in the other, if it does so in the same order.

    It can stand from ``first`` to ``last``, and is ``sure`` where they are one; ``chance`` is at
    least the chance that shuffled rows would do as well.
    """

    first: Ints
    last: Ints
    chance: float

    @property
    def sure(self) -> Mask:
        """Rows that can stand in one place only."""
        alone: Mask = self.first == self.last
        return alone


def in_order(labels: Ints, others: Ints, goes: Any) -> InOrder | None:
    """Lay two files side by side; None if some row then goes with none.

    ``labels`` and ``others`` are the kinds of the rows in file order, ``goes`` says which kinds go
    together: a sparse matrix of truth. Where the second file has more rows, it may have some in
    between that the first lacks.

    Notes
    -----
    The chance is that of a random order: the permanent of the matrix over n!, which Bregman's bound
    on the permanent limits from above. Where rows are left out it is that for each choice of
    places, added up. Rows are found in order from both ends. *Cost*: one comparison a row.

    >>> from scipy import sparse
    >>> same = sparse.csr_matrix(np.eye(3, dtype=bool))
    >>> round(in_order(np.arange(3), np.arange(3), same).chance, 4)  # one order of 3!
    0.1667
    """
    if len(labels) == len(others):
        if not (np.asarray(goes[labels, others]).ravel() != 0).all():
            return None
        place = np.arange(len(labels), dtype=np.int64)
        return InOrder(place, place, _chance(labels, others, goes))
    if len(labels) > len(others):
        return None
    fits = _fitting(goes)
    first = _found(labels, others, fits)
    if first is None:
        return None
    backwards = _found(labels[::-1], others[::-1], fits) or []
    last = len(others) - 1 - np.array(backwards[::-1], dtype=np.int64)
    return InOrder(np.array(first, dtype=np.int64), last, _chance(labels, others, goes))


def _chance(labels: Ints, others: Ints, goes: Any) -> float:
    """At least the chance that a random order fits everywhere."""
    many = np.bincount(others, minlength=goes.shape[1])
    degrees = np.asarray(goes.astype(np.int64) @ many).ravel()[labels]
    rows, places = len(labels), len(others)
    logs = sum(math.lgamma(d + 1) / d for d in degrees.tolist()) - math.lgamma(rows + 1)
    choices = math.lgamma(places + 1) - math.lgamma(rows + 1) - math.lgamma(places - rows + 1)
    return math.exp(min(0.0, logs + choices))


def _fitting(goes: Any) -> list[set[int]]:
    matrix = goes.tocsr()
    return [
        set(matrix.indices[start:end].tolist())
        for start, end in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)
    ]


def _found(labels: Ints, others: Ints, fits: list[set[int]]) -> list[int] | None:
    """The earliest place of each row in turn, or None."""
    places = []
    kinds = enumerate(others.tolist())
    for label in labels.tolist():
        wanted = fits[label]
        for place, kind in kinds:
            if kind in wanted:
                places.append(place)
                break
        else:
            return None
    return places
