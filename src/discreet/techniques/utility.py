"""What a table can still be used for after a technique."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa

from discreet.table.table import Table
from discreet.techniques.arrow_rows import Floats, Ints, column_of, rows_of
from discreet.techniques.bins import Bins, divergence, total_variation
from discreet.techniques.ordered import ordered_numbers

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FEWEST = 10
"""Values a column must have for its moments to be stated: of fewer they would tell values."""


@dataclass(frozen=True)
class Moments:
    """Mean, standard deviation and skewness of a column; dates in days since 1970."""

    mean: float
    deviation: float
    skewness: float


@dataclass(frozen=True)
class ColumnUtility:
    """One column before and after. `quantiles` are shifts, in standard deviations of before."""

    column: str
    missing_before: float
    missing_after: float
    total_variation: float
    divergence: float
    before: Moments | None
    after: Moments | None
    quantiles: dict[float, float] | None


@dataclass(frozen=True)
class PairUtility:
    """Two columns before and after: their contingency table and, of numbers, the correlation."""

    columns: tuple[str, str]
    total_variation: float
    divergence: float
    correlation_before: float | None
    correlation_after: float | None


@dataclass(frozen=True)
class Utility:
    """All that was compared. `distortion` is the mean divergence of the contingency tables."""

    rows_before: int
    rows_after: int
    columns: tuple[ColumnUtility, ...]
    pairs: tuple[PairUtility, ...]

    @property
    def distortion(self) -> float:
        """From 0 (every count is as it was) to 1; of the columns where there is only one."""
        return float(np.mean([part.divergence for part in self.pairs or self.columns]))

    def facts(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "rows_before": self.rows_before,
            "rows_after": self.rows_after,
            "distortion": self.distortion,
            "columns": [
                {**asdict(part), "quantiles": part.quantiles and _texts(part.quantiles)}
                for part in self.columns
            ],
            "pairs": [{**asdict(part), "columns": list(part.columns)} for part in self.pairs],
        }


def utility_report(before: Table, after: Table) -> Utility:
    """What was kept of each column and each pair of columns of `before`; see `Utility`.

    A column that `after` lacks counts as all missing. The tables may have different numbers of
    rows in any order: shares are compared, not rows.

    >>> from discreet.table.read import read
    >>> table = read(pa.table({"sex": ["F", "M"], "ill": ["a", "b"]}))
    >>> blanked = read(pa.table({"sex": ["F", "M"], "ill": pa.array([None, None], pa.string())}))
    >>> [column.total_variation for column in utility_report(table, blanked).columns]
    [0.0, 1.0]

    Notes
    -----
    [Sweeney2001]_, sec. 4.1 (a technique limits use) and fig. 24. *Departures*: numbers are
    compared in tenths, finer at the ends, and only the 100 most frequent other values by name, so
    that a sample of a column of names does not look like another column. Quantiles are given as
    shifts, since a quantile is a value of the private table. *Cost*: both tables in memory, one
    pass a column and a pair.
    """
    rows = rows_of(before)
    return compared(rows, bins_of(rows), rows_of(after))


def bins_of(rows: pa.Table) -> dict[str, Bins]:
    """The bins of every column."""
    return {column: Bins.of(column_of(rows, column)) for column in rows.column_names}


def compared(old: pa.Table, bins: dict[str, Bins], new: pa.Table) -> Utility:
    """As `utility_report`, of rows in memory and bins made before."""
    sides = {name: _sides(column_of(old, name), part, new, name) for name, part in bins.items()}
    columns = tuple(_column(name, side) for name, side in sides.items())
    pairs = tuple(_pair((one, two), sides[one], sides[two]) for one, two in combinations(sides, 2))
    return Utility(old.num_rows, new.num_rows, columns, pairs)


@dataclass(frozen=True, eq=False)
class _Sides:
    """One column, before and after: its bins, its numbers, its share of missing cells."""

    bins: int
    codes: tuple[Ints, Ints]
    numbers: tuple[Floats | None, Floats | None]
    missing: tuple[float, float]


def _sides(first: pa.Array, bins: Bins, new: pa.Table, name: str) -> _Sides:
    second = _found(new, name, first.type)
    return _Sides(
        bins.count,
        (bins.codes(first), bins.codes(second)),
        (ordered_numbers(first), ordered_numbers(second)),
        (first.null_count / len(first), second.null_count / len(second)),
    )


def _column(name: str, side: _Sides) -> ColumnUtility:
    before, after = (np.bincount(codes, minlength=side.bins) for codes in side.codes)
    return ColumnUtility(
        name,
        *side.missing,
        total_variation(before, after),
        divergence(before, after),
        _moments(side.numbers[0]),
        _moments(side.numbers[1]),
        _shifts(*side.numbers),
    )


def _pair(names: tuple[str, str], one: _Sides, two: _Sides) -> PairUtility:
    before, after = (
        np.bincount(row * two.bins + column, minlength=one.bins * two.bins)
        for row, column in zip(one.codes, two.codes, strict=True)
    )
    return PairUtility(
        names,
        total_variation(before, after),
        divergence(before, after),
        _correlation(one.numbers[0], two.numbers[0]),
        _correlation(one.numbers[1], two.numbers[1]),
    )


def _found(rows: pa.Table, column: str, kind: pa.DataType) -> pa.Array:
    if column in rows.column_names:
        return column_of(rows, column)
    return pa.nulls(rows.num_rows, kind)


def _moments(numbers: Floats | None) -> Moments | None:
    filled = _filled(numbers)
    if len(filled) < FEWEST:
        return None
    mean, deviation = float(filled.mean()), float(filled.std())
    skewness = float((((filled - mean) / deviation) ** 3).mean()) if deviation else 0.0
    return Moments(mean, deviation, skewness)


def _shifts(before: Floats | None, after: Floats | None) -> dict[float, float] | None:
    old, new = _filled(before), _filled(after)
    if len(old) < FEWEST or len(new) < FEWEST or not old.std():
        return None
    shift = (np.quantile(new, QUANTILES) - np.quantile(old, QUANTILES)) / old.std()
    return dict(zip(QUANTILES, shift.tolist(), strict=True))


def _correlation(one: Floats | None, two: Floats | None) -> float | None:
    if one is None or two is None:
        return None
    both = np.isfinite(one) & np.isfinite(two)
    x, y = one[both], two[both]
    if len(x) < FEWEST or not x.std() or not y.std():
        return None
    return float(((x - x.mean()) * (y - y.mean())).mean() / (x.std() * y.std()))


def _filled(numbers: Floats | None) -> Floats:
    return np.empty(0) if numbers is None else numbers[np.isfinite(numbers)]


def _texts(quantiles: dict[float, float]) -> dict[str, float]:
    return {f"{share:g}": shift for share, shift in quantiles.items()}
