"""Distance vectors: how many levels each column must rise until two rows are alike."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.frequency.classes import Floats

Vector = npt.NDArray[np.uint8]

DECIMALS = 12
"""Distances that agree to this many decimals are equal."""


def below(one: Vector, other: Vector) -> bool:
    """Whether every element is smaller ([Sweeney2001]_, fig. 87, relation 1)."""
    return bool((one < other).all())


def same(one: Vector, other: Vector) -> bool:
    """Whether all elements are equal (fig. 87, relation 2)."""
    return bool((one == other).all())


def meet(one: Vector, other: Vector) -> Vector:
    """The smaller of each two elements (fig. 87, operation 3)."""
    return np.minimum(one, other)


def join(one: Vector, other: Vector) -> Vector:
    """The larger of each two elements (fig. 87, operation 4)."""
    return np.maximum(one, other)


@dataclass(frozen=True, eq=False)
class Clique:
    """Distance vectors between every two rows, and what one level of each column counts.

    Notes
    -----
    [Sweeney2001]_, sec. 8.2.1 and fig. 105. *Departures*: none. *Cost*: memory for the square of
    the rows.
    """

    vectors: npt.NDArray[np.uint8]
    shares: Floats

    def dist(self, vector: Vector) -> float:
        """The levels of a vector, each as a share of its column's height, added up."""
        return round(float(vector @ self.shares), DECIMALS)

    def maximal(self, rows: tuple[int, ...]) -> Vector:
        """The maximal distance vector across some rows: what makes them all alike (theorem 7)."""
        vectors: Vector = self.vectors[rows[0], list(rows)].max(axis=0)
        return vectors

    def distortion(self, rows: tuple[int, ...]) -> float:
        """What it costs to make some rows alike."""
        return self.dist(self.maximal(rows)) * len(rows)
