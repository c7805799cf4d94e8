"""What a table can still be used for after a technique."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.table.table import Table
from discreet.techniques.arrow_rows import rows_of
from discreet.techniques.bins import divergence, total_variation
from discreet.techniques.column_view import ColumnView, views, views_after
from discreet.techniques.numbers_compared import (
    FEWEST,
    Moments,
    changed,
    correlation,
    moments,
    quantile_shifts,
    squared_error,
)

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

    def without(self, names: Set[str]) -> Utility:
        """The same without the numbers about these columns that would tell single cells."""
        columns = [_withheld(part) if part.column in names else part for part in self.columns]
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
                {**asdict(part), "quantiles": part.quantiles and _texts(part.quantiles)}
                for part in self.columns
            ],
            "pairs": [{**asdict(part), "columns": list(part.columns)} for part in self.pairs],
        }


def utility_report(
    before: Table, after: Table, columns: Sequence[str] = (), same_rows: bool = False
) -> Utility:
    """What was kept of each column and each pair of columns of `before`; see `Utility`.

    With `columns`, only of these and of their pairs with any column. A column that `after` lacks
    counts as all missing. The tables may have different numbers of rows in any order: shares are
    compared, not rows, unless you say that they are the `same_rows` in the same order.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"sex": ["F", "M"], "ill": ["a", "b"]}))
    >>> blanked = read(pa.table({"sex": ["F", "M"], "ill": pa.array([None, None], pa.string())}))
    >>> report = utility_report(table, blanked, same_rows=True)
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
    old, new = rows_of(before, columns), rows_of(after)
    if same_rows and old.num_rows != new.num_rows:
        raise ParameterError("utility_report", "after", "a table with as many rows as 'before'")
    first = views(old, old.column_names)
    return compared(first, views_after(new, first), tuple(columns) or tuple(first), same_rows)


def compared(
    before: Mapping[str, ColumnView],
    after: Mapping[str, ColumnView],
    columns: Sequence[str],
    same_rows: bool,
    unchanged: dict[str, ColumnUtility] | None = None,
) -> Utility:
    """As `utility_report`, of columns looked at before.

    ``unchanged`` keeps what was found of columns that are the same after as before, for the next
    comparison with the same table and the same ``same_rows``.
    """
    unchanged = {} if unchanged is None else unchanged
    asked = set(columns)
    pairs = []
    if count_pairs(len(before), len(asked)) <= MOST_PAIRS:
        pairs = [pair for pair in combinations(before, 2) if asked & set(pair)]
    first = next(iter(asked))
    few = frozenset(name for name in columns if _few(before[name], after[name], same_rows))
    found = Utility(
        len(before[first].cells),
        len(after[first].cells),
        tuple(_column(name, before[name], after[name], same_rows, unchanged) for name in columns),
        tuple(_pair(pair, before, after) for pair in pairs),
        few,
    )
    return found.without(few)


def count_pairs(columns: int, asked: int) -> int:
    """Pairs of columns of which at least one was asked for."""
    return comb(columns, 2) - comb(columns - asked, 2)


def _withheld(part: ColumnUtility) -> ColumnUtility:
    return replace(part, before=None, after=None, quantiles=None, loss=None)


def _few(old: ColumnView, new: ColumnView, same_rows: bool) -> bool:
    """Whether so few cells differ that a number of all of before tells what they were."""
    if same_rows:
        return 0 < round(changed(old, new) * len(old.cells)) < FEWEST
    return 0 < abs(len(old.cells) - len(new.cells)) < FEWEST


def _column(
    name: str,
    old: ColumnView,
    new: ColumnView,
    same_rows: bool,
    unchanged: dict[str, ColumnUtility],
) -> ColumnUtility:
    if old is new:
        if name not in unchanged:
            unchanged[name] = _unchanged(name, old, same_rows)
        return unchanged[name]
    return ColumnUtility(
        name,
        old.missing,
        new.missing,
        total_variation(old.counts, new.counts),
        divergence(old.counts, new.counts),
        moments(old),
        moments(new),
        quantile_shifts(old, new),
        changed(old, new) if same_rows else None,
        squared_error(old, new) if same_rows else None,
    )


def _unchanged(name: str, view: ColumnView, same_rows: bool) -> ColumnUtility:
    """What `_column` finds of a column that is the same: most are, where one is rounded."""
    own, none = moments(view), 0.0 if same_rows else None
    shifts = quantile_shifts(view, view)
    loss = squared_error(view, view) if same_rows else None
    return ColumnUtility(name, view.missing, view.missing, 0.0, 0.0, own, own, shifts, none, loss)


def _pair(
    names: tuple[str, str], before: Mapping[str, ColumnView], after: Mapping[str, ColumnView]
) -> PairUtility:
    one, two = names
    related = correlation(before[one], before[two])
    if before[one] is after[one] and before[two] is after[two]:
        return PairUtility(names, 0.0, 0.0, related, related)
    old, new = before[one].beside(before[two]), after[one].beside(after[two])
    return PairUtility(
        names,
        total_variation(old, new),
        divergence(old, new),
        related,
        correlation(after[one], after[two]),
    )


def _texts(quantiles: dict[float, float]) -> dict[str, float]:
    return {f"{share:g}": shift for share, shift in quantiles.items()}
