"""At which value a column is cut, of the values at which every side may stand."""

from __future__ import annotations

from typing import Literal

import numpy as np

from discreet.algorithms.presence_cuts.passing import Passing
from discreet.algorithms.presence_cuts.pieces import Pieces
from discreet.frequency.classes import Floats, Ints

ValuesBy = Literal["rows", "first", "values"]
VALUES_BY: tuple[ValuesBy, ...] = ("rows", "first", "values")


def choose_value(pieces: Pieces, passing: Passing, values_by: ValuesBy) -> Ints | None:
    """The side that each piece goes to, from 0 on; None if no cut is allowed.

    Of cuts that are as good the lowest is taken.

    Notes
    -----
    [Nergiz2007]_, sec. 6.2: balanced cardinality, first split, balanced attribute-values.
    """
    if pieces.together:
        return np.arange(len(pieces)) if passing(pieces.amounts).all() else None
    left = np.cumsum(pieces.amounts, axis=1)
    whole, left = left[:, -1:], left[:, :-1]
    sides = passing(np.concatenate([left, whole - left], axis=1))
    allowed = np.nonzero(sides[: left.shape[1]] & sides[left.shape[1] :])[0]
    if not len(allowed):
        return None
    counted = left[passing.people], float(whole[passing.people, 0])
    at = allowed[np.argmin(_off(values_by, allowed, len(pieces), *counted))]
    side: Ints = (np.arange(len(pieces)) > at).astype(np.int64)
    return side


def _off(values_by: ValuesBy, cuts: Ints, pieces: int, left: Floats, whole: float) -> Floats:
    """How far each cut is from what is wished for."""
    off: Floats = cuts.astype(np.float64)
    if values_by == "rows":
        off = np.abs(2 * left[cuts] - whole)
    elif values_by == "values":
        off = np.abs(2.0 * (cuts + 1) - pieces)
    return off
