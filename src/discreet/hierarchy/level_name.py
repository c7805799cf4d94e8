"""What a level of a hierarchy is called, from its builder alone: never a value of the data."""

from __future__ import annotations

from typing import Any

AS_FOUND, ONE_VALUE = "as found", "one value for all"

SHAPES = {
    "intervals": ("widths", "intervals of {}"),
    "prefix": ("lengths", "first {} characters"),
    "dates": ("levels", "{}"),
}
"""The parameter that holds a builder's levels, and the words for one of them."""

WORDS = {"auto": "as proposed from the data", "file": "as in its file", "tree": "as in its tree"}
"""What can be said of a level that the policy does not write out."""


def level_name(builder: Any, level: int, height: int | None) -> str:
    """What the data holder wrote for this level, by the kind of hierarchy.

    >>> from discreet.hierarchy import Prefix
    >>> level_name(Prefix([4, 3]), 2, 3)
    'first 3 characters'
    """
    if level == 0:
        return AS_FOUND
    while hasattr(builder, "builder"):
        builder = builder.builder
    kind = type(builder).__name__.casefold()
    key, words = SHAPES.get(kind, ("", ""))
    steps = getattr(builder, key, ())
    if level <= len(steps):
        return words.format(steps[level - 1])
    if level == height or builder is None:
        return ONE_VALUE
    return WORDS.get(kind, "coarser")
