"""Which values of a register each released text of one column fits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.hierarchy.hierarchy import SUPPRESSED
from discreet.linking.atoms import Atoms, Ints

MOST_LEVELS = 12
"""Levels that texts of a column are told apart in; texts beyond are looked up one by one."""


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
        meaning = atoms.value_runs if found else atoms.runs_of
        rank, first, end, odd = _in_order([meaning(value) for value in values])
        runs = [atoms.runs_of(text) for text in texts]
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
        owner, low, high = _merged(owner, low, high)
        start = np.searchsorted(owner, np.arange(len(texts) + 1))
        told = np.array([text != SUPPRESSED for text in texts], dtype=np.bool_)
        met = int(((np.diff(start) > 0) & told).sum())
        return cls(rank, start, low, high, int(told.sum()), met)

    @property
    def size(self) -> int:
        """Different values of the register."""
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
        """Whether each text fits the value of the register beside it."""
        if not len(self.low):
            return np.zeros(len(texts), dtype=np.bool_)
        base = np.repeat(np.arange(len(self.mass)), np.diff(self.start)) * (self.size + 1)
        wanted = texts.astype(np.int64) * (self.size + 1) + self.rank[codes]
        place = np.searchsorted(base + self.low, wanted, side="right") - 1
        ends = (base + self.high)[np.maximum(place, 0)]
        return np.asarray((place >= 0) & (wanted < ends))


def _in_order(
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


def _merged(owner: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints, Ints]:
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
