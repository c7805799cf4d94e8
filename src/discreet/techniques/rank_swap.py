"""Swap values with others of nearly the same rank."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import TechniqueColumnError
from discreet.table.table import Table
from discreet.techniques.arrow_rows import (
    Floats,
    Ints,
    check_names,
    check_share,
    column_of,
    generator,
    missing_notice,
    put,
    rows_of,
    table_of,
)
from discreet.techniques.ordered import numbers_of, random_order
from discreet.techniques.pairing import exchanged
from discreet.techniques.technique import Protection, Turn


@dataclass(frozen=True)
class RankSwap:
    """Each column alone: a value is exchanged with one at most `p` per cent of the ranks away.

    The counts of every value stay as they are, and correlations suffer little where `p` is small.

    Notes
    -----
    [Moore1996]_: sort, then exchange each value with one drawn from the next p per cent.
    *Departures*: the ranks are cut, at a random start, into stretches of p per cent, and the
    values of a stretch are paired at random. This needs no pass row by row; the mean distance is a
    third of the stretch instead of half. Ties are ordered at random. A value alone in the first or
    last stretch keeps its row. Missing cells stay where they
    are and have no rank. *Cost*: two sorts a column; the rows in memory.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"age": list(range(20, 60))}))
    >>> release = RankSwap(("age",), p=10)(table, seed=1)
    >>> ages = release.scan(native=["age"]).read_all()["age"].to_pylist()
    >>> sorted(ages) == list(range(20, 60)), max(abs(a - b) for a, b in zip(ages, range(20, 60)))
    (True, 4)
    """

    name: ClassVar[str] = "rank_swap"
    protection: ClassVar[Protection] = "null-map"
    truthful: ClassVar[bool] = False
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = (
        "The counts of every value exactly; the order of the rows by each column to within p per "
        "cent of the ranks."
    )
    by_chance: ClassVar[bool] = True
    by_value: ClassVar[bool] = False
    done: ClassVar[str] = "swapped with near values of other rows"

    columns: tuple[str, ...]
    p: float = 5.0

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        check_share(self.name, "p", self.p, most=100)

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with values exchanged."""
        rng = generator(self.name, seed)
        rows = rows_of(table, self.columns)
        notices: list[str] = []
        for column in self.columns:
            values = column_of(rows, column)
            numbers = numbers_of(self.name, column, values)
            source = self._sources(column, numbers, rng)
            rows = put(rows, column, values.take(pa.array(source)))
            notices += missing_notice(self.name, column, int(np.isnan(numbers).sum()))
        return table_of(table, rows, notices)

    def _sources(self, column: str, numbers: Floats, rng: np.random.Generator) -> Ints:
        """For each row the row whose value it gets."""
        places = np.flatnonzero(~np.isnan(numbers))
        reach = int(self.p * len(places) / 100)
        if len(places) > 1 and not reach:
            raise TechniqueColumnError(
                self.name,
                column,
                f"has {len(places)} values, too few for p = {self.p:g} to reach another one",
                f"Take p of at least {100 / len(places):.3g}.",
            )
        ranked = places[random_order(numbers[places], rng)]
        start = int(rng.integers(reach + 1))
        stretches = (np.arange(len(ranked)) + start) // (reach + 1)
        source = np.arange(len(numbers))
        source[ranked] = ranked[exchanged(stretches, 1.0, rng)]
        return source
