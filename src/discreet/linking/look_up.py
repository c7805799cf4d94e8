"""How many people of a register fit each released tuple: by shape, or by going down the columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.frequency.key_index import KeyIndex
from discreet.frequency.packing import Packing
from discreet.linking.atoms import Ints
from discreet.linking.column_fits import ColumnFits

Codes = NDArray[np.int32]
AnyCodes = NDArray[np.integer[Any]]

MOST_SHAPES = 24
AT_ONCE = 1 << 20


def look_up(
    fits: Sequence[ColumnFits], tuples: Sequence[Codes], register: Sequence[AnyCodes], rows: Ints
) -> Ints:
    """The people of the register that fit each released tuple.

    ``register`` has the codes of the register's different tuples and ``rows`` their people.

    Notes
    -----
    Texts of a column have levels, as in a hierarchy; the levels of a tuple are its shape. For a
    shape each tuple of the register has one released tuple at most, found by hash. Where there are
    many shapes (releases that decide cell by cell), tuples of rare ones go down the columns
    instead: those who fit the first column, of these who fit the second, and so on.
    *Cost*: a pass over the register's different tuples for each of at most 24 shapes; else one for
    each column, times how much texts of a column overlap.
    """
    found = np.zeros(len(tuples[0]), dtype=np.int64)
    possible = np.all([f.mass[t] > 0 for f, t in zip(fits, tuples, strict=True)], axis=0)
    shape = np.stack([f.level[t] for f, t in zip(fits, tuples, strict=True)], axis=1)
    here = np.flatnonzero(possible & (shape >= 0).all(axis=1))
    shapes, which, sizes = np.unique(shape[here], axis=0, return_inverse=True, return_counts=True)
    common = np.argsort(-sizes, kind="stable")[:MOST_SHAPES]
    for number in common.tolist():
        mine = here[which.reshape(-1) == number]
        found[mine] = _by_shape(fits, [t[mine] for t in tuples], shapes[number], register, rows)
        possible[mine] = False
    rest = np.flatnonzero(possible)
    if len(rest):
        found[rest] = _Descent(fits, register, rows)([t[rest] for t in tuples])
    return found


def _by_shape(
    fits: Sequence[ColumnFits],
    tuples: Sequence[Codes],
    shape: NDArray[np.int8],
    register: Sequence[AnyCodes],
    rows: Ints,
) -> Ints:
    """People for tuples of one shape: each person is written as the release would, and found."""
    told = [column for column, f in enumerate(fits) if not _says_nothing(f, tuples[column])]
    if not told:
        return np.full(len(tuples[0]), rows.sum())
    # The code behind the last text stands for a value that no text of the level has.
    packing = Packing.of([len(fits[column].mass) + 1 for column in told])
    index = KeyIndex(packing.pack([tuples[column] for column in told], len(tuples[0])))
    maps = []
    for column in told:
        level = fits[column].map(int(shape[column]))
        maps.append(np.where(level < 0, len(fits[column].mass), level).astype(np.int32))
    found = np.zeros(len(tuples[0]), dtype=np.int64)
    for first in range(0, len(rows), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        codes = [each[register[column][part]] for each, column in zip(maps, told, strict=True)]
        place = index.find(packing.pack(codes, len(codes[0])))
        known = place >= 0
        amount = np.bincount(place[known], weights=rows[part][known], minlength=len(found))
        found += amount.astype(np.int64)
    return found


def _says_nothing(fits: ColumnFits, texts: Codes) -> bool:
    """Whether a column fits everybody in all these tuples, as a suppressed one does."""
    first = texts[0]
    return bool(fits.mass[first] == fits.size and (texts == first).all())


class _Descent:
    """Finds the people of many tuples column by column, the ones that overlap least first."""

    def __init__(
        self, fits: Sequence[ColumnFits], register: Sequence[AnyCodes], rows: Ints
    ) -> None:
        self._fits, self._rows = fits, rows
        # Few values make small numbers, which are sorted by counting; what is looked up among them
        # must be as small, or all would be copied.
        kinds = [np.min_scalar_type(f.size) for f in fits]
        self._ranks = [
            f.rank.astype(kind)[codes] for f, kind, codes in zip(fits, kinds, register, strict=True)
        ]
        self._bounds = [
            np.stack([f.low, f.high]).astype(kind) for f, kind in zip(fits, kinds, strict=True)
        ]

    def __call__(self, tuples: Sequence[Codes]) -> Ints:
        overlap = [
            f.mass[np.unique(texts)].sum() / f.size
            for f, texts in zip(self._fits, tuples, strict=True)
        ]
        order = np.argsort(overlap, kind="stable").tolist()
        found = np.zeros(len(tuples[0]), dtype=np.int64)
        people = np.arange(len(self._rows))
        stack = [(0, people, np.arange(len(found)))]
        while stack:
            depth, people, mine = stack.pop()
            column = order[depth]
            by_rank = np.argsort(self._ranks[column][people], kind="stable")
            people = people[by_rank]
            ranks = self._ranks[column][people]
            if depth == len(order) - 1:
                found[mine] = self._sums(column, ranks, self._rows[people], tuples[column][mine])
                continue
            stack += [
                (depth + 1, chosen, members)
                for chosen, members in self._chosen(column, ranks, people, tuples[column], mine)
                if len(chosen)
            ]
        return found

    def _sums(self, column: int, ranks: AnyCodes, rows: Ints, texts: Codes) -> Ints:
        """How many of some people fit each text of the last column."""
        total = np.append(0, np.cumsum(rows))
        different, where = np.unique(texts, return_inverse=True)
        first = self._fits[column].start[different]
        count = self._fits[column].start[different + 1] - first
        place = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(count.sum())
        ends = np.searchsorted(ranks, self._bounds[column][:, place])
        # Every text has a stretch at least, so that none is left out here.
        amounts = np.add.reduceat(total[ends[1]] - total[ends[0]], np.cumsum(count) - count)
        found: Ints = amounts[where]
        return found

    def _ends(self, column: int, text: int, ranks: AnyCodes) -> NDArray[np.int64]:
        """Where the stretches of a text begin and end among people in order of a column."""
        start = self._fits[column].start
        bounds = self._bounds[column][:, start[text] : start[text + 1]]
        return np.searchsorted(ranks, bounds)

    def _chosen(
        self, column: int, ranks: AnyCodes, people: Ints, texts: Codes, mine: Ints
    ) -> list[tuple[Ints, Ints]]:
        """For each text of a column, who of some people fit it, and the tuples that have it."""
        here = texts[mine]
        order = np.argsort(here, kind="stable")
        different, first = np.unique(here[order], return_index=True)
        parts = np.split(mine[order], first[1:])
        pairs = []
        for text, members in zip(different.tolist(), parts, strict=True):
            chosen = [people[a:b] for a, b in self._ends(column, text, ranks).T.tolist()]
            pairs.append((chosen[0] if len(chosen) == 1 else np.concatenate(chosen), members))
        return pairs
