"""The labels a value of a column may be released as, from the value itself to one common root."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass, safe_repr
from discreet.errors import HierarchyError, InternalError

# One level of a hierarchy under construction: the label of each leaf.


Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Level:
    """The labels of all leaves at one level, as codes into a list of labels.

    A label of ``None`` is the missing value, released as missing.
    """

    codes: Codes
    labels: tuple[str | None, ...]

    def __repr__(self) -> str:
        return f"Level({len(self.codes)} leaves, {len(self.labels)} labels)"

    @classmethod
    def of_texts(cls, texts: Sequence[str | None]) -> Level:
        """Make a level from the released text of each leaf; equal texts are one label."""
        labels = tuple(dict.fromkeys(texts))
        code = {label: number for number, label in enumerate(labels)}
        codes = np.fromiter(map(code.__getitem__, texts), np.int32, len(texts))
        return cls(codes, labels)

    @classmethod
    def of_keys(
        cls, keys: NDArray[Any], missing: NDArray[np.bool_], label: Callable[[Any], str]
    ) -> Level:
        """Make a level from one number per leaf with a value, such as that of its interval.

        `missing` marks the leaves without a value; `keys` holds the others, in leaf order.
        """
        distinct, inverse = np.unique(keys, return_inverse=True)
        labels: tuple[str | None, ...] = tuple(label(key) for key in distinct.tolist())
        if not missing.any():
            return cls(inverse.astype(np.int32), labels)
        codes = np.full(len(missing), len(labels), dtype=np.int32)
        codes[~missing] = inverse
        return cls(codes, (*labels, None))

    @classmethod
    def single(cls, leaves: int, label: str) -> Level:
        """Make a level where every leaf has the same label: a root."""
        return cls(np.zeros(leaves, dtype=np.int32), (label,))

    def take(self, leaves: NDArray[np.intp]) -> Level:
        """Keep only the chosen leaves, in the given order; the labels stay."""
        return Level(self.codes[leaves], self.labels)

    def with_leaf(self, label: str | None) -> Level:
        """Append a leaf with this label, which may be a new one."""
        return self.with_leaves(1, label)

    def with_leaves(self, number: int, label: str | None) -> Level:
        """Append leaves that all have this label, which may be a new one."""
        labels = self.labels if label in self.labels else (*self.labels, label)
        added = np.full(number, labels.index(label), dtype=np.int32)
        return Level(np.concatenate([self.codes, added]), labels)

    def find_several_parents(self, above: Level) -> NDArray[np.intp]:
        """Find leaves whose label has more than one parent in the level above."""
        parent = np.empty(len(self.labels), dtype=np.int32)
        parent[self.codes] = above.codes
        return np.flatnonzero(parent[self.codes] != above.codes)


# Check coded levels and turn them into the arrays of a hierarchy over the values of the data.


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
        Every leaf, once, and its label at level 1, 2, ...
    picked
        The position among the leaves of each value of the data, in code order; None for all leaves.
    count_all
        Whether leaves that are not in the data count.
    where
        Describes the location of two leaves whose common label at a level has two parents.
    """
    ground = Level(np.arange(len(leaves), dtype=np.int32), tuple(leaves))
    every = add_root([ground, *levels])
    check_nested(column, every, where)
    picked = np.arange(len(leaves)) if picked is None else picked
    if len(picked) and np.bincount(picked).max() > 1:
        raise InternalError(f"column '{column}': a value of the data has two codes")
    coded = [compact_level(level, picked, count_all) for level in every]
    maps, labels, counts = zip(*coded, strict=True)
    return Assembled(maps, labels, counts, len(leaves) if count_all else len(picked))


def add_root(levels: Sequence[Level]) -> list[Level]:
    """Add ``*`` on top unless the last level has just one label, which is not missing."""
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
        wrong = below.find_several_parents(above)
        if len(wrong):
            second = int(wrong[0])
            first = int(np.flatnonzero(below.codes == below.codes[second])[-1])
            labels = len(np.unique(below.codes[wrong]))
            place = f", {where(number, first, second)}" if where else ""
            raise HierarchyError(
                what=f"the hierarchy is not a tree. {labels} of the labels of level {number} have "
                f"more than one parent at level {number + 1}{place}",
                fix="Give each label one parent; where two groups share a name, give them two "
                "names.",
                column=column,
            )


def compact_level(
    level: Level, picked: NDArray[np.intp], count_all: bool
) -> tuple[Codes, tuple[str | None, ...], NDArray[np.int64]]:
    """Give codes only to the labels that the data needs, in order of first use."""
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


SUPPRESSED = "*"


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """How each value of a column can be generalized, level by level, until all are equal.

    Level 0 holds the values as found, the last level only one value. Codes are assigned in the
    order in which the values of the data first use them, so a hierarchy depends on the order of
    these values and on nothing else.

    Parameters
    ----------
    column
        The column that the values belong to.
    maps
        ``maps[l][ground code]`` is the code at level ``l``; ``maps[0]`` counts up from 0.
    labels
        ``labels[l][code]`` is the released text; None is the missing value, released as missing.
    leaves
        ``leaves[l][code]`` is the number of leaves of the whole hierarchy under that value.
    leaf_count
        The number of all leaves, including those that are not in the data.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2: the domain generalization hierarchy ``A0 -> A1 -> ... -> An`` with
    one value in ``An``, and its value generalization hierarchy.

    *Departures*: a label that occurs at two levels counts as two values (the disjoint sum of the
    same section).

    *Cost*: four bytes per ground value and level.

    Examples
    --------
    >>> from discreet.hierarchy import Prefix
    >>> zips = Prefix([4, 3]).build("zip", ["02138", "02139", "02141"])
    >>> zips.height, [zips.size(level) for level in range(3)]
    (2, [3, 2, 1])
    >>> zips.labels[1], zips.step(1).tolist()
    (('0213*', '0214*'), [0, 0])
    """

    column: str
    maps: tuple[Codes, ...]
    labels: tuple[tuple[str | None, ...], ...]
    leaves: tuple[NDArray[np.int64], ...]
    leaf_count: int

    def __post_init__(self) -> None:
        for codes in self.maps:
            codes.setflags(write=False)
        for counts in self.leaves:
            counts.setflags(write=False)

    def __repr__(self) -> str:
        sizes = " -> ".join(str(len(labels)) for labels in self.labels)
        return f"Hierarchy({self.column!r}: {sizes} values, {self.leaf_count} leaves)"

    @classmethod
    def from_labels(
        cls, column: str, values: Sequence[str | None], levels: Sequence[Sequence[str | None]]
    ) -> Hierarchy:
        """Make a hierarchy from the labels of each value at level 1, level 2, up to the root.

        >>> Hierarchy.from_labels("sex", ["male", "female"], [["human", "human"]])
        Hierarchy('sex': 2 -> 1 values, 2 leaves)
        """
        return cls.from_levels(column, values, [Level.of_texts(texts) for texts in levels])

    @classmethod
    def from_levels(
        cls, column: str, values: Sequence[str | None], levels: Sequence[Level]
    ) -> Hierarchy:
        """Make a hierarchy from coded levels; `values` are the leaves, distinct, in code order."""
        return cls(column, *assemble(column, values, levels))

    @property
    def height(self) -> int:
        """The number of steps from a value as found to the root."""
        return len(self.maps) - 1

    def size(self, level: int) -> int:
        """The number of different values of the data at this level."""
        return len(self.labels[level])

    def step(self, level: int) -> Codes:
        """Map the codes of this level to those of the level above."""
        up = np.empty(self.size(level), dtype=np.int32)
        up[self.maps[level]] = self.maps[level + 1]
        return up

    def with_suppression(self) -> Hierarchy:
        """Add ``*`` above the root, unless the root is ``*`` already.

        This is the new maximal element of [Sweeney2001]_, sec. 5.2.1, figures 28 and 29: a value
        that says nothing at all, not even what the root says about everybody.
        """
        if self.labels[-1] == (SUPPRESSED,) or not len(self.maps[0]):
            return self
        return replace(
            self,
            maps=(*self.maps, np.zeros_like(self.maps[0])),
            labels=(*self.labels, (SUPPRESSED,)),
            leaves=(*self.leaves, np.array([self.leaf_count], dtype=np.int64)),
        )


# The interface of all hierarchy builders.


@runtime_checkable
class Builder(Protocol):
    """A way to generalize the values of a column, before the values are known."""

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Make the hierarchy of a column.

        `values` are the distinct values of the data in the order of their codes; None is the
        missing value.
        """
        ...
