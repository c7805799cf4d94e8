"""Rows of a table as codes, from which a hierarchy is learnt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass, safe_repr
from discreet.hierarchy.numbers import read_numbers

Ints = NDArray[np.int64]

MOST_BINS = 12
"""Most groups into which the values of another column are divided."""
MOST_TRIED = 40
"""Most other columns of a wide table that are considered."""
MOST_COLUMNS = 10
"""Most other columns that are compared with: those most associated with the values."""
SAME = 0.95
"""A column that determines this part of another is a second spelling of it, and says nothing about
which of its values are similar."""


@safe_repr
class Joint(NamedTuple):
    """How often each value occurs with each group of values of the other columns.

    ``counts[value]`` has one number for each group, other column after other column; ``columns``
    is their number.
    """

    counts: Ints
    columns: int


@dataclass(frozen=True, eq=False)
class RowCodes:
    """Rows of the quasi columns of a table, each value as a code.

    Sensitive columns do not belong here: a hierarchy is part of what is released, and must not
    show how a sensitive column is distributed.

    Parameters
    ----------
    codes
        For each column the code of every row.
    values
        For each column the value of each code.
    rows
        How many rows of the table each row here stands for.
    units
        How many people have each value, if people are counted and may have several rows.
    """

    codes: Mapping[str, NDArray[np.integer[Any]]]
    values: Mapping[str, Sequence[str | None]]
    rows: Ints
    units: Mapping[str, Ints] | None = None
    _bins: dict[str, tuple[Ints, int]] = field(default_factory=dict, init=False)
    _entropies: dict[str, float] = field(default_factory=dict, init=False)

    def __repr__(self) -> str:
        return f"RowCodes({len(self.codes)} columns, {len(self.rows)} combinations)"

    def count_codes(self, column: str) -> Ints:
        """How many rows, or people, have each value of a column."""
        if self.units is not None:
            return self.units[column]
        codes = self.codes[column].astype(np.int64)
        return _sum_by(codes, self.rows, len(self.values[column]))

    def join(self, column: str, values: Sequence[str]) -> Joint:
        """Count some values of a column by the values of the others.

        The result depends neither on the order of rows nor on the values of other columns.
        """
        own = self._place(column, values)
        known = own >= 0
        own, rows = own[known], self.rows[known]
        parts = []
        for name in self._choose_tried(column):
            bins, size = self._find_bins(name)
            key = own * size + bins[self.codes[name][known]]
            parts.append(_sum_by(key, rows, len(values) * size).reshape(len(values), size))
        kept = _choose_informative(parts)
        empty = np.zeros((len(values), 0), dtype=np.int64)
        return Joint(np.concatenate([empty, *kept], axis=1), len(kept))

    def find_twin_order(self, column: str, values: Sequence[str]) -> tuple[str, list[int]] | None:
        """A numeric column with one number for each value, and the order that it gives."""
        own = self._place(column, values)
        known = own >= 0
        for name, codes in self.codes.items():
            texts = self.values[name]
            if name == column or len(texts) != len(values) or None in texts:
                continue
            twin = np.full(len(values), -1, dtype=np.int64)
            twin[own[known]] = codes[known]
            if len(np.unique(twin)) < len(values) or (twin[own[known]] != codes[known]).any():
                continue
            numbers = read_numbers([str(texts[code]) for code in twin.tolist()])
            if not any(number is None for number in numbers):
                return name, sorted(range(len(values)), key=lambda at: numbers[at] or 0)
        return None

    def _place(self, column: str, values: Sequence[str]) -> Ints:
        """The place among some values of the value of each row; -1 for other values."""
        place: dict[str | None, int] = {value: at for at, value in enumerate(values)}
        known = self.values.get(column, ())
        if not known:
            return np.full(len(self.rows), -1, dtype=np.int64)
        by_code = np.array([place.get(value, -1) for value in known], dtype=np.int64)
        found: Ints = by_code[self.codes[column]]
        return found

    def _choose_tried(self, column: str) -> list[str]:
        """The other columns; if there are very many, those whose groups differ most."""
        others = [name for name in self.codes if name != column]
        if len(others) <= MOST_TRIED:
            return others
        best = sorted(others, key=lambda name: (-self._measure_entropy(name), name))
        return [name for name in others if name in set(best[:MOST_TRIED])]

    def _measure_entropy(self, column: str) -> float:
        if column not in self._entropies:
            bins, size = self._find_bins(column)
            counts = _sum_by(bins[self.codes[column]], self.rows, size)
            self._entropies[column] = round(-float(xlogx(counts).sum()), 6)
        return self._entropies[column]

    def _find_bins(self, column: str) -> tuple[Ints, int]:
        if column not in self._bins:
            self._bins[column] = self._group_column(column)
        return self._bins[column]

    def _group_column(self, column: str) -> tuple[Ints, int]:
        """The group of each value of a column: quantiles of numbers, frequent values, the rest."""
        texts = self.values[column]
        counts = _sum_by(self.codes[column].astype(np.int64), self.rows, len(texts))
        if len(texts) <= MOST_BINS:
            order = sorted(range(len(texts)), key=lambda at: (texts[at] is None, texts[at] or ""))
            bins = np.empty(len(texts), dtype=np.int64)
            bins[order] = np.arange(len(texts))
            return bins, len(texts)
        present = [at for at, text in enumerate(texts) if text is not None]
        numbers = read_numbers([str(texts[at]) for at in present])
        bins = np.full(len(texts), MOST_BINS, dtype=np.int64)
        if all(number is not None for number in numbers):
            order = sorted(
                range(len(present)), key=lambda at: (numbers[at] or 0, texts[present[at]] or "")
            )
            ranked = np.array([present[at] for at in order], dtype=np.int64)
            middle = np.cumsum(counts[ranked]) - counts[ranked] / 2
            total = max(1, int(counts[ranked].sum()))
            bins[ranked] = np.minimum(MOST_BINS - 1, (MOST_BINS * middle / total).astype(np.int64))
            return bins, MOST_BINS + 1
        frequent = sorted(present, key=lambda at: (-int(counts[at]), texts[at] or ""))
        bins[frequent] = MOST_BINS - 1
        bins[frequent[: MOST_BINS - 1]] = np.arange(MOST_BINS - 1)
        return bins, MOST_BINS + 1


def _sum_by(keys: Ints, rows: Ints, size: int) -> Ints:
    return np.bincount(keys, weights=rows, minlength=size).astype(np.int64)


def _choose_informative(parts: Sequence[Ints]) -> list[Ints]:
    """The most informative columns about the values, in order, without mere copies."""
    told = [(_measure_information(part), place) for place, part in enumerate(parts)]
    useful = [(shared, place) for (shared, own), place in told if 0 < shared < SAME * own]
    best = sorted(useful, key=lambda pair: (-round(pair[0], 9), pair[1]))[:MOST_COLUMNS]
    return [parts[place] for place in sorted(place for _, place in best)]


def _measure_information(part: Ints) -> tuple[float, float]:
    """Mutual information of rows and columns of a table of counts, and the entropy of the rows.

    Both in nats times the number of rows; minus what chance alone would give.
    """
    total = part.sum()
    rows, columns = part.sum(axis=1), part.sum(axis=0)
    own = xlogx(total) - xlogx(rows).sum()
    shared = xlogx(part).sum() - xlogx(rows).sum() - xlogx(columns).sum() + xlogx(total)
    chance = max(0, (rows > 0).sum() - 1) * max(0, (columns > 0).sum() - 1) / 2
    return float(shared - chance), float(own)


def xlogx(counts: Any) -> Any:
    """``n log n`` of whole numbers, 0 for 0."""
    return counts * np.log(np.maximum(counts, 1))
