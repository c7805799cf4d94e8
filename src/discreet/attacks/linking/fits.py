"""Which values of a register each released text of one column fits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.frequency.frequency_list import KeyIndex, Packing
from discreet.hierarchy.atoms import Atoms, Ints
from discreet.hierarchy.hierarchy import SUPPRESSED

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


MOST_LEVELS = 12
"""Most levels of a column's texts; texts beyond are looked up one by one."""


@dataclass(frozen=True, eq=False)
class ColumnFits:
    """The texts of a column as stretches of the register's values, put in order.

    ``rank`` is the place of each value of the register (by its code) in that order. Text t fits
    the values from ``low[i]`` to before ``high[i]`` for i from ``start[t]`` to ``start[t + 1]``.
    """

    rank: Ints
    start: Ints
    low: Ints
    high: Ints
    released: int
    matched: int

    @classmethod
    def of(
        cls,
        atoms: Atoms,
        texts: Sequence[str | None],
        values: Sequence[str | None],
        found: bool = True,
    ) -> ColumnFits:
        """Compare the texts of a release with the values of a register, both by code.

        ``found`` False: the values are texts of a release too.
        """
        meaning = atoms.find_value_runs if found else atoms.find_runs
        rank, first, end, odd = _order_values([meaning(value) for value in values])
        runs = [atoms.find_runs(text) for text in texts]
        owner = np.repeat(np.arange(len(texts)), [len(each) for each in runs])
        bounds = np.array([run for each in runs for run in each], dtype=np.int64).reshape(-1, 2)
        low = np.searchsorted(end, bounds[:, 0], side="right")
        high = np.searchsorted(first, bounds[:, 1], side="left")
        owners, lows, highs = [owner], [low], [high]
        for place, run_list in odd:
            hit = np.zeros(len(bounds), dtype=np.bool_)
            for a, b in run_list:
                hit |= (bounds[:, 0] < b) & (bounds[:, 1] > a)
            who = np.unique(owner[hit])
            owners.append(who)
            lows.append(np.full(len(who), place))
            highs.append(np.full(len(who), place + 1))
        owner, low, high = (np.concatenate(part) for part in (owners, lows, highs))
        owner, low, high = owner[low < high], low[low < high], high[low < high]
        owner, low, high = _merge_stretches(owner, low, high)
        start = np.searchsorted(owner, np.arange(len(texts) + 1))
        told = np.array([text != SUPPRESSED for text in texts], dtype=np.bool_)
        met = int(((np.diff(start) > 0) & told).sum())
        return cls(rank, start, low, high, int(told.sum()), met)

    @property
    def size(self) -> int:
        """The number of distinct values of the register."""
        return len(self.rank)

    @cached_property
    def mass(self) -> Ints:
        """How many different values of the register each text fits."""
        total = np.append(0, np.cumsum(self.high - self.low))
        found: Ints = total[self.start[1:]] - total[self.start[:-1]]
        return found

    @cached_property
    def level(self) -> NDArray[np.int8]:
        """A level for each text, so that texts of one level have no value in common.

        Wide texts first, so that the levels of a hierarchy come out as such; -1 for texts that
        would need more levels than there may be.
        """
        level = np.full(len(self.mass), -1, dtype=np.int8)
        taken = np.zeros((MOST_LEVELS, self.size), dtype=np.bool_)
        for text in np.argsort(-self.mass, kind="stable").tolist():
            spans = [
                slice(self.low[i], self.high[i])
                for i in range(self.start[text], self.start[text + 1])
            ]
            for number, here in enumerate(taken):
                if not any(here[span].any() for span in spans):
                    level[text] = number
                    for span in spans:
                        here[span] = True
                    break
        return level

    def map(self, level: int) -> NDArray[np.int32]:
        """The text of a level that each value of the register has (by code), or -1."""
        by_rank = np.full(self.size, -1, dtype=np.int32)
        for text in np.flatnonzero(self.level == level).tolist():
            for i in range(self.start[text], self.start[text + 1]):
                by_rank[self.low[i] : self.high[i]] = text
        return by_rank[self.rank]

    def contains(self, texts: NDArray[np.int32], codes: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Whether each text fits the value of the register in the same place."""
        if not len(self.low):
            return np.zeros(len(texts), dtype=np.bool_)
        base = np.repeat(np.arange(len(self.mass)), np.diff(self.start)) * (self.size + 1)
        wanted = texts.astype(np.int64) * (self.size + 1) + self.rank[codes]
        place = np.searchsorted(base + self.low, wanted, side="right") - 1
        ends = (base + self.high)[np.maximum(place, 0)]
        return np.asarray((place >= 0) & (wanted < ends))


def _order_values(
    values: Sequence[tuple[tuple[int, int], ...]],
) -> tuple[Ints, Ints, Ints, list[tuple[int, tuple[tuple[int, int], ...]]]]:
    """Put values that do not overlap in order, and those that do, or are divided, behind them."""
    order = sorted(range(len(values)), key=lambda code: (values[code][0], len(values[code]), code))
    plain: list[int] = []
    odd: list[int] = []
    furthest = -1
    for code in order:
        if len(values[code]) == 1 and values[code][0][0] >= furthest:
            plain.append(code)
            furthest = values[code][0][1]
        else:
            odd.append(code)
    rank = np.empty(len(values), dtype=np.int64)
    rank[np.array([*plain, *odd], dtype=np.int64)] = np.arange(len(values))
    bounds = np.array([values[code][0] for code in plain], dtype=np.int64).reshape(-1, 2)
    return (
        rank,
        bounds[:, 0],
        bounds[:, 1],
        [(len(plain) + number, values[code]) for number, code in enumerate(odd)],
    )


def _merge_stretches(owner: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints, Ints]:
    """Stretches by text and start; those of one text that touch or overlap as one."""
    order = np.lexsort((low, owner))
    owner, low, high = owner[order], low[order], high[order]
    # Stretches of one text rise and do not overlap, so only neighbours can touch.
    new = np.ones(len(owner), dtype=np.bool_)
    new[1:] = (owner[1:] != owner[:-1]) | (low[1:] > high[:-1])
    return (
        owner[new],
        low[new],
        np.maximum.reduceat(high, np.flatnonzero(new)) if len(high) else high,
    )


# How many people of a register fit each released tuple: by shape, or by going down the columns.


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
        found[mine] = _count_by_shape(
            fits, [t[mine] for t in tuples], shapes[number], register, rows
        )
        possible[mine] = False
    rest = np.flatnonzero(possible)
    if len(rest):
        found[rest] = _Descent(fits, register, rows)([t[rest] for t in tuples])
    return found


def _count_by_shape(
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
                found[mine] = self._count_fits(
                    column, ranks, self._rows[people], tuples[column][mine]
                )
                continue
            stack += [
                (depth + 1, chosen, members)
                for chosen, members in self._select_fitting(
                    column, ranks, people, tuples[column], mine
                )
                if len(chosen)
            ]
        return found

    def _count_fits(self, column: int, ranks: AnyCodes, rows: Ints, texts: Codes) -> Ints:
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

    def _find_ends(self, column: int, text: int, ranks: AnyCodes) -> NDArray[np.int64]:
        """Where the stretches of a text begin and end among people in order of a column."""
        start = self._fits[column].start
        bounds = self._bounds[column][:, start[text] : start[text + 1]]
        return np.searchsorted(ranks, bounds)

    def _select_fitting(
        self, column: int, ranks: AnyCodes, people: Ints, texts: Codes, mine: Ints
    ) -> list[tuple[Ints, Ints]]:
        """For each text of a column, who of some people fit it, and the tuples that have it."""
        here = texts[mine]
        order = np.argsort(here, kind="stable")
        different, first = np.unique(here[order], return_index=True)
        parts = np.split(mine[order], first[1:])
        pairs = []
        for text, members in zip(different.tolist(), parts, strict=True):
            chosen = [people[a:b] for a, b in self._find_ends(column, text, ranks).T.tolist()]
            pairs.append((chosen[0] if len(chosen) == 1 else np.concatenate(chosen), members))
        return pairs


# The meaning of the texts in each column of a release and a register, as a policy reads them.


Texts = Sequence[str | None]


def read_column_atoms(
    columns: Sequence[str], released: Sequence[Texts], found: Sequence[Texts], policy: Policy | None
) -> list[Atoms]:
    """The atoms of each column: by its hierarchy in the policy, or by what its values look like.

    ``released`` and ``found`` have the different texts of the release and of the register, column
    by column. A policy with ``missing: wildcard`` makes a missing value any value.
    """
    wildcard = policy is not None and policy.missing.wildcard
    atoms = []
    for name, texts, values in zip(columns, released, found, strict=True):
        column = policy.columns.get(name) if policy else None
        builder = column.hierarchy if column else None
        atoms.append(Atoms.of(name, texts, builder, ground=values, wildcard=wildcard))
    return atoms
