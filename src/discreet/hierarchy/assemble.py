"""Check coded levels and turn them into the arrays of a hierarchy over the values of the data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.display import safe_repr
from discreet.errors import InternalError, SeveralParentsError
from discreet.hierarchy.level import Codes, Level

ROOT = "*"


@safe_repr
class Assembled(NamedTuple):
    """The fields of a hierarchy, in its order."""

    maps: tuple[Codes, ...]
    labels: tuple[tuple[str | None, ...], ...]
    leaves: tuple[NDArray[np.int64], ...]
    leaf_count: int


def assemble(
    column: str,
    leaves: Sequence[str | None],
    levels: Sequence[Level],
    *,
    picked: NDArray[np.intp] | None = None,
    count_all: bool = True,
    where: Callable[[int, int, int], str] | None = None,
) -> Assembled:
    """Check that the levels are nested and end in one root, and code them for the data.

    Parameters
    ----------
    leaves, levels
        Every leaf, once, and what it is at level 1, 2, ...
    picked
        Position among the leaves of each value of the data, in code order; None is all of them.
    count_all
        Whether leaves that the data does not hold count as leaves.
    where
        Says in words where two leaves are whose common label at a level has two parents.
    """
    ground = Level(np.arange(len(leaves), dtype=np.int32), tuple(leaves))
    every = with_root([ground, *levels])
    check_nested(column, every, where)
    picked = np.arange(len(leaves)) if picked is None else picked
    if len(picked) and np.bincount(picked).max() > 1:
        raise InternalError(f"column '{column}': a value of the data has two codes")
    coded = [compact(level, picked, count_all) for level in every]
    maps, labels, counts = zip(*coded, strict=True)
    return Assembled(maps, labels, counts, len(leaves) if count_all else len(picked))


def with_root(levels: Sequence[Level]) -> list[Level]:
    """Add ``*`` on top unless the last level has one label already, and that is not missing."""
    top = levels[-1].labels
    if len(top) == 1 and top[0] is not None:
        return list(levels)
    return [*levels, Level.single(len(levels[0].codes), ROOT)]


def check_nested(
    column: str, levels: Sequence[Level], where: Callable[[int, int, int], str] | None
) -> None:
    """Refuse a label with two parents, or two labels that read the same."""
    for number, (below, above) in enumerate(pairwise(levels)):
        if len(set(below.labels)) < len(below.labels):
            raise InternalError(f"column '{column}': two values of level {number} read the same")
        wrong = below.several_parents(above)
        if len(wrong):
            second = int(wrong[0])
            first = int(np.flatnonzero(below.codes == below.codes[second])[-1])
            labels = len(np.unique(below.codes[wrong]))
            place = where(number, first, second) if where else ""
            raise SeveralParentsError(column, number, labels, place)


def compact(
    level: Level, picked: NDArray[np.intp], count_all: bool
) -> tuple[Codes, tuple[str | None, ...], NDArray[np.int64]]:
    """Give codes to the labels that the data needs only, in order of first need."""
    codes = level.codes[picked]
    rows = len(codes)
    first = np.full(len(level.labels), rows, dtype=np.int64)
    first[codes[::-1]] = np.arange(rows - 1, -1, -1)
    needed = np.flatnonzero(first < rows)
    needed = needed[np.argsort(first[needed])]
    new = np.empty(len(level.labels), dtype=np.int32)
    new[needed] = np.arange(len(needed), dtype=np.int32)
    counted = np.bincount(level.codes if count_all else codes, minlength=len(level.labels))
    labels = tuple([level.labels[old] for old in needed.tolist()])
    return new[codes], labels, counted[needed].astype(np.int64)
