"""Small sets of columns that single most people out, found by counting rows of a sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.table.dictionary import Dictionary
from discreet.table.row_counts import read_in_any_order
from discreet.table.row_sample import RowSample, make_arrow_numbers

if TYPE_CHECKING:
    from discreet.table.table import Table


# Some rows of a table as one number per cell, so that any set of columns is counted by one sort.


Keys = NDArray[np.uint64]

MOST_CELLS = 10_000_000
"""Most cells that are held of a sample."""


@dataclass(frozen=True, eq=False)
class RowKeys:
    """Rows of a table; two rows are equal in a set of columns if the sums of their keys are equal.

    ``keys[name]`` gives every value of a column, even a missing one, a random number of 64 bits.
    ``rows`` is the number of rows of the table.

    Notes
    -----
    Sums of different values may be equal by chance: in 200,000 rows, with a probability of about
    1e-9 per set. *Cost*: one addition per column and one sort per set; eight bytes per cell.
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
                column = column.take(make_arrow_numbers(np.arange(most) * len(column) // most))
            keys[name] = _draw_keys([dictionary.encode(column)], len(dictionary), draws)
        return cls(keys, sample.rows)

    @classmethod
    def of_table(cls, table: Table, names: Sequence[str], rows: int, most: int) -> RowKeys:
        """All rows in one pass; of more than ``most`` rows, about so many, drawn evenly."""
        draws = np.random.default_rng(0)
        dictionaries = [Dictionary() for _ in names]
        codes: list[list[NDArray[np.int32]]] = [[] for _ in names]
        for batch in read_in_any_order(table, tuple(names)):
            if rows > most:
                drawn = np.flatnonzero(draws.random(batch.num_rows) < most / rows)
                batch = batch.take(make_arrow_numbers(drawn))
            if not batch.num_rows:
                continue
            for place, dictionary in enumerate(dictionaries):
                codes[place].append(dictionary.encode(batch.column(place)))
        sizes = [len(dictionary) for dictionary in dictionaries]
        every = zip(names, codes, sizes, strict=True)
        return cls({name: _draw_keys(found, size, draws) for name, found, size in every}, rows)

    def __len__(self) -> int:
        return len(next(iter(self.keys.values()), ()))

    def together(self, names: Sequence[str]) -> Keys:
        """The keys of a set of columns."""
        whole = np.zeros(len(self), dtype=np.uint64)
        for name in names:
            whole += self.keys[name]
        return whole


def _draw_keys(codes: list[NDArray[np.int32]], size: int, draws: np.random.Generator) -> Keys:
    words = draws.integers(0, 2**64, max(1, size), dtype=np.uint64)
    return words[np.concatenate(codes)] if codes else np.empty(0, dtype=np.uint64)


def count_alone(keys: Keys) -> tuple[int, int]:
    """How many rows have a key of their own, and how many different keys there are."""
    ordered = np.sort(keys)
    new = np.empty(len(ordered) + 1, dtype=bool)
    new[0] = new[-1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:-1])
    return int((new[1:] & new[:-1]).sum()), int(new[:-1].sum())


# Small sets of columns that single most people out, as a proposal for the quasi-identifier.


Names = tuple[str, ...]

MOST_ROWS = 0.5
"""A set that singles out this share of the rows counts as a quasi-identifier."""
LARGEST = 3
"""Most columns of the sets that are tried exhaustively."""
TRIED = 3000
"""Most sets of a size that are tried: all pairs of 77 columns, all triples of 27."""
COUNTED = 20
"""The number of best sets of a size that are counted again on more rows."""


@dataclass(frozen=True)
class SinglesOut:
    """A set of columns, and the share of rows that are unique in it.

    ``quasi`` are the columns that become quasi because of it. ``rows`` of the table's ``of`` rows
    were counted.
    """

    columns: Names
    quasi: Names
    share: float
    rows: int
    of: int


def find_singling_out(
    tried: SetCounts, names: Sequence[str], others: Sequence[str], more: Callable[[], SetCounts]
) -> list[SinglesOut]:
    """Minimal sets that single out most rows, the most identifying first.

    ``others`` are the columns of ``names`` that would be released as they are. If these together
    would still single out most rows, further sets hold those that contribute most. ``tried`` counts
    a sample, ``more`` a larger number of rows.

    Notes
    -----
    Minimal sets and masking of [Motwani2007]_, sec. 3 and 4, by the share of unique rows.
    *Departures*: this is a proposal, not a search: sets of up to three columns are tried on a
    sample, and if there are many columns, only the most distinguishing ones; the best sets are
    counted on more rows. A row that is unique in the table is unique in each sample that holds it,
    so a sample misses few. If no small set is found, one larger set is, greedily. *Cost*: about
    6,000 sorts of the sample and 300 of the rows that ``more`` gives.
    """
    best = sorted(names, key=lambda name: (-tried(name)[1], names.index(name)))
    ranked = [_rank_sets(tried, names, best, size) for size in range(1, LARGEST + 1)]
    if not any(ranked) and not tried.singles_most(*names):
        return []  # not even in a sample, where rows are more often unique
    counts = more()
    found = [one for sets in ranked for one in sets if counts.is_minimal(*one)]
    if not found and (larger := _pick_greedily(counts, best[: limit_columns(LARGEST)])):
        found = [larger]
    rest = [name for name in others if all(name not in one for one in found)]
    told = [counts.describe_set(one, one) for one in found]
    return told + [counts.describe_set(one, one[:1]) for one in _find_not_kept(counts, rest)]


class SetCounts:
    """Unique rows and distinct combinations of sets, each counted once."""

    def __init__(self, data: RowKeys) -> None:
        self.data = data
        self._known: dict[Names, tuple[int, int]] = {}

    def __call__(self, *columns: str) -> tuple[int, int]:
        if columns not in self._known:
            self._known[columns] = count_alone(self.data.together(columns))
        return self._known[columns]

    def share(self, *columns: str) -> float:
        """The share of rows that are unique in these columns."""
        return self(*columns)[0] / len(self.data)

    def singles_most(self, *columns: str) -> bool:
        """Whether these columns single out most rows."""
        return self(*columns)[0] >= MOST_ROWS * len(self.data)

    def is_minimal(self, *columns: str) -> bool:
        """Whether these columns single out most rows, and no subset of them does."""
        parts = combinations(columns, len(columns) - 1)
        return self.singles_most(*columns) and not any(
            part and self.singles_most(*part) for part in parts
        )

    def describe_set(self, columns: Names, quasi: Names) -> SinglesOut:
        """A set as it is reported."""
        rows = len(self.data)
        return SinglesOut(columns, quasi, self(*columns)[0] / rows, rows, self.data.rows)


def limit_columns(size: int) -> int:
    """The most columns of which all sets of a size can be tried."""
    columns = size
    while comb(columns + 1, size) <= TRIED:
        columns += 1
    return columns


def _rank_sets(
    tried: SetCounts, names: Sequence[str], best: Sequence[str], size: int
) -> list[Names]:
    """The best sets of a size among those that single out most rows of the sample."""
    few = set(names if size == 1 else best[: limit_columns(size)])
    sets = combinations([name for name in names if name in few], size)
    promising = [one for one in sets if tried.singles_most(*one)]
    return sorted(promising, key=lambda one: -tried(*one)[0])[: COUNTED if size > 1 else None]


def _pick_greedily(counts: SetCounts, names: Sequence[str]) -> Names:
    """Add the column that singles out most until most rows are unique, then drop unneeded ones."""
    if not counts.singles_most(*names):
        return ()
    picked: Names = ()
    while not counts.singles_most(*picked):
        left = [name for name in names if name not in picked]
        picked = (*picked, max(left, key=lambda name: counts(*picked, name)))
    for name in picked[::-1]:
        rest = tuple(other for other in picked if other != name)
        picked = rest if counts.singles_most(*rest) else picked
    return picked


def _find_not_kept(counts: SetCounts, names: Sequence[str]) -> list[Names]:
    """The columns that make most rows unique when added to less distinguishing ones."""
    if not names or not counts.singles_most(*names):
        return []
    kept: list[str] = []
    whole: Keys = counts.data.together(())
    out: list[Names] = []
    for name in sorted(names, key=lambda name: (counts(name)[1], names.index(name))):
        joined = whole + counts.data.keys[name]
        if count_alone(joined)[0] >= MOST_ROWS * len(counts.data):
            out.append((name, *kept))
        else:
            whole, kept = joined, [*kept, name]
    return out
