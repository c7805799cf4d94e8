"""Some rows of a table as one number a cell, so that any set of columns is counted by one sort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.identify.row_sample import RowSample, to_arrow
from discreet.table.dictionary import Dictionary

if TYPE_CHECKING:
    from discreet.table.table import Table

Keys = NDArray[np.uint64]

MOST_CELLS = 10_000_000
"""Cells that are held of a sample."""


@dataclass(frozen=True, eq=False)
class RowKeys:
    """Rows of a table; two rows are alike in a set of columns where the sums of their keys agree.

    ``keys[name]`` gives every value of a column a random number of 64 bits, a missing value too.
    ``rows`` is how many rows the table has.

    Notes
    -----
    Sums of different values agree by chance: in 200,000 rows, with a probability of about 1e-9 a
    set. *Cost*: one addition a column and one sort a set; eight bytes a cell.
    """

    keys: dict[str, Keys] = field(repr=False)
    rows: int

    @classmethod
    def of_sample(cls, sample: RowSample, names: Sequence[str], places: Sequence[int]) -> RowKeys:
        """The rows of a sample that was drawn already; of wide tables evenly spaced ones."""
        most = max(1, MOST_CELLS // max(1, len(names)))
        draws = np.random.default_rng(0)
        keys = {}
        for name, place in zip(names, places, strict=True):
            dictionary, column = Dictionary(), sample.column(place)
            if len(column) > most:
                column = column.take(to_arrow(np.arange(most) * len(column) // most))
            keys[name] = _keys([dictionary.encode(column)], len(dictionary), draws)
        return cls(keys, sample.rows)

    @classmethod
    def of_table(cls, table: Table, names: Sequence[str], rows: int, most: int) -> RowKeys:
        """All rows in one pass; of more than ``most`` rows, about so many, drawn evenly."""
        draws = np.random.default_rng(0)
        dictionaries = [Dictionary() for _ in names]
        codes: list[list[NDArray[np.int32]]] = [[] for _ in names]
        for batch in table.scan(text=tuple(names)):
            if rows > most:
                drawn = np.flatnonzero(draws.random(batch.num_rows) < most / rows)
                batch = batch.take(to_arrow(drawn))
            if not batch.num_rows:
                continue
            for place, dictionary in enumerate(dictionaries):
                codes[place].append(dictionary.encode(batch.column(place)))
        sizes = [len(dictionary) for dictionary in dictionaries]
        every = zip(names, codes, sizes, strict=True)
        return cls({name: _keys(found, size, draws) for name, found, size in every}, rows)

    def __len__(self) -> int:
        return len(next(iter(self.keys.values()), ()))

    def together(self, names: Sequence[str]) -> Keys:
        """The keys of a set of columns."""
        whole = np.zeros(len(self), dtype=np.uint64)
        for name in names:
            whole += self.keys[name]
        return whole


def _keys(codes: list[NDArray[np.int32]], size: int, draws: np.random.Generator) -> Keys:
    words = draws.integers(0, 2**64, max(1, size), dtype=np.uint64)
    return words[np.concatenate(codes)] if codes else np.empty(0, dtype=np.uint64)


def alone(keys: Keys) -> tuple[int, int]:
    """How many rows have a key of their own, and how many different keys there are."""
    ordered = np.sort(keys)
    new = np.empty(len(ordered) + 1, dtype=bool)
    new[0] = new[-1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:-1])
    return int((new[1:] & new[:-1]).sum()), int(new[:-1].sum())
