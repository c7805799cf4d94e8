"""Outliers to medians: unusual numbers become the usual one."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from discreet.display import dataclass
from discreet.errors import TechniqueError
from discreet.number_range import check_range, within
from discreet.techniques.arrow_rows import check_names, read_rows
from discreet.techniques.number_columns import (
    NumberColumn,
    is_number,
    note_missing_numbers,
    number_column,
    replace_columns,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.table.table import Table
    from discreet.techniques.technique import Protection, Turn


@dataclass(frozen=True)
class OutliersToMedian:
    """Replace numbers far from the others by the median, so that nobody stands out by them.

    An outlier is more than `fence` times the distance between the quartiles below the lower or
    above the upper quartile. The median is a number that is there (of an even count, the lower of
    the two in the middle). A column in which both quartiles are the same is refused: every other
    number would be an outlier. Missing values stay missing. Nothing is random. The released
    numbers of those rows are false, and means and spreads shrink.

    Parameters
    ----------
    columns
        The columns of numbers.
    fence
        How far outside the quartiles an outlier lies, in distances between the quartiles.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"pay": [10, 11, 12, 13, 14, 900]}))
    >>> released = OutliersToMedian(("pay",))(table, seed=0)
    >>> released.scan(native=["pay"]).read_all()["pay"].to_pylist()
    [10, 11, 12, 13, 14, 12]

    Notes
    -----
    [Sweeney2001]_, sec. 4.1, figure 17 (outliers to medians); [Tukey1977]_ for the fences.
    *Departures*: the text leaves open what an outlier is. *Cost*: one pass and three selections a
    column.
    """

    columns: tuple[str, ...]
    fence: float = field(default=1.5, metadata=within(above=0))

    name: ClassVar[str] = "outliers_to_median"
    protection: ClassVar[Protection] = "wrong-map"
    truthful: ClassVar[bool] = False
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = "Every number within the fences stays."
    by_chance: ClassVar[bool] = False
    by_value: ClassVar[bool] = False
    done: ClassVar[str] = "outliers set to the median"

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        check_range(self, "fence", is_number)

    def __call__(self, table: Table, seed: int) -> Table:
        """The changed table; the input is left as it is, and the seed is not used."""
        rows = read_rows(table, self.columns)
        columns = [number_column(self.name, rows, column) for column in self.columns]
        notices = note_missing_numbers(columns)
        new = {}
        for column in columns:
            outside, median = self._find_outliers(column)
            values = np.where(outside, median, column.values)
            new[column.name] = column.back(values, as_found=~outside & (values != median))
            count = np.count_nonzero(outside)
            notices.append(
                f"{self.name}: {count:,} of {len(column.known):,} values of '{column.name}' "
                "became its median."
            )
        return replace_columns(table, rows, new, notices)

    def _find_outliers(self, column: NumberColumn) -> tuple[NDArray[np.bool_], float]:
        low, high = np.quantile(column.known, [0.25, 0.75])
        if low == high:
            what = "has the same lower and upper quartile, so every other number is an outlier"
            raise TechniqueError(self.name, column.name, what, "Use top and bottom coding.")
        with np.errstate(over="ignore"):  # a fence beyond every number leaves no outlier
            reach = self.fence * (high - low)
        outside = (column.values < low - reach) | (column.values > high + reach)
        return outside, float(np.quantile(column.known, 0.5, method="lower"))
