"""Find the values of the data among the leaves that a data holder listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.display import safe_repr
from discreet.errors import HierarchyError
from discreet.hierarchy.hierarchy import ROOT, Level


@safe_repr
class Covered(NamedTuple):
    """Leaves and levels that include all values of the data, and the position of each value."""

    leaves: tuple[str | None, ...]
    levels: tuple[Level, ...]
    picked: NDArray[np.intp]


def cover(
    column: str,
    leaves: Sequence[str | None],
    levels: Sequence[Level],
    values: Sequence[str | None],
    *,
    source: str,
    fix: str,
    strays: str | None = None,
) -> Covered:
    """Find every value of the data among the leaves, or report how many are missing.

    The missing value needs no line of its own: without one it stays missing below the root, where
    it joins the others. An empty text is looked up as the missing value. With `strays`, all other
    absent values get that label at every level instead of being refused.
    """
    place: dict[str | None, int] = dict(zip(leaves, range(len(leaves)), strict=True))
    grown, more = list(leaves), list(levels)
    for blank in (None, ""):
        if blank in values and blank not in place and (blank is None or None in place):
            more = [
                level.with_leaf(_label_of_blank(level, place.get(None), level is more[-1]))
                for level in more
            ]
            place[blank] = len(grown)
            grown.append(blank)
    absent = [value for value in values if value not in place]
    if absent and strays is not None:
        more = [level.with_leaves(len(absent), strays) for level in more]
        place |= {value: len(grown) + number for number, value in enumerate(absent)}
        grown.extend(absent)
    elif absent:
        near = _count_near_misses(absent, leaves)
        hint = f"{near} of them differ from a leaf only in spaces or capital letters. "
        text = (hint if near else "") + fix
        what = f"{len(absent)} of its {len(values)} different values are missing from {source}"
        raise HierarchyError(what=what, fix=text, column=column)
    picked = np.fromiter(map(place.__getitem__, values), np.intp, len(values))
    return Covered(tuple(grown), tuple(more), picked)


def check_one_root(column: str, levels: Sequence[Level], where: str = "") -> None:
    """Refuse a last level where ``*`` is one label of several: a second ``*`` would not help."""
    if levels and len(levels[-1].labels) > 1 and ROOT in levels[-1].labels:
        detail = f" ({where})" if where else ""
        raise HierarchyError(
            what=f"the hierarchy has {len(levels[-1].labels)} roots: its last level, "
            f"{len(levels)}, has '*' together with other labels{detail}",
            fix="End every line or branch in the same root.",
            column=column,
        )


def find_ground_labels(
    leaves: Sequence[str | None], levels: Sequence[Level]
) -> tuple[int, list[tuple[int, int]]] | None:
    """The first level that names a group after a value outside of it.

    ``5;0-9`` is fine, and so is a value that stays itself; ``m;f;*`` turns men into women. Returns
    the level, and for each such label a leaf of the group and the leaf whose name it has.
    """
    place = {leaf: at for at, leaf in enumerate(leaves) if leaf is not None}
    for number, level in enumerate(levels, 1):
        named = [
            (code, place[label])
            for code, label in enumerate(level.labels)
            if label in place and level.codes[place[label]] != code
        ]
        wrong = [
            (int(members[0]), at)
            for code, at in named
            if len(members := np.flatnonzero(level.codes == code))
        ]
        if wrong:
            return number, wrong
    return None


def _label_of_blank(level: Level, twin: int | None, last: bool) -> str | None:
    if twin is not None:
        return level.labels[int(level.codes[twin])]
    return level.labels[0] if last and len(level.labels) == 1 else None


def _count_near_misses(absent: Sequence[str | None], leaves: Sequence[str | None]) -> int:
    known = {leaf.strip().casefold() for leaf in leaves if leaf is not None}
    return sum(value is not None and value.strip().casefold() in known for value in absent)
