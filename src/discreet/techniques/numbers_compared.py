"""A column of numbers before and after a change: moments, quantiles, error, correlation."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.techniques.column_view import ColumnView

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FEWEST = 10
"""Values a column must have for its moments to be stated: of fewer they would tell values."""


@dataclass(frozen=True)
class Moments:
    """Mean, standard deviation and skewness of a column; dates in days since 1970."""

    mean: float
    deviation: float
    skewness: float


def moments(view: ColumnView) -> Moments | None:
    """None where there are too few numbers."""
    filled = view.filled
    if len(filled) < FEWEST:
        return None
    mean, deviation = float(filled.mean()), float(filled.std())
    skewness = float((((filled - mean) / deviation) ** 3).mean()) if deviation else 0.0
    return Moments(mean, deviation, skewness)


def quantile_shifts(before: ColumnView, after: ColumnView) -> dict[float, float] | None:
    """How far quantiles moved, in standard deviations of before."""
    old, new = before.filled, after.filled
    if len(old) < FEWEST or len(new) < FEWEST or not old.std():
        return None
    shift = (np.quantile(new, QUANTILES) - np.quantile(old, QUANTILES)) / old.std()
    return dict(zip(QUANTILES, shift.tolist(), strict=True))


def changed(before: ColumnView, after: ColumnView) -> float:
    """The share of cells that differ, row by row; a blank differs from a value."""
    if before.numbers is not None and after.numbers is not None:
        old, new = before.numbers, after.numbers
        return float(np.mean((old != new) & ~(np.isnan(old) & np.isnan(new))))
    texts, others = before.cells.cast(pa.string()), after.cells.cast(pa.string())
    both = pc.fill_null(pc.equal(texts, others), False)
    neither = pc.and_(texts.is_null(), others.is_null())
    return 1 - float(pc.mean(pc.or_(both, neither)).as_py())


def squared_error(before: ColumnView, after: ColumnView) -> float | None:
    """SSE/SST over the rows that have a number on both sides; None where they are too few."""
    if before.numbers is None or after.numbers is None:
        return None
    there = np.isfinite(before.numbers) & np.isfinite(after.numbers)
    old, new = before.numbers[there], after.numbers[there]
    if len(old) < FEWEST or not old.std():
        return None
    return float(np.mean((old - new) ** 2) / old.var())


def correlation(one: ColumnView, two: ColumnView) -> float | None:
    """Of two columns of numbers that vary; None of others."""
    if one.numbers is None or two.numbers is None:
        return None
    both = np.isfinite(one.numbers) & np.isfinite(two.numbers)
    x, y = one.numbers[both], two.numbers[both]
    if len(x) < FEWEST or not x.std() or not y.std():
        return None
    return float(((x - x.mean()) * (y - y.mean())).mean() / (x.std() * y.std()))
