"""The requested ratio, the count it means for a total, and the weights of columns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

import numpy as np
import numpy.typing as npt

from discreet.errors import ArgumentError, ColumnSetError, ParameterError, UnknownColumnError

Floats = npt.NDArray[np.float64]
Measure = Literal["separation", "distinct"]
MEASURES: tuple[Measure, ...] = ("separation", "distinct")


def find_least_count(beta: float, total: int) -> int:
    """The smallest whole number that is beta of a total or more; 0.7 of 10 is 7, not 8.

    A ratio counts as beta if their nearest floats are equal, so a printed ratio is met when
    requested again. A ratio of 1 means the whole total, however large.

    >>> find_least_count(0.7, 10), find_least_count(137 / 190, 190)
    (7, 137)
    >>> find_least_count(1.0, 10**17 + 1) - 10**17
    1
    """
    least = math.ceil(_read_share(beta) * total)
    while beta < 1 and least > 0 and (least - 1) / total >= beta:
        least -= 1
    return least


def find_most_count(beta: float, total: int) -> int:
    """The largest whole number that is beta of a total or less, by the same floats."""
    most = math.floor(_read_share(beta) * total)
    while beta < 1 and most < total and (most + 1) / total <= beta:
        most += 1
    return most


def find_count_below(beta: float, total: int) -> int:
    """The largest whole number that is less than beta of a total; -1 if none is."""
    return find_least_count(beta, total) - 1


def _read_share(beta: float) -> Fraction:
    """The share as written: 0.7 is seven tenths, not the nearest float."""
    return Fraction(repr(float(beta)))


def check_measure(owner: str, measure: object) -> None:
    """Refuse anything but the two measures."""
    if measure not in MEASURES:
        raise ParameterError(owner, "measure", "separation or distinct")


def check_share(name: str, value: float | None, most: bool = False) -> None:
    """Refuse a parameter that is not a share; with ``most``, 1 is allowed."""
    if value is None or 0 < value < 1 or (most and value == 1):
        return
    fix = f"Give a number above 0 and {'at most' if most else 'below'} 1."
    raise ArgumentError(name, "it is not a share", fix, f"{value:g}")


def check_weights(weights: Mapping[str, float], columns: Sequence[str], name: str) -> None:
    """Refuse weights of unknown columns, and weights that are not positive numbers."""
    there = set(columns)
    for column, weight in weights.items():
        if column not in there:
            raise UnknownColumnError(name, column, columns)
        if isinstance(weight, bool) or not (0 < float(weight) < math.inf):
            raise ParameterError("weights", column, "a finite number above 0")


def fill_weights(weights: Mapping[str, float], columns: Sequence[str]) -> Floats:
    """The weight of every column, 1 where none is given."""
    return np.array([float(weights.get(column, 1.0)) for column in columns])


def round_apart(ratio: float, limit: float) -> str:
    """A ratio with enough digits to show on which side of the limit it is."""
    for digits in range(6, 18):
        text = f"{ratio:.{digits}g}"
        if (float(text) < limit, float(text) > limit) == (ratio < limit, ratio > limit):
            return text
    return repr(ratio)


def make_ratio_error(table: str, measure: str, beta: float, most: float) -> ColumnSetError:
    """The error for a ratio that all columns together do not reach."""
    told = round_apart(most, beta) if most < beta else "a trace less"
    return ColumnSetError(
        table,
        f"all columns together have a {measure} ratio of {told}, below {beta:.15g}, so no set of "
        "columns reaches that",
        "Ask for a smaller ratio.",
    )
