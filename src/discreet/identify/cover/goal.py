"""Which ratio is asked for, how much that is of a total, and what columns weigh."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

import numpy as np
import numpy.typing as npt

from discreet.errors import ParameterError, UnknownColumnError

Floats = npt.NDArray[np.float64]
Measure = Literal["separation", "distinct"]
MEASURES: tuple[Measure, ...] = ("separation", "distinct")


def at_least(beta: float, total: int) -> int:
    """The smallest whole number that is beta of a total or more; 0.7 of 10 is 7, not 8."""
    return math.ceil(Fraction(repr(float(beta))) * total)


def at_most(beta: float, total: int) -> int:
    """The largest whole number that is beta of a total or less."""
    return math.floor(Fraction(repr(float(beta))) * total)


def check_measure(owner: str, measure: object) -> None:
    """Refuse a measure that is neither of the two."""
    if measure not in MEASURES:
        raise ParameterError(owner, "measure", "separation or distinct")


def check_weights(weights: Mapping[str, float], columns: Sequence[str], name: str) -> None:
    """Refuse weights of columns that are not there, and weights that are no price."""
    there = set(columns)
    for column, weight in weights.items():
        if column not in there:
            raise UnknownColumnError(name, column, columns)
        if isinstance(weight, bool) or not (0 < float(weight) < math.inf):
            raise ParameterError("weights", column, "a finite number above 0")


def weights_of(weights: Mapping[str, float], columns: Sequence[str]) -> Floats:
    """The weight of every column, 1 where none is given."""
    return np.array([float(weights.get(column, 1.0)) for column in columns])
