"""Options of the form COLUMN=W: what a column is worth, or what it costs to learn."""

from __future__ import annotations

import math
from collections.abc import Sequence

from discreet.errors import FlagError


def column_weights(given: Sequence[str] | None) -> dict[str, float]:
    """The weight of each column that was named; a name may hold a = itself."""
    weights = dict[str, float]()
    for text in given or ():
        column, _, number = text.rpartition("=")
        try:
            weight = float(number)
        except ValueError:
            weight = 0.0
        if not column or not 0 < weight < math.inf:
            what = "a column and its weight, a number above 0, are needed"
            raise FlagError("--weight", what, "Say --weight age=2, for instance.")
        if weights.setdefault(column, weight) != weight:
            raise FlagError("--weight", f"{column!r} has two weights", "Give one.")
    return weights
