"""Swap values between rows: single columns, or the quasi-identifier as a unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.table.table import Table
from discreet.techniques.arrow_rows import (
    Ints,
    check_apart,
    check_names,
    check_share,
    codes_of,
    column_of,
    generator,
    missing_notice,
    present,
    put,
    rows_of,
    table_of,
)
from discreet.techniques.pairing import exchanged
from discreet.techniques.technique import Protection, Turn


@dataclass(frozen=True)
class Swap:
    """Rows exchange values in pairs, so that what a row says of a person is another person's.

    As a `unit`, all `columns` of a row move together: give the quasi-identifier. Otherwise each
    column is swapped on its own. `share` is the share of pairs that exchange; rows exchange only
    with rows that agree on the columns `within`.

    Notes
    -----
    [Sweeney2001]_, sec. 4.1 and fig. 20. *Departures*: an odd row joins a pair, and the three pass
    values on in a circle. A row with no value in the unit is left as it is; a single missing cell
    moves with its unit. Partners are drawn at random and may hold equal values, so wrong-map
    protection is worked towards, not proven. The recipient must be told, as a swapped row says
    something wrong of a real person. *Cost*: one sort of the rows a unit; the rows in memory.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"zip": ["02138", "02139"], "sex": ["F", "M"], "ill": ["a", "b"]}))
    >>> release = Swap(("zip", "sex"))(table, seed=1)
    >>> release.scan(text=release.columns).read_all().to_pydict()
    {'zip': ['02139', '02138'], 'sex': ['M', 'F'], 'ill': ['a', 'b']}
    """

    name: ClassVar[str] = "swap"
    protection: ClassVar[Protection] = "wrong-map"
    truthful: ClassVar[bool] = False
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = (
        "The counts of every value, in the table and in each stratum; of a unit also the counts of "
        "its combinations."
    )
    by_chance: ClassVar[bool] = True
    by_value: ClassVar[bool] = False
    done: ClassVar[str] = "swapped between rows"

    columns: tuple[str, ...]
    share: float = 1.0
    within: tuple[str, ...] = ()
    unit: bool = True

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        check_names(self.name, "within", self.within, empty=True)
        check_apart(self.name, self.columns, "within", self.within)
        check_share(self.name, "share", self.share)
        if not isinstance(self.unit, bool):
            raise ParameterError(self.name, "unit", "true or false")

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with values exchanged."""
        rng = generator(self.name, seed)
        rows = rows_of(table, (*self.columns, *self.within))
        strata = codes_of(rows, self.within)
        units = [self.columns] if self.unit else [(column,) for column in self.columns]
        notices: list[str] = []
        for unit in units:
            able = np.logical_or.reduce([present(column_of(rows, column)) for column in unit])
            places = np.flatnonzero(able)
            source = np.arange(rows.num_rows)
            source[places] = places[exchanged(strata[places], self.share, rng)]
            rows = _taken(rows, unit, pa.array(source))
            notices += missing_notice(self.name, "', '".join(unit), int((~able).sum()))
            notices += self._unmoved(
                strata[places], int(np.count_nonzero(source[places] != places))
            )
        return table_of(table, rows, list(dict.fromkeys(notices)))

    def _unmoved(self, strata: Ints, moved: int) -> list[str]:
        """Rows without a partner are often those that stand out, so that they are told of."""
        told = []
        alone = int(np.count_nonzero(np.bincount(strata) == 1)) if len(strata) else 0
        if alone and self.within:
            rows = "1 row is" if alone == 1 else f"{alone:,} rows are"
            told.append(f"{self.name}: {rows} alone in a stratum and not swapped.")
        if not moved:
            told.append(f"{self.name}: nothing was swapped, as there are too few pairs.")
        return told


def _taken(rows: pa.Table, columns: Sequence[str], source: pa.Array) -> pa.Table:
    for column in columns:
        rows = put(rows, column, column_of(rows, column).take(source))
    return rows
