"""Blank cells, or whole columns."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.number_range import check_range, within
from discreet.table.table import Table
from discreet.techniques.arrow_rows import (
    Flags,
    check_names,
    code_rows,
    make_generator,
    make_table,
    mark_present,
    put,
    read_rows,
    take_column,
)
from discreet.techniques.technique import Protection, Turn


@dataclass(frozen=True)
class SuppressValues:
    """Cells are blanked: all of a column, a share of it at random, or its rare values.

    With `rarer_than` only values that fewer rows share are blanked; `share` is then of those
    cells. `drop` leaves the columns out altogether.

    Parameters
    ----------
    columns
        The columns whose cells are blanked.
    share
        The share of the cells to blank, drawn at random; 1 blanks all.
    rarer_than
        Blank only values that fewer rows than this have; ``share`` is then of those cells.
    drop
        Leave the columns out altogether.

    Notes
    -----
    [Sweeney2001]_, sec. 4.1, fig. 17 (suppression) and fig. 19 (its effect, that of encryption);
    attribute and cell suppression of fig. 24. *Departures*: none. Missing cells stay missing and
    cannot be told from blanked ones. Rare values blanked column by column do not make a table
    k-anonymous; the algorithm `suppress` does. *Cost*: one pass a column, the rows in memory.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"job": ["nurse", "nurse", "mayor"], "age": [31, 45, 45]}))
    >>> release = SuppressValues(("job",), rarer_than=2)(table, seed=1)
    >>> release.scan(text=["job"]).read_all().to_pydict()
    {'job': ['nurse', 'nurse', None]}
    """

    name: ClassVar[str] = "suppress_values"
    protection: ClassVar[Protection] = "null-map"
    truthful: ClassVar[bool] = True
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = "Every cell that is not blanked, and the number of rows."

    columns: tuple[str, ...]
    share: float = field(default=1.0, metadata=within(above=0, most=1))
    rarer_than: int | None = field(default=None, metadata=within(2, whole=True))
    drop: bool = False

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        check_range(self, "share")
        if self.rarer_than is not None:
            check_range(self, "rarer_than")
        if not isinstance(self.drop, bool):
            raise ParameterError(self.name, "drop", "true or false")
        if self.drop and (self.share < 1 or self.rarer_than is not None):
            raise ParameterError(self.name, "drop", "used without share and rarer_than")

    @property
    def by_chance(self) -> bool:
        """Which cells of a share are blanked is drawn."""
        return self.share < 1

    @property
    def by_value(self) -> bool:
        """All cells are blanked in any table; rare ones are rare in this one."""
        return self.share == 1 and self.rarer_than is None

    @property
    def done(self) -> str:
        """A description of the change to a column."""
        some = "" if self.share == 1 else "some "
        return (
            f"{some}rare values blanked" if self.rarer_than else f"{some or 'all '}values blanked"
        )

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with the cells blanked."""
        rng = make_generator(self.name, seed)
        rows = read_rows(table, self.columns)
        if self.drop:
            if len(self.columns) == len(table.columns):
                raise ParameterError(self.name, "columns", "fewer than all columns of the table")
            return make_table(table, rows.drop_columns(list(self.columns)))
        notices = []
        for column in self.columns:
            found = take_column(rows, column)
            blank = self._choose_cells(rows, column, mark_present(found), rng)
            kept = pc.if_else(pa.array(blank), pa.scalar(None, found.type), found)
            rows = put(rows, column, kept)
            notices.append(f"{self.name}: {int(blank.sum())} cells of column '{column}' blanked.")
        return make_table(table, rows, notices)

    def _choose_cells(
        self, rows: pa.Table, column: str, filled: Flags, rng: np.random.Generator
    ) -> Flags:
        able = filled
        if self.rarer_than is not None:
            codes = code_rows(rows, [column])
            able = filled & (np.bincount(codes)[codes] < self.rarer_than)
        places = np.flatnonzero(able)
        if self.share < 1:
            places = rng.permutation(places)[: round(self.share * len(places))]
        blank = np.zeros(len(filled), dtype=np.bool_)
        blank[places] = True
        return blank
