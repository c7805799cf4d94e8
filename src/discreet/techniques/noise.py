"""Additive noise: each number goes up or down by a random amount."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from discreet.display import dataclass
from discreet.errors import ParameterError, TechniqueError
from discreet.number_range import check_range, within
from discreet.techniques.arrow_rows import check_names, make_generator, read_rows
from discreet.techniques.number_columns import (
    NumberColumn,
    covariance_root,
    find_missing_patterns,
    is_number,
    note_missing_numbers,
    note_same,
    number_column,
    replace_columns,
)

if TYPE_CHECKING:
    from discreet.table.table import Table
    from discreet.techniques.number_columns import Floats
    from discreet.techniques.technique import Protection, Turn


MOST = 1000
"""Noise a thousand times as wide as a column leaves nothing of it."""
Domain = tuple[float | None, float | None]


@dataclass(frozen=True)
class Noise:
    """Add normal noise with a mean of zero, so that no number can be relied on to be a person's.

    `amount` is the standard deviation of the noise as a share of that of the column. The noise of
    several columns is `independent`, or `correlated` like the columns themselves; then their
    correlations stay, and variances and covariances grow by the factor 1 + amount squared.
    `domain` gives the least and the most that a column can be (None: no limit). Values that
    would leave it stop the run, or are clipped to its edge (`outside`), which moves the mean.

    Columns of whole numbers get whole numbers: the noise is rounded, which adds a twelfth to the
    variance, and a notice says how many stay the same. Missing values stay missing.

    Parameters
    ----------
    columns
        The columns of numbers that get noise.
    amount
        The standard deviation of the noise, as a share of that of the column.
    kind
        Whether the noise of several columns is ``independent``, or ``correlated`` like the columns.
    domain
        The least and the most that a column can be; null for no limit.
    outside
        What happens to numbers that would leave the domain: ``refuse`` stops, ``clip`` takes its
        edge.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"age": [30, 1, 82, None]}))
    >>> noise = Noise(("age",), amount=0.1, domain={"age": (0, None)}, outside="clip")
    >>> noise(table, seed=1).scan(native=["age"]).read_all()["age"].null_count
    1

    Notes
    -----
    [Sweeney2001]_, sec. 4.1, figure 17 (additive noise), sec. 4.3 (it can give null-map
    protection); [Kim1986]_ for correlated noise. *Departures*: covariances are those of the rows
    without missing values in the columns. *Cost*: one pass, columns in memory.
    """

    columns: tuple[str, ...]
    amount: float = field(default=0.1, metadata=within(above=0, most=MOST))
    kind: Literal["independent", "correlated"] = "independent"
    domain: Mapping[str, Domain] = field(default_factory=dict)
    outside: Literal["refuse", "clip"] = "refuse"

    name: ClassVar[str] = "noise"
    protection: ClassVar[Protection] = "null-map"
    truthful: ClassVar[bool] = False
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = (
        "Means stay in expectation, and with correlated noise the correlations too."
    )
    by_chance: ClassVar[bool] = True
    by_value: ClassVar[bool] = False
    done: ClassVar[str] = "noise added"

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        check_range(self, "amount", is_number)
        if self.kind not in ("independent", "correlated"):
            raise ParameterError(self.name, "kind", "independent or correlated")
        if self.outside not in ("refuse", "clip"):
            raise ParameterError(self.name, "outside", "refuse or clip")
        if not isinstance(self.domain, Mapping) or not set(self.domain) <= set(self.columns):
            raise ParameterError(self.name, "domain", "a pair of limits for some of the columns")
        if not all(_is_domain(limits) for limits in self.domain.values()):
            raise ParameterError(
                self.name, "domain", "for each column (least, most), least below most, or None"
            )

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with noise; the input is left as it is."""
        rows = read_rows(table, self.columns)
        columns = [number_column(self.name, rows, column) for column in self.columns]
        draws = make_generator(self.name, seed).standard_normal((rows.num_rows, len(columns)))
        noise = draws @ (self.amount * covariance_root(self._measure_covariance(columns)))
        notices = note_missing_numbers(columns)
        new = {}
        for place, column in enumerate(columns):
            values, clipped = self._keep_inside(column, column.values + noise[:, place])
            new[column.name] = column.back(values)
            notices += self._describe_noise(column, values, clipped)
        return replace_columns(table, rows, new, notices)

    def _describe_noise(self, column: NumberColumn, values: Floats, clipped: int) -> list[str]:
        of = f"of {len(column.known):,} values of '{column.name}'"
        told = []
        if clipped:
            told.append(f"{self.name}: {clipped:,} {of} were clipped to the edge of its domain.")
        return told + note_same(column, column.round_to_digits(values))

    def _measure_covariance(self, columns: list[NumberColumn]) -> Floats:
        if self.kind == "independent":
            return np.diag([column.known.var() for column in columns])
        values = np.column_stack([column.values for column in columns])
        complete = values[~np.isnan(values).any(axis=1)]
        if len(complete) < 2:
            what = "has fewer than two rows without a missing value in the columns"
            raise TechniqueError(
                self.name, self.columns[0], what, "Use independent noise, or fewer columns."
            )
        return np.atleast_2d(np.cov(complete, rowvar=False, bias=True))

    def _keep_inside(self, column: NumberColumn, values: Floats) -> tuple[Floats, int]:
        """The new values within the domain of the column, and how many had left it."""
        least, most = self.domain.get(column.name, (None, None))
        low = -np.inf if least is None else least
        high = np.inf if most is None else most
        if column.whole:
            values, low, high = np.rint(values), np.ceil(low), np.floor(high)
        left = int(np.count_nonzero((values < low) | (values > high)))
        if left and self.outside == "refuse":
            told = " and ".join(
                f"{word} {limit:g}"
                for word, limit in (("at least", low), ("at most", high))
                if np.isfinite(limit)
            )
            raise TechniqueError(
                self.name,
                column.name,
                f"would get {left:,} of {len(column.known):,} values that are not {told}",
                "Let them be clipped (outside: clip), or change the values less.",
            )
        return np.clip(values, low, high), left


def _is_domain(limits: object) -> bool:
    if not isinstance(limits, tuple | list) or len(limits) != 2:
        return False
    least, most = limits
    if not all(limit is None or is_number(limit) for limit in limits):
        return False
    return least is None or most is None or least < most


# Perturbation that keeps means, variances and covariances exactly.


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

    Parameters
    ----------
    columns
        The columns of numbers to change.
    similarity
        The correlation of each released column with the private one, from 0 to below 1.

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
    similarity: float = field(default=0.5, metadata=within(0, below=1))

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
        check_range(self, "similarity", is_number)

    def __call__(self, table: Table, seed: int) -> Table:
        """The perturbed table; the input is left as it is."""
        rows = read_rows(table, self.columns)
        columns = [number_column(self.name, rows, column) for column in self.columns]
        values = np.stack([column.values for column in columns])
        draw = make_generator(self.name, seed)
        for same in find_missing_patterns(np.isnan(values).T):
            there = ~np.isnan(values[:, same[0]])
            if not there.any():
                continue
            self._check_rows(len(same), int(there.sum()))
            if len(same) == rows.num_rows:
                values[there] = self._perturb_values(values[there], draw)
                continue
            block = np.ix_(there, same)
            values[block] = self._perturb_values(values[block], draw)
        new = {c.name: c.back(values[i], exact=True) for i, c in enumerate(columns)}
        notices = note_missing_numbers(columns)
        for column, changed in zip(columns, values, strict=True):
            notices += note_same(column, changed)
        return replace_columns(table, rows, new, notices)

    def _check_rows(self, rows: int, columns: int) -> None:
        if rows < 2 * columns + 2:
            what = (
                f"cannot be perturbed: only {rows:,} rows miss the same of the values of "
                f"{', '.join(self.columns)}, and it takes {2 * columns + 2:,}"
            )
            raise TechniqueError(
                self.name, self.columns[0], what, "Name fewer columns, or leave these rows out."
            )

    def _perturb_values(self, values: Floats, draw: np.random.Generator) -> Floats:
        """New numbers for complete rows; a line of the array is a column of the table."""
        mean = values.mean(axis=1, keepdims=True)
        spread = values.std(axis=1, keepdims=True)
        moving = np.ptp(values, axis=1) > 0
        if not moving.any():
            return values
        if (spread <= LEAST * np.abs(mean))[moving].any():
            what = "and the others named have one whose numbers differ too little for their size"
            fix = "Take a number that is in all of it away first."
            raise TechniqueError(self.name, self.columns[0], what, fix)
        data = (values[moving] - mean[moving]) / spread[moving]
        mixed = _draw_unrelated(data, draw)
        mixed *= np.sqrt(1 - self.similarity**2)
        data *= self.similarity
        mixed += data
        mixed -= mixed.mean(axis=1, keepdims=True)
        changed = values.copy()
        changed[moving] = mean[moving] + spread[moving] * mixed
        return changed


def _draw_unrelated(data: Floats, draw: np.random.Generator) -> Floats:
    """Noise with a mean of 0, the covariance of the data, and no correlation with the data."""
    noise = draw.standard_normal(data.shape)
    squares = data @ data.T
    solved = np.linalg.pinv(squares, rcond=1e-12, hermitian=True)
    for _ in range(2):  # once more, for what rounding left
        noise -= noise.mean(axis=1, keepdims=True)
        noise -= (noise @ data.T @ solved) @ data
        noise = np.linalg.inv(np.linalg.cholesky(noise @ noise.T)) @ noise
    return np.asarray(covariance_root(squares) @ noise)


def make_below_zero_error(technique: str, column: str, below: int, of: int) -> TechniqueError:
    """Noise would make numbers negative in a column that has none, and nobody said it may."""
    return TechniqueError(
        technique,
        column,
        f"has no number below zero, and {below:,} of {of:,} would be",
        "Say what it can be: domain: [0, null] with outside: clip; or [null, null] if it may be "
        "negative.",
    )
