"""Dates released as days since the first date of the person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

import pyarrow as pa

from discreet.display import dataclass
from discreet.techniques.arrow_rows import check_apart, check_names, generator, rows_of
from discreet.techniques.date_columns import check_formats, date_column
from discreet.techniques.entity_rows import (
    check_entity,
    entity_rows,
    intervals_notice,
    missing_dates,
)
from discreet.techniques.number_columns import with_columns

if TYPE_CHECKING:
    from discreet.table.table import Table
    from discreet.techniques.technique import Protection, Turn


@dataclass(frozen=True)
class RelativeDates:
    """Release when things happened to a person, counted from that person's first date.

    `entity` is the column that says whose row it is. Each date becomes a whole number of days since
    the first date that the person has in any of the `columns`: 0 there, never below. Times of day
    are dropped. The new columns are of whole numbers and can be quasi-identifiers with intervals as
    hierarchy. `formats` says how dates in text are written where 03/04/2001 could be March or
    April. Missing dates stay missing; a row that does not say whose it is is refused.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> days = ["28.2.2024", "1.3.2024", "5.3.2024"]
    >>> visits = read(pa.table({"who": ["a", "a", "b"], "day": days}))
    >>> since = RelativeDates(("day",), "who")(visits, seed=1)
    >>> since.scan(native=["day"]).read_all()["day"].to_pylist()
    [0, 2, 0]

    Notes
    -----
    [Sweeney2001]_, sec. 6.2 (relative dates can combine to reveal sensitive information).
    *Departures*: the thesis does not say how its system treats them. *Cost*: one pass; the rows in
    memory.
    """

    columns: tuple[str, ...]
    entity: str
    formats: Mapping[str, str] = field(default_factory=dict)

    name: ClassVar[str] = "relative_dates"
    protection: ClassVar[Protection] = "k-map"
    turn: ClassVar[Turn] = "columns"
    truthful: ClassVar[bool] = True
    keeps: ClassVar[str] = "Intervals in days between all dates of a person, and their order."
    by_chance: ClassVar[bool] = False
    by_value: ClassVar[bool] = False
    done: ClassVar[str] = "days since the first date of the person"

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        check_entity(self.name, self.entity)
        check_apart(self.name, self.columns, "entity", (self.entity,))
        check_formats(self.name, self.columns, self.formats)

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with days instead of dates; nothing is drawn, and the input is left."""
        generator(self.name, seed)
        rows = rows_of(table, (*self.columns, self.entity))
        people = entity_rows(self.name, rows, self.entity)
        dates = [date_column(self.name, rows, c, self.formats.get(c)) for c in self.columns]
        first = people.first_days(dates)[people.codes]
        new = {
            column.name: pa.array(column.days - first, pa.int64(), mask=~column.there)
            for column in dates
        }
        told = (
            "the calendar is gone: nothing can be said of seasons, weekdays or years.",
            intervals_notice(people, dates),
            "how many rows a person has stays too; cap it where few have many.",
            *missing_dates(dates),
        )
        return with_columns(table, rows, new, [f"{self.name}: {text}" for text in told])
