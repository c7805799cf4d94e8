"""Microaggregation: small groups of near rows take the mean of their group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import ParameterError, TechniqueColumnError
from discreet.techniques.arrow_rows import check_names, rows_of
from discreet.techniques.group_rows import group_rows
from discreet.techniques.label_column import LabelColumn, label_column
from discreet.techniques.number_columns import (
    NumberColumn,
    missing_notices,
    missing_patterns,
    number_column,
    with_columns,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.table.table import Table
    from discreet.techniques.number_columns import Floats
    from discreet.techniques.technique import Protection, Turn


@dataclass(frozen=True)
class Microaggregate:
    """Put near rows into groups of at least `k`, and give all rows of a group the same values.

    Numbers become the mean of the group, the columns named in `categories` its most frequent
    value. In the columns together every released row is then like at least k - 1 others. `size`
    is `variable` (groups of k to 2k - 1 rows, as the data lie) or `fixed` (k rows, and up to
    2k - 1 in the last group of a block). One column of numbers of variable size has the least
    squared error there is, unless rows times 2k are more than a billion; then it is as fixed.

    Rows are grouped with those that miss the same values, and these stay missing (null); a
    pattern of missing values that fewer than k rows have is refused. Columns of numbers become
    float64 (text stays text). A notice of the table gives the number of groups and the loss: the
    squared error over the total sum of squares, columns weighed alike; in a category, the share of
    changed values. Nothing is random.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"pay": [1, 2, 3, 10, 11, 12, 13]}))
    >>> Microaggregate(("pay",), k=3)(table, seed=0).scan(native=["pay"]).read_all().to_pydict()
    {'pay': [2.0, 2.0, 2.0, 11.5, 11.5, 11.5, 11.5]}

    Notes
    -----
    [HansenMukherjee2003]_ for one column; [DomingoFerrerMateoSanz2002]_ (MDAV) for several, with
    [SolanasMartinez2006]_ for variable size. *Departures*: with several columns the rows are first
    split into blocks of near rows, and MDAV works within a block, so the work does not grow with
    the square of the rows; groups at the edges of blocks are wider for it. Up to some thousand rows
    (the square root of ten million times k) are one block. A group
    grows by rows nearer to its middle than to any other row, with no parameter to set.
    Categories: a difference counts as one standard deviation. *Cost*: a sort, then
    rows times 2k for one column; rows times a few hundred distances for several.
    """

    columns: tuple[str, ...]
    k: int
    size: Literal["variable", "fixed"] = "variable"
    categories: tuple[str, ...] = ()

    name: ClassVar[str] = "microaggregate"
    protection: ClassVar[Protection] = "k-map"
    truthful: ClassVar[bool] = True
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = "Means of the columns of numbers stay, and most of their covariances."
    by_chance: ClassVar[bool] = False
    by_value: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        if not isinstance(self.k, int) or isinstance(self.k, bool) or self.k < 2:
            raise ParameterError(self.name, "k", "a whole number of at least 2")
        if self.size not in ("variable", "fixed"):
            raise ParameterError(self.name, "size", "variable or fixed")
        known = isinstance(self.categories, tuple) and all(
            name in self.columns for name in self.categories
        )
        if not known:
            raise ParameterError(self.name, "categories", "a tuple of some of the columns")

    @property
    def done(self) -> str:
        """What becomes of a column."""
        return f"averaged over {self.k:,} or more near rows"

    def __call__(self, table: Table, seed: int) -> Table:
        """The grouped table; the input is left as it is, and the seed is not used."""
        rows = rows_of(table, self.columns)
        numbers = [
            number_column(self.name, rows, c) for c in self.columns if c not in self.categories
        ]
        labels = [label_column(rows, c) for c in self.columns if c in self.categories]
        groups = self._groups([*numbers, *labels], len(numbers))
        new: dict[str, pa.Array] = {}
        losses = []
        for column in numbers:
            values = group_means(column.values, groups)
            losses.append(_lost(column, values))
            new[column.name] = column.back(values, exact=True)
        for label in labels:
            new[label.name], lost = label.modes(groups)
            losses.append(lost)
        told = self._told(groups, float(np.mean(losses)))
        return with_columns(table, rows, new, [*missing_notices(numbers), told])

    def _groups(
        self, columns: Sequence[NumberColumn | LabelColumn], numbers: int
    ) -> NDArray[np.int64]:
        """The number of the group of each row; rows that miss the same values go together."""
        missing = np.column_stack([column.missing for column in columns])
        groups = np.zeros(len(missing), np.int64)
        met = 0
        for same in missing_patterns(missing):
            there = np.flatnonzero(~missing[same[0]])
            if len(same) < self.k:
                raise self._too_few(len(same))
            points = [_standard(columns[i].values[same]) for i in there if i < numbers]
            labels = [columns[i].values[same] for i in there if i >= numbers]
            if len(there):
                part = group_rows(points, labels, self.k, self.size == "variable")
            else:
                part = np.zeros(len(same), np.int64)
            groups[same] = part + met
            met += int(part.max()) + 1
        return groups

    def _too_few(self, rows: int) -> TechniqueColumnError:
        what = (
            f"and the others named have a pattern of missing values that only {rows:,} rows have, "
            f"fewer than k = {self.k}"
        )
        return TechniqueColumnError(
            self.name, self.columns[0], what, "Leave these rows out, or name fewer columns."
        )

    def _told(self, groups: NDArray[np.int64], loss: float) -> str:
        sizes = np.bincount(groups)
        return (
            f"{self.name}: {len(sizes):,} groups of {sizes.min():,} to {sizes.max():,} rows; "
            f"information loss (SSE/SST) {loss:.4g}."
        )


def group_means(values: Floats, groups: NDArray[np.int64]) -> Floats:
    """The mean of its group for each row."""
    return np.asarray((np.bincount(groups, weights=values) / np.bincount(groups))[groups])


def _standard(values: NDArray[Any]) -> Floats:
    spread = float(values.std())
    return np.asarray((values - values.mean()) / (spread or 1.0))


def _lost(column: NumberColumn, values: Floats) -> float:
    there = ~column.missing
    total = float(((column.known - column.known.mean()) ** 2).sum())
    return float(((column.known - values[there]) ** 2).sum()) / total if total else 0.0
