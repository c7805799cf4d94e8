"""A style of text: how it opens, what its sentences are, how it closes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """Frames of one style; a text takes one opening, some bodies in any order, one closing."""

    name: str
    openings: tuple[str, ...]
    bodies: tuple[str, ...]
    closings: tuple[str, ...]
    least: int = 4
    most: int = 9
    between: str = " "
    case: str = ""
