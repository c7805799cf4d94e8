"""What a level of a hierarchy means, from the policy alone: never a value of the data."""

from __future__ import annotations

from typing import Any


def meaning(builder: Any, level: int, height: int | None) -> str:
    """A level in words, such as ``level 2 of 3 (first 3 characters)``."""
    place = f"level {level} of {height}" if height is not None else f"level {level}"
    return f"{place} ({_shape(builder, level, height)})"


def _shape(builder: Any, level: int, height: int | None) -> str:
    """What the data holder wrote for this level, by the kind of hierarchy."""
    if level == 0:
        return "as found"
    while hasattr(builder, "builder"):
        builder = builder.builder
    kind = type(builder).__name__.casefold()
    key, words = SHAPES.get(kind, ("", ""))
    steps = getattr(builder, key, ())
    if level <= len(steps):
        return words.format(steps[level - 1])
    if level == height or builder is None:
        return "one value for all"
    return WORDS.get(kind, "coarser")


SHAPES = {
    "intervals": ("widths", "intervals of {}"),
    "prefix": ("lengths", "first {} characters"),
    "dates": ("levels", "{}"),
}
"""The parameter that holds a builder's levels, and the words for one of them."""

WORDS = {"auto": "as proposed from the data", "file": "as in its file", "tree": "as in its tree"}
"""What can be said of a level that the policy does not write out."""
