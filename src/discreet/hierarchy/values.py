"""The released values a single cell may have: a value of any level, a range, or suppressed."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.hierarchy.hierarchy import SUPPRESSED, Hierarchy

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Values:
    """The released values of one column when each cell has its own level.

    Parameters
    ----------
    column
        The column that the values belong to.
    labels
        The released texts; None is a missing value. Two values with one text look the same.
    leaves
        How many leaves of the hierarchy lie under each value.
    steps
        The level of each value as a share of the hierarchy's height, from 0 to 1.
    mass
        How many rows of the private table (or what weight of them) each value covers.
    suppressed
        Which values say nothing at all: the blank, and a root that reads ``*``. A value of the
        table with this text is a value like any other.
    start
        Where the values of each level begin; empty if the values have no levels.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2.2, generalization enforced at the cell level. *Departures*: none.
    *Cost*: memory for the values of all levels.

    >>> from discreet.hierarchy import Prefix
    >>> zips = Prefix([4, 3]).build("zip", ["02138", "02139", "02141"])
    >>> Values.of(zips, np.ones(3)).labels
    ('02138', '02139', '02141', '0213*', '0214*', '021**', '*')
    """

    column: str
    labels: tuple[str | None, ...]
    leaves: Ints
    steps: Floats
    mass: Floats
    suppressed: NDArray[np.bool_]
    start: Ints

    @classmethod
    def of(cls, hierarchy: Hierarchy, marginal: Floats, blank: str | None = SUPPRESSED) -> Values:
        """All values of all levels, then ``blank``, which represents a suppressed cell.

        ``marginal`` has the rows of the private table with each ground value.
        """
        sizes = [hierarchy.size(level) for level in range(hierarchy.height + 1)]
        mass = [
            np.bincount(codes, weights=marginal, minlength=size)
            for codes, size in zip(hierarchy.maps, sizes, strict=True)
        ]
        steps = np.arange(hierarchy.height + 1) / max(1, hierarchy.height)
        texts = [text for labels in hierarchy.labels for text in labels]
        says_nothing = np.zeros(len(texts) + 1, dtype=np.bool_)
        says_nothing[-1] = True
        says_nothing[-2] = hierarchy.height > 0 and texts[-1] == SUPPRESSED
        return cls(
            hierarchy.column,
            (*texts, blank),
            np.concatenate([*hierarchy.leaves, [hierarchy.leaf_count]]).astype(np.int64),
            np.append(np.repeat(steps, sizes), 1.0),
            np.append(np.concatenate(mass), marginal.sum()),
            says_nothing,
            np.cumsum([0, *sizes]).astype(np.int64),
        )

    @property
    def blank(self) -> int:
        """The code of a suppressed cell."""
        return len(self.labels) - 1

    @cached_property
    def alike(self) -> NDArray[np.int32]:
        """A number for each value, the same for values with the same text."""
        number: dict[str | None, int] = {}
        return np.array([number.setdefault(t, len(number)) for t in self.labels], dtype=np.int32)

    @cached_property
    def texts(self) -> tuple[str | None, ...]:
        """The different texts, in the order of their numbers in ``alike``."""
        return tuple(dict.fromkeys(self.labels))

    def at(self, hierarchy: Hierarchy, ground: NDArray[Any], level: NDArray[Any]) -> Ints:
        """The codes of ground values, each at its level; one above the root means suppressed."""
        maps = np.zeros((hierarchy.height + 2, len(hierarchy.maps[0])), dtype=np.int64)
        maps[:-1] = np.array(hierarchy.maps)
        found: Ints = self.start[level] + maps[level, ground]
        return found
