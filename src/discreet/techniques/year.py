"""Dates as their years, with the years of the oldest people in one group."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import TechniqueError
from discreet.kinds.tally import make_flags
from discreet.kinds.written_years import (
    Cutoff,
    find_oldest_groups,
    find_year_groups,
    read_years,
    write_iso_day,
)
from discreet.techniques.arrow_rows import check_names, read_rows, take_column
from discreet.techniques.number_columns import replace_columns

if TYPE_CHECKING:
    from discreet.table.table import Table
    from discreet.techniques.technique import Protection, Turn


@dataclass(frozen=True)
class Year:
    """Release a date as its year, and years that show an age over 89 as one group.

    `as_of` is the day on which ages are checked, best that of the release: as of 2026-11-16 the
    group is ``1936 or before``. Dates may be written in mixed forms, with the year in four digits;
    what cannot be read becomes missing, and a notice says how many. Nothing is random.

    Parameters
    ----------
    columns
        The columns of dates.
    as_of
        The day on which ages count, best that of the release: 2026-11-16.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"birth": ["1965-09-20", "3/4/1931", "7 May 1950", None]}))
    >>> coded = Year(("birth",), as_of="2026-11-16")(table, seed=0)
    >>> coded.scan(text=["birth"]).read_all()["birth"].to_pylist()
    ['1965', '1936 or before', '1950', None]

    Notes
    -----
    [HIPAA2002]_, 45 CFR 164.514(b)(2)(i)(C). *Departures*: the group takes in the year in which
    people turn 90, since the year alone does not tell who has. *Cost*: one pass, rows in memory.
    """

    columns: tuple[str, ...]
    as_of: str

    name: ClassVar[str] = "year"
    protection: ClassVar[Protection] = "k-map"
    truthful: ClassVar[bool] = True
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = "The year of every date, but for those of people who may be over 89."
    by_chance: ClassVar[bool] = False
    by_value: ClassVar[bool] = True
    done: ClassVar[str] = "year only"

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        object.__setattr__(self, "as_of", write_iso_day(self.as_of, self.name))

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with years for dates; the input is left, and the seed is not used."""
        cutoff = Cutoff.of(self.as_of)
        rows = read_rows(table, self.columns)
        new: dict[str, pa.Array] = {}
        notices: list[str] = []
        for column in self.columns:
            new[column], told = _replace_by_years(column, take_column(rows, column), cutoff)
            notices += told
        return replace_columns(table, rows, new, notices)


def _replace_by_years(column: str, found: pa.Array, cutoff: Cutoff) -> tuple[pa.Array, list[str]]:
    coded = found.cast(pa.string()).dictionary_encode()
    text, places = coded.dictionary, coded.indices.drop_null()
    times = np.bincount(places.to_numpy(zero_copy_only=False), minlength=len(text))
    year, short = read_years(text)
    if short.any():
        what = f"has {int(times[short].sum()):,} dates whose year has two digits"
        fix = "Write four, so that 1925 is not taken for 2025."
        raise TechniqueError("year", column, what, fix)
    kept = find_year_groups(text, cutoff)
    group = find_oldest_groups(pc.utf8_trim_whitespace(text), cutoff.year)
    kept, old = kept & ~group, make_flags(pc.less_equal(year, cutoff.year)) | group
    new = pc.if_else(pa.array(old), cutoff.label, year.cast(pa.string()))
    new = pc.if_else(pa.array(kept), pc.utf8_trim_whitespace(text), new)
    met = {
        f"show an age over 89 and became '{cutoff.label}'": int(times[old].sum()),
        "are not dates that can be read and became missing": int(
            times[make_flags(new.is_null())].sum()
        ),
    }
    notices = [
        f"year: {count:,} values of '{column}' {what}." for what, count in met.items() if count
    ]
    return new.take(coded.indices), notices
