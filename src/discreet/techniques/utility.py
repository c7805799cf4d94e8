"""The utility of a table after a technique."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, field, replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.table.table import Table
from discreet.techniques.arrow_rows import Floats, Ints, read_rows, take_column
from discreet.techniques.number_columns import read_ordered_numbers

# The values of a column in at most about a hundred bins, fixed before anything is changed.


MOST = 100
CUTS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
"""Tenths, finer at the ends: top coding changes nothing else."""
MISSING, NEW, RARE, FIRST = 0, 1, 2, 3


@dataclass(frozen=True, eq=False)
class Bins:
    """How one column is binned: numbers and dates by quantiles, others by name.

    The bins come from the column as it was. Bin 0 is for missing cells, 1 for values that were not
    there before, 2 for all but the 100 most frequent values.

    >>> column = pa.array(["a", "b", "a"])
    >>> Bins.of(column).codes(pa.array(["b", None, "c", "a"])).tolist()
    [4, 0, 1, 3]
    """

    edges: Floats | None = field(repr=False)
    names: pa.Array = field(repr=False)
    known: pa.Array = field(repr=False)

    @classmethod
    def of(cls, column: pa.Array) -> Bins:
        """The bins of a column."""
        numbers = read_ordered_numbers(column)
        if numbers is not None and np.isfinite(numbers).any():
            filled = numbers[np.isfinite(numbers)]
            edges = np.unique(np.quantile(filled, CUTS, method="lower"))
            return cls(edges, pa.array([], pa.string()), pa.array([], pa.string()))
        counts = column.drop_null().cast(pa.string()).value_counts()
        values, frequency = counts.field("values"), counts.field("counts")
        most = np.argsort(-frequency.to_numpy(), kind="stable")[:MOST]
        return cls(None, values.take(pa.array(most)), values)

    @property
    def count(self) -> int:
        """How many bins there are."""
        return FIRST + (len(self.names) if self.edges is None else len(self.edges) + 1)

    def codes(self, column: pa.Array) -> Ints:
        """The bin of each cell."""
        if self.edges is None:
            texts = column.cast(pa.string())
            places = pc.index_in(texts, value_set=self.names).fill_null(-1)
            found = places.to_numpy(zero_copy_only=False).astype(np.int64) + FIRST
            known = pc.is_in(texts, value_set=self.known).to_numpy(zero_copy_only=False)
            found[found < FIRST] = np.where(known[found < FIRST], RARE, NEW)
        else:
            numbers = read_ordered_numbers(column)
            if numbers is None:
                found = np.full(len(column), NEW, dtype=np.int64)
            else:
                found = np.searchsorted(self.edges, numbers, side="right") + FIRST
        found[column.is_null().to_numpy(zero_copy_only=False)] = MISSING
        return np.asarray(found, dtype=np.int64)


def total_variation(before: Ints, after: Ints) -> float:
    """Half the sum of the differences of two sets of shares: 0 the same, 1 nothing in common."""
    rows, others = max(int(before.sum()), 1), max(int(after.sum()), 1)
    return int(np.abs(before * others - after * rows).sum()) / (2 * rows * others)


def divergence(before: Ints, after: Ints) -> float:
    """Jensen-Shannon divergence in bits: 0 the same, 1 nothing in common.

    >>> divergence(np.array([1, 1]), np.array([2, 2]))
    0.0
    >>> divergence(np.array([1, 0]), np.array([0, 1]))
    1.0
    """
    first, second = _measure_shares(before), _measure_shares(after)
    mean = (first + second) / 2
    bits = _compute_entropy(mean) - (_compute_entropy(first) + _compute_entropy(second)) / 2
    return min(1.0, max(0.0, bits))


def _measure_shares(counts: Ints) -> Floats:
    return np.asarray(counts / max(int(counts.sum()), 1), dtype=np.float64)


def _compute_entropy(shares: Floats) -> float:
    some = shares[shares > 0]
    return float(-(some * np.log2(some)).sum())


# One column as two tables are compared in it: in bins, and as numbers where it has an order.


@dataclass(frozen=True, eq=False)
class ColumnView:
    """The cells of a column with the bin of each, and the number of each (None: no order)."""

    cells: pa.Array
    bins: Bins
    codes: Ints
    numbers: Floats | None

    @classmethod
    def of(cls, cells: pa.Array, bins: Bins | None = None) -> ColumnView:
        """In bins of its own, or in those of the column before it was changed."""
        bins = bins or Bins.of(cells)
        return cls(cells, bins, bins.codes(cells), read_ordered_numbers(cells))

    @property
    def missing(self) -> float:
        """The share of missing cells."""
        return float(self.cells.null_count / len(self.cells))

    @property
    def counts(self) -> Ints:
        """How many cells each bin has."""
        return np.bincount(self.codes, minlength=self.bins.count)

    @property
    def filled(self) -> Floats:
        """The numbers that are present."""
        return np.empty(0) if self.numbers is None else self.numbers[np.isfinite(self.numbers)]

    def beside(self, other: ColumnView) -> Ints:
        """How many rows each pair of bins has: the contingency table of two columns."""
        codes = self.codes * other.bins.count + other.codes
        return np.bincount(codes, minlength=self.bins.count * other.bins.count)


def view_columns(rows: pa.Table, names: Sequence[str]) -> dict[str, ColumnView]:
    """Columns in bins of their own."""
    return {name: ColumnView.of(take_column(rows, name)) for name in names}


def view_columns_after(rows: pa.Table, before: Mapping[str, ColumnView]) -> dict[str, ColumnView]:
    """The same columns after a change, in the bins of before; one that is gone is all missing."""
    found = {}
    for name, view in before.items():
        there = name in rows.column_names
        cells = take_column(rows, name) if there else pa.nulls(rows.num_rows, view.cells.type)
        found[name] = ColumnView.of(cells, view.bins)
    return found


# A column of numbers before and after a change: moments, quantiles, error, correlation.


QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FEWEST = 10
"""Values a column must have for its moments to be stated: of fewer they would tell values."""


@dataclass(frozen=True)
class Moments:
    """Mean, standard deviation and skewness of a column; dates in days since 1970."""

    mean: float
    deviation: float
    skewness: float


def measure_moments(view: ColumnView) -> Moments | None:
    """The moments of a column; None if there are too few numbers."""
    filled = view.filled
    if len(filled) < FEWEST:
        return None
    mean, deviation = float(filled.mean()), float(filled.std())
    skewness = float((((filled - mean) / deviation) ** 3).mean()) if deviation else 0.0
    return Moments(mean, deviation, skewness)


def measure_quantile_shifts(before: ColumnView, after: ColumnView) -> dict[float, float] | None:
    """How far quantiles moved, in standard deviations of before."""
    old, new = before.filled, after.filled
    if len(old) < FEWEST or len(new) < FEWEST or not old.std():
        return None
    shift = (np.quantile(new, QUANTILES) - np.quantile(old, QUANTILES)) / old.std()
    return dict(zip(QUANTILES, shift.tolist(), strict=True))


def measure_changed(before: ColumnView, after: ColumnView) -> float:
    """The share of cells that differ, row by row; a blank differs from a value."""
    if before.numbers is not None and after.numbers is not None:
        old, new = before.numbers, after.numbers
        return float(np.mean((old != new) & ~(np.isnan(old) & np.isnan(new))))
    texts, others = before.cells.cast(pa.string()), after.cells.cast(pa.string())
    both = pc.fill_null(pc.equal(texts, others), False)
    neither = pc.and_(texts.is_null(), others.is_null())
    return 1 - float(pc.mean(pc.or_(both, neither)).as_py())


def measure_squared_error(before: ColumnView, after: ColumnView) -> float | None:
    """SSE/SST over the rows that have a number on both sides; None where they are too few."""
    if before.numbers is None or after.numbers is None:
        return None
    there = np.isfinite(before.numbers) & np.isfinite(after.numbers)
    old, new = before.numbers[there], after.numbers[there]
    if len(old) < FEWEST or not old.std():
        return None
    return float(np.mean((old - new) ** 2) / old.var())


def measure_correlation(one: ColumnView, two: ColumnView) -> float | None:
    """Of two columns of numbers that vary; None of others."""
    if one.numbers is None or two.numbers is None:
        return None
    both = np.isfinite(one.numbers) & np.isfinite(two.numbers)
    x, y = one.numbers[both], two.numbers[both]
    if len(x) < FEWEST or not x.std() or not y.std():
        return None
    return float(((x - x.mean()) * (y - y.mean())).mean() / (x.std() * y.std()))


MOST_PAIRS = 300
"""With more pairs of columns than this no pair is compared: it would take longer than the rest."""


@dataclass(frozen=True)
class ColumnUtility:
    """One column before and after. `quantiles` are shifts, in standard deviations of before.

    `changed` is the share of cells that differ and `loss` the squared error over the total sum of
    squares (SSE/SST): 0 is nothing lost, 1 is as if every number were the mean. Both are None
    where rows cannot be laid beside each other, since some were left out or moved. Where fewer than
    ten cells were changed or rows left out, `before`, `after`, `quantiles` and `loss` are None:
    with the release they would tell those cells.
    """

    column: str
    missing_before: float
    missing_after: float
    total_variation: float
    divergence: float
    before: Moments | None
    after: Moments | None
    quantiles: dict[float, float] | None
    changed: float | None
    loss: float | None


@dataclass(frozen=True)
class PairUtility:
    """Two columns before and after: their contingency table and, of numbers, the correlation.

    Where the moments of one of the columns are withheld, so are the correlations.
    """

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
    few: frozenset[str] = frozenset()
    """Columns of which fewer than ten cells differ."""

    def withhold_columns(self, names: Set[str]) -> Utility:
        """The same without the numbers about these columns that would tell single cells."""
        columns = [
            _withhold_figures(part) if part.column in names else part for part in self.columns
        ]
        pairs = [
            replace(part, correlation_before=None, correlation_after=None)
            if names & set(part.columns)
            else part
            for part in self.pairs
        ]
        return replace(self, columns=tuple(columns), pairs=tuple(pairs))

    @property
    def distortion(self) -> float:
        """From 0 (every count is as it was) to 1; of the columns where no pair was compared."""
        return float(np.mean([part.divergence for part in self.pairs or self.columns]))

    def facts(self) -> dict[str, Any]:
        """Plain data for JSON; no cell of a table is in it."""
        return {
            "rows_before": self.rows_before,
            "rows_after": self.rows_after,
            "distortion": self.distortion,
            "columns": [
                {**asdict(part), "quantiles": part.quantiles and _label_quantiles(part.quantiles)}
                for part in self.columns
            ],
            "pairs": [{**asdict(part), "columns": list(part.columns)} for part in self.pairs],
        }


def report_utility(
    before: Table, after: Table, columns: Sequence[str] = (), same_rows: bool = False
) -> Utility:
    """How much of each column and each pair of columns of `before` was kept; see `Utility`.

    With `columns`, only of these and of their pairs with any column. A column that `after` lacks
    counts as all missing. The tables may have different numbers of rows in any order: shares are
    compared, not rows, unless you say that they are the `same_rows` in the same order.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"sex": ["F", "M"], "ill": ["a", "b"]}))
    >>> blanked = read(pa.table({"sex": ["F", "M"], "ill": pa.array([None, None], pa.string())}))
    >>> report = report_utility(table, blanked, same_rows=True)
    >>> [(column.total_variation, column.changed) for column in report.columns]
    [(0.0, 0.0), (1.0, 1.0)]

    Notes
    -----
    [Sweeney2001]_, sec. 4.1 (a technique limits use) and fig. 24; [DomingoFerrerMateoSanz2002]_ for
    SSE/SST. *Departures*: numbers are
    compared in tenths, finer at the ends, and only the 100 most frequent other values by name, so
    that a sample of a column of names does not look like another column. Quantiles are given as
    shifts, since a quantile is a value of the private table. More than 300 pairs are not compared.
    *Cost*: both tables in memory, one pass a column and a pair.
    """
    old, new = read_rows(before, columns), read_rows(after)
    if same_rows and old.num_rows != new.num_rows:
        raise ParameterError("report_utility", "after", "a table with as many rows as 'before'")
    first = view_columns(old, old.column_names)
    return compare_utility(
        first, view_columns_after(new, first), tuple(columns) or tuple(first), same_rows
    )


def compare_utility(
    before: Mapping[str, ColumnView],
    after: Mapping[str, ColumnView],
    columns: Sequence[str],
    same_rows: bool,
    unchanged: dict[str, ColumnUtility] | None = None,
) -> Utility:
    """As `report_utility`, of columns looked at before.

    ``unchanged`` keeps what was found of columns that are the same after as before, for the next
    comparison with the same table and the same ``same_rows``.
    """
    unchanged = {} if unchanged is None else unchanged
    asked = set(columns)
    pairs = []
    if count_pairs(len(before), len(asked)) <= MOST_PAIRS:
        pairs = [pair for pair in combinations(before, 2) if asked & set(pair)]
    first = next(iter(asked))
    few = frozenset(
        name for name in columns if _differ_in_few(before[name], after[name], same_rows)
    )
    found = Utility(
        len(before[first].cells),
        len(after[first].cells),
        tuple(
            _measure_column(name, before[name], after[name], same_rows, unchanged)
            for name in columns
        ),
        tuple(_measure_pair(pair, before, after) for pair in pairs),
        few,
    )
    return found.withhold_columns(few)


def count_pairs(columns: int, asked: int) -> int:
    """Pairs of columns of which at least one was asked for."""
    return comb(columns, 2) - comb(columns - asked, 2)


def _withhold_figures(part: ColumnUtility) -> ColumnUtility:
    return replace(part, before=None, after=None, quantiles=None, loss=None)


def _differ_in_few(old: ColumnView, new: ColumnView, same_rows: bool) -> bool:
    """Whether so few cells differ that a number of all of before tells what they were."""
    if same_rows:
        return 0 < round(measure_changed(old, new) * len(old.cells)) < FEWEST
    return 0 < abs(len(old.cells) - len(new.cells)) < FEWEST


def _measure_column(
    name: str,
    old: ColumnView,
    new: ColumnView,
    same_rows: bool,
    unchanged: dict[str, ColumnUtility],
) -> ColumnUtility:
    if old is new:
        if name not in unchanged:
            unchanged[name] = _measure_unchanged(name, old, same_rows)
        return unchanged[name]
    return ColumnUtility(
        name,
        old.missing,
        new.missing,
        total_variation(old.counts, new.counts),
        divergence(old.counts, new.counts),
        measure_moments(old),
        measure_moments(new),
        measure_quantile_shifts(old, new),
        measure_changed(old, new) if same_rows else None,
        measure_squared_error(old, new) if same_rows else None,
    )


def _measure_unchanged(name: str, view: ColumnView, same_rows: bool) -> ColumnUtility:
    """What `_column` finds of a column that is the same: most are, where one is rounded."""
    own, none = measure_moments(view), 0.0 if same_rows else None
    shifts = measure_quantile_shifts(view, view)
    loss = measure_squared_error(view, view) if same_rows else None
    return ColumnUtility(name, view.missing, view.missing, 0.0, 0.0, own, own, shifts, none, loss)


def _measure_pair(
    names: tuple[str, str], before: Mapping[str, ColumnView], after: Mapping[str, ColumnView]
) -> PairUtility:
    one, two = names
    related = measure_correlation(before[one], before[two])
    if before[one] is after[one] and before[two] is after[two]:
        return PairUtility(names, 0.0, 0.0, related, related)
    old, new = before[one].beside(before[two]), after[one].beside(after[two])
    return PairUtility(
        names,
        total_variation(old, new),
        divergence(old, new),
        related,
        measure_correlation(after[one], after[two]),
    )


def _label_quantiles(quantiles: dict[float, float]) -> dict[str, float]:
    return {f"{share:g}": shift for share, shift in quantiles.items()}
