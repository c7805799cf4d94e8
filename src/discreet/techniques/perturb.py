"""Perturbation that keeps means, variances and covariances exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.errors import ParameterError, TechniqueColumnError
from discreet.techniques.arrow_rows import check_names, generator, rows_of
from discreet.techniques.number_columns import (
    covariance_root,
    is_number,
    missing_notices,
    missing_patterns,
    number_column,
    same_notice,
    with_columns,
)

if TYPE_CHECKING:
    from discreet.table.table import Table
    from discreet.techniques.number_columns import Floats
    from discreet.techniques.technique import Protection, Turn

LEAST = 1e-12
"""Numbers that differ by a smaller share of their size are blurred by rounding."""


@dataclass(frozen=True)
class Perturb:
    """Change every number, and keep the means and covariances of the columns exactly.

    `similarity` is the correlation of each released column with the private one, from 0 (new
    numbers that share nothing but the means and covariances) to below 1.

    Rows are changed together with the rows that miss the same values, so means, variances and
    covariances stay whatever way missing values are left out. Missing values stay missing.
    Columns become float64, since whole numbers cannot keep a mean exactly; text stays text. A
    column that holds one value only stays as it is, and so do values that are the same in all rows
    that miss the same values; a notice counts them. Numbers may leave their domain.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"pay": [10, 20, 30, 40, 90]}))
    >>> pay = Perturb(("pay",), similarity=0.5)(table, seed=1).scan(native=["pay"]).read_all()
    >>> float(round(pay["pay"].to_numpy().mean(), 9))
    38.0

    Notes
    -----
    [Sweeney2001]_, sec. 4.1, figure 17 (perturbation "to maintain some overall aggregate
    statistic"); [Burridge2003]_: noise is freed of what it shares with the data, given their
    covariance, and mixed in. *Departures*: `similarity` mixes in part of the private numbers;
    exact means up to the rounding of floating-point numbers. *Cost*: a few passes over the
    columns, in memory.
    """

    columns: tuple[str, ...]
    similarity: float = 0.5

    name: ClassVar[str] = "perturb"
    protection: ClassVar[Protection] = "null-map"
    truthful: ClassVar[bool] = False
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = "Means, variances and covariances of the columns stay exactly."
    by_chance: ClassVar[bool] = True
    by_value: ClassVar[bool] = False
    done: ClassVar[str] = "perturbed"

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        if not is_number(self.similarity) or not 0 <= self.similarity < 1:
            raise ParameterError(self.name, "similarity", "a number from 0 to below 1")

    def __call__(self, table: Table, seed: int) -> Table:
        """The perturbed table; the input is left as it is."""
        rows = rows_of(table, self.columns)
        columns = [number_column(self.name, rows, column) for column in self.columns]
        values = np.stack([column.values for column in columns])
        draw = generator(self.name, seed)
        for same in missing_patterns(np.isnan(values).T):
            there = ~np.isnan(values[:, same[0]])
            if not there.any():
                continue
            self._check_rows(len(same), int(there.sum()))
            if len(same) == rows.num_rows:
                values[there] = self._perturbed(values[there], draw)
                continue
            block = np.ix_(there, same)
            values[block] = self._perturbed(values[block], draw)
        new = {c.name: c.back(values[i], exact=True) for i, c in enumerate(columns)}
        notices = missing_notices(columns)
        for column, changed in zip(columns, values, strict=True):
            notices += same_notice(column, changed)
        return with_columns(table, rows, new, notices)

    def _check_rows(self, rows: int, columns: int) -> None:
        if rows < 2 * columns + 2:
            what = (
                f"cannot be perturbed: only {rows:,} rows miss the same of the values of "
                f"{', '.join(self.columns)}, and it takes {2 * columns + 2:,}"
            )
            raise TechniqueColumnError(
                self.name, self.columns[0], what, "Name fewer columns, or leave these rows out."
            )

    def _perturbed(self, values: Floats, draw: np.random.Generator) -> Floats:
        """New numbers for complete rows; a line of the array is a column of the table."""
        mean = values.mean(axis=1, keepdims=True)
        spread = values.std(axis=1, keepdims=True)
        moving = np.ptp(values, axis=1) > 0
        if not moving.any():
            return values
        if (spread <= LEAST * np.abs(mean))[moving].any():
            what = "and the others named have one whose numbers differ too little for their size"
            fix = "Take a number that is in all of it away first."
            raise TechniqueColumnError(self.name, self.columns[0], what, fix)
        data = (values[moving] - mean[moving]) / spread[moving]
        mixed = _unrelated(data, draw)
        mixed *= np.sqrt(1 - self.similarity**2)
        data *= self.similarity
        mixed += data
        mixed -= mixed.mean(axis=1, keepdims=True)
        changed = values.copy()
        changed[moving] = mean[moving] + spread[moving] * mixed
        return changed


def _unrelated(data: Floats, draw: np.random.Generator) -> Floats:
    """Noise with a mean of 0, the covariance of the data, and no correlation with the data."""
    noise = draw.standard_normal(data.shape)
    squares = data @ data.T
    solved = np.linalg.pinv(squares, rcond=1e-12, hermitian=True)
    for _ in range(2):  # once more, for what rounding left
        noise -= noise.mean(axis=1, keepdims=True)
        noise -= (noise @ data.T @ solved) @ data
        noise = np.linalg.inv(np.linalg.cholesky(noise @ noise.T)) @ noise
    return np.asarray(covariance_root(squares) @ noise)
