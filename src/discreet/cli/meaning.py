"""What a level of a hierarchy means, from the policy alone: never a value of the data."""

from __future__ import annotations

from typing import Any

from discreet.hierarchy.level_name import level_name


def meaning(builder: Any, level: int, height: int | None) -> str:
    """A level in words, such as ``level 2 of 3 (first 3 characters)``."""
    place = f"level {level} of {height}" if height is not None else f"level {level}"
    return f"{place} ({level_name(builder, level, height)})"
