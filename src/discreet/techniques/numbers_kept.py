"""What a technique left of the numbers: means, spreads, quantiles and correlations compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import ParameterError
from discreet.techniques.arrow_rows import check_names, rows_of
from discreet.techniques.number_columns import number_column

if TYPE_CHECKING:
    from discreet.table.table import Table
    from discreet.techniques.number_columns import Floats

OWNER = "numbers_kept"


@dataclass(frozen=True)
class ColumnKept:
    """One column before and after; shifts are in standard deviations of the private column.

    `loss` is the squared error over the total sum of squares (SSE/SST), for rows in their order:
    0 is nothing lost, 1 is as if every value were the mean.
    """

    changed: float
    mean_shift: float
    spread_ratio: float
    largest_decile_shift: float
    loss: float


@dataclass(frozen=True)
class NumbersKept:
    """What was kept of each column, and the largest change of a correlation of two of them."""

    columns: dict[str, ColumnKept]
    largest_correlation_shift: float | None

    def facts(self) -> dict[str, Any]:
        """Plain data for JSON; no value of the table is in it."""
        return {
            "columns": {name: dict(vars(kept)) for name, kept in self.columns.items()},
            "largest_correlation_shift": self.largest_correlation_shift,
        }


def numbers_kept(before: Table, after: Table, columns: tuple[str, ...]) -> NumbersKept:
    """How much of some columns of numbers a technique kept; rows must be in the same order.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> from discreet.techniques.top_code import TopCode
    >>> table = read(pa.table({"age": [20, 40, 60, 80]}))
    >>> kept = numbers_kept(table, TopCode(("age",), at=60)(table, seed=0), ("age",))
    >>> kept.columns["age"].changed, round(kept.columns["age"].mean_shift, 3)
    (0.25, -0.224)

    Notes
    -----
    SSE/SST as in [DomingoFerrerMateoSanz2002]_. *Departures*: values missing on one side are left
    out of both. *Cost*: one pass over each table, and a sort a column.
    """
    check_names(OWNER, "columns", columns)
    old_rows, new_rows = (rows_of(table, columns) for table in (before, after))
    if old_rows.num_rows != new_rows.num_rows:
        raise ParameterError(OWNER, "after", "a table with as many rows as 'before'")
    old = np.column_stack([number_column(OWNER, old_rows, c).values for c in columns])
    new = np.column_stack([number_column(OWNER, new_rows, c).values for c in columns])
    kept = {name: _kept(old[:, i], new[:, i]) for i, name in enumerate(columns)}
    return NumbersKept(kept, _correlation_shift(old, new))


def _kept(old: Floats, new: Floats) -> ColumnKept:
    there = ~(np.isnan(old) | np.isnan(new))
    old, new = old[there], new[there]
    if not len(old) or not old.std():
        return ColumnKept(float(np.mean(old != new)) if len(old) else 0.0, 0.0, 1.0, 0.0, 0.0)
    spread = float(old.std())
    deciles = np.linspace(0.1, 0.9, 9)
    shifts = np.abs(np.quantile(new, deciles) - np.quantile(old, deciles))
    return ColumnKept(
        changed=float(np.mean(old != new)),
        mean_shift=float(new.mean() - old.mean()) / spread,
        spread_ratio=float(new.std()) / spread,
        largest_decile_shift=float(shifts.max()) / spread,
        loss=float(np.mean((old - new) ** 2)) / spread**2,
    )


def _correlation_shift(old: Floats, new: Floats) -> float | None:
    """None where there are not two columns that vary, before and after."""
    there = ~(np.isnan(old) | np.isnan(new)).any(axis=1)
    old, new = old[there], new[there]
    if len(old) < 2:
        return None
    vary = (old.std(axis=0) > 0) & (new.std(axis=0) > 0)
    if np.count_nonzero(vary) < 2:
        return None
    shift = np.corrcoef(old[:, vary], rowvar=False) - np.corrcoef(new[:, vary], rowvar=False)
    return float(np.abs(shift).max())
