"""The places of texts on a column's line: a value is a point, a label covers stretches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol, TypeAlias

from discreet.display import safe_repr

Cut: TypeAlias = tuple[Any, ...]
"""A cut between values: before (side 0) or after (side 1) a position."""

LOW: Cut = (-1,)
HIGH: Cut = (1,)


@safe_repr
class Place(NamedTuple):
    """The stretches of the line that a text covers, each from a cut to a cut.

    ``exact`` means that the text is only one of several notations of the value there (7, 07).
    ``missing`` means that it also covers a missing value.
    """

    stretches: tuple[tuple[Cut, Cut], ...]
    exact: bool = False
    missing: bool = False


class Axis(Protocol):
    """Reads the texts of one kind of column."""

    def place(self, text: str) -> Place | None:
        """The place of a text; None if this kind of column cannot read it."""
        ...


def cut_before(position: Any) -> Cut:
    """The cut just before a position."""
    return (0, position, 0)


def cut_behind(position: Any) -> Cut:
    """The cut just after a position."""
    return (0, position, 1)


def place_at(position: Any, exact: bool = False) -> Place:
    """The place of a single value."""
    return Place(((cut_before(position), cut_behind(position)),), exact)


def join_positions(ranks: Iterable[int]) -> Place:
    """The place of several positions, with adjacent ones in one stretch."""
    stretches: list[tuple[int, int]] = []
    for rank in sorted(set(ranks)):
        if stretches and stretches[-1][1] == rank - 1:
            stretches[-1] = (stretches[-1][0], rank)
        else:
            stretches.append((rank, rank))
    return Place(tuple((cut_before(first), cut_behind(last)) for first, last in stretches))
