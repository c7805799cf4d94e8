"""The intruder's join: which rows of a register does a row without a name fit?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass

Texts: TypeAlias = NDArray[np.str_]
Numbers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Link:
    """For each row of a file, how many rows of the register it fits, and the first of them.

    `voters` counts them; `first` is the register's row, -1 where there is none. A row that fits one
    voter only is `named`: the register puts a name, rightly or wrongly, to it.
    """

    voters: Numbers
    first: Numbers

    @property
    def named(self) -> NDArray[np.bool_]:
        """Which rows fit exactly one row of the register."""
        return np.equal(self.voters, 1)


def link(file: Sequence[Texts], register: Sequence[Texts]) -> Link:
    """Join a file with a register on the columns given, in the same order, for both.

    Examples
    --------
    >>> people = [np.array(["1950", "1950", "1961"]), np.array(["F", "M", "F"])]
    >>> link([np.array(["1950", "1961"]), np.array(["M", "M"])], people).voters.tolist()
    [1, 0]
    """
    rows = len(file[0])
    keys = classes([np.concatenate(pair) for pair in zip(file, register, strict=True)])
    found, first, counts = np.unique(keys[rows:], return_index=True, return_counts=True)
    place = np.minimum(np.searchsorted(found, keys[:rows]), len(found) - 1)
    fits = found[place] == keys[:rows]
    return Link(np.where(fits, counts[place], 0), np.where(fits, first[place], -1))


def classes(columns: Sequence[Texts]) -> Numbers:
    """One number a row, the same for rows that are alike on all columns, counted from 0."""
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        values, codes = np.unique(column, return_inverse=True)
        key = np.unique(key * len(values) + codes, return_inverse=True)[1]
    return key


def unique_share(columns: Sequence[Texts]) -> float:
    """Share of the rows that are alone in their values of these columns."""
    sizes = np.bincount(classes(columns))
    return float((sizes == 1).sum() / sizes.sum())


def seen_through(builder: Any, column: str, level: int, register: Texts, file: Texts) -> Texts:
    """The register's column as the release would write it at this level.

    Built by the rules of the policy over the values of both, so that a value of the register that
    the file never held is made coarser as the file's own values are.

    Examples
    --------
    >>> from discreet.hierarchy import Prefix
    >>> zips = np.array(["02141", "02138"])
    >>> seen_through(Prefix([4, 3]), "zip", 1, zips, np.array(["02139"])).tolist()
    ['0214*', '0213*']
    """
    from discreet.hierarchy import Flat

    values, codes = np.unique(np.concatenate([register, file]), return_inverse=True)
    hierarchy = (builder or Flat()).build(column, values.tolist())
    labels = np.array(hierarchy.labels[level])[hierarchy.maps[level]]
    return np.asarray(labels[codes[: len(register)]])
