"""Rounding: numbers become multiples of a base."""

from __future__ import annotations

from dataclasses import field
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from discreet.display import dataclass
from discreet.errors import ParameterError, TechniqueError
from discreet.number_range import check_range, within
from discreet.techniques.arrow_rows import check_names, make_generator, read_rows
from discreet.techniques.number_columns import (
    LARGEST,
    NumberColumn,
    is_number,
    note_missing_numbers,
    number_column,
    replace_columns,
)

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from discreet.table.table import Table
    from discreet.techniques.number_columns import Floats
    from discreet.techniques.technique import Protection, Turn

NEAR = 1e-9
ULPS = 4 * float(np.finfo(np.float64).eps)
"""How far a multiple can be from one after a division: for large numbers, relative to these."""


@dataclass(frozen=True)
class RoundValues:
    """Round to multiples of `base`, so that near numbers become the same.

    `plain` takes the nearest multiple (a half goes to the even one). `random` goes up or down by
    chance, the nearer the likelier, so that every number is right on average. `controlled` goes
    up or down so that the total of the column is the multiple nearest to the true total, and the
    total of each group of rows alike in the columns `within` is off by no more than `base`. In
    random and controlled rounding a number moves by less than `base`, and multiples stay.

    Missing values stay missing, and count for nothing in totals.

    Parameters
    ----------
    columns
        The columns of numbers to round.
    base
        Numbers are rounded to multiples of this.
    how
        ``plain`` takes the nearest multiple, ``random`` goes up or down by chance, ``controlled``
        keeps totals.
    within
        Columns by which rows are grouped; ``controlled`` keeps the total of each group.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"visits": [1, 1, 1, 1, 1]}))
    >>> rounded = RoundValues(("visits",), base=5, how="controlled")(table, seed=1)
    >>> sorted(rounded.scan(native=["visits"]).read_all()["visits"].to_pylist())
    [0, 0, 0, 0, 5]

    Notes
    -----
    [Sweeney2001]_, sec. 4.1, figure 17 (rounding); [Cox1987]_ for controlled rounding.
    *Departures*: controlled rounding is of one list of numbers with one set of groups, not of a
    table with margins both ways; the running total is rounded, along the rows in random order.
    *Cost*: one pass, and a sort for `within`.
    """

    columns: tuple[str, ...]
    base: float = field(metadata=within(above=0))
    how: Literal["plain", "random", "controlled"] = "plain"
    within: tuple[str, ...] = ()

    name: ClassVar[str] = "round_values"
    protection: ClassVar[Protection] = "k-map"
    truthful: ClassVar[bool] = True
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = (
        "Every number stays within the base; random rounding keeps means on average, controlled "
        "rounding keeps totals within half a base."
    )

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        check_range(self, "base", is_number)
        if self.how not in ("plain", "random", "controlled"):
            raise ParameterError(self.name, "how", "plain, random or controlled")
        check_names(self.name, "within", self.within, empty=True)
        if self.within and (self.how != "controlled" or set(self.within) & set(self.columns)):
            wanted = "other columns than those that are rounded, and how: controlled"
            raise ParameterError(self.name, "within", wanted)

    @property
    def by_chance(self) -> bool:
        """Plain rounding draws nothing."""
        return self.how != "plain"

    @property
    def by_value(self) -> bool:
        """Plain rounding gives equal numbers equal ones, in any table."""
        return self.how == "plain"

    @property
    def done(self) -> str:
        """A description of the change to a column."""
        how = "" if self.how == "plain" else f" ({self.how})"
        return f"rounded to multiples of {self.base:g}{how}"

    def __call__(self, table: Table, seed: int) -> Table:
        """The rounded table; the input is left as it is."""
        rows = read_rows(table, (*self.columns, *self.within))
        columns = [number_column(self.name, rows, column) for column in self.columns]
        draw = make_generator(self.name, seed)
        order = self._order(rows, draw) if self.how == "controlled" else None
        new = {}
        for column in columns:
            self._check_base(column)
            multiples = self._choose_multiples(column.values / self.base, draw, order)
            new[column.name] = column.back(np.round(multiples * self.base, self._digits))
        return replace_columns(table, rows, new, note_missing_numbers(columns))

    @property
    def _digits(self) -> int:
        """Digits of the base after the point, so that 3 times 0.1 is 0.3."""
        exponent = Decimal(repr(float(self.base))).normalize().as_tuple().exponent
        return max(0, -int(exponent))

    def _check_base(self, column: NumberColumn) -> None:
        if column.whole and self.base != round(self.base):
            what = "holds whole numbers, and the base is not whole"
            raise TechniqueError(self.name, column.name, what, "Give a whole base.")
        if np.abs(column.known).max() > LARGEST * float(self.base):
            what = "has numbers so large that floating-point numbers cannot tell its multiples"
            raise TechniqueError(self.name, column.name, what, "Give a larger base.")

    def _choose_multiples(
        self, quotients: Floats, draw: np.random.Generator, order: NDArray[np.intp] | None
    ) -> Floats:
        nearest = np.rint(quotients)
        if self.how == "plain":
            return nearest
        low = np.floor(quotients)
        exact = np.abs(quotients - nearest) <= np.maximum(NEAR, ULPS * np.abs(quotients))
        share = np.nan_to_num(np.where(exact, 0.0, quotients - low))
        if order is None:
            up = draw.random(len(share)) < share
        else:
            up = np.empty(len(share), bool)
            running = np.floor(np.cumsum(share[order]) + 0.5)
            up[order] = np.diff(running, prepend=0.0) > 0
        return np.where(exact, nearest, low + up)

    def _order(self, rows: pa.Table, draw: np.random.Generator) -> NDArray[np.intp]:
        """The rows in random order, those of a group together."""
        order = draw.permutation(rows.num_rows)
        for column in reversed(self.within):
            coded = rows[column].combine_chunks().dictionary_encode(null_encoding="encode")
            codes = coded.indices.to_numpy(zero_copy_only=False)
            order = order[np.argsort(codes[order], kind="stable")]
        return order
