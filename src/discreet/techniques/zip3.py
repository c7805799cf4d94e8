"""ZIP codes as their first three digits, where enough people share them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.kinds.tally import Flags
from discreet.kinds.zip_area import ZipTable
from discreet.kinds.zip_codes import shorten_zip_codes
from discreet.techniques.arrow_rows import check_names, read_rows, take_column
from discreet.techniques.number_columns import replace_columns

if TYPE_CHECKING:
    from discreet.table.table import Table
    from discreet.techniques.technique import Protection, Turn


@dataclass(frozen=True)
class Zip3:
    """Release the first three digits of a ZIP code, and 000 where 20,000 or fewer people live.

    `zip_table` is a file of people by prefix; without it the table of the package is taken, and a
    notice says of when that is. A ZIP code that lost its leading zeros in a spreadsheet (2138 in a
    column of five digits) gets them back, ZIP+4 is cut, and what is no ZIP code of the United
    States becomes 000: notices say how many. Missing values stay missing. Nothing is random.

    Parameters
    ----------
    columns
        The columns of ZIP codes.
    zip_table
        A file of people by three-digit prefix; the table of the package if not given.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"zip": ["02138", "03601", "2139", None]}))
    >>> Zip3(("zip",))(table, seed=0).scan(text=["zip"]).read_all()["zip"].to_pylist()
    ['021', '000', '021', None]

    Notes
    -----
    [HIPAA2002]_, 45 CFR 164.514(b)(2)(i)(B). *Departures*: areas are those of the Census Bureau's
    tabulation by ZIP code, as [HHS2012]_ has it. *Cost*: one pass, the rows in memory.
    """

    columns: tuple[str, ...]
    zip_table: Path | None = None

    name: ClassVar[str] = "zip3"
    protection: ClassVar[Protection] = "k-map"
    truthful: ClassVar[bool] = True
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = "The first three digits, where more than 20,000 people share them."
    by_chance: ClassVar[bool] = False
    by_value: ClassVar[bool] = True
    done: ClassVar[str] = "first three digits"

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        if not isinstance(self.zip_table, str | Path | None):
            raise ParameterError(self.name, "zip_table", "the path of a file")
        if self.zip_table is not None:
            object.__setattr__(self, "zip_table", Path(self.zip_table))
        ZipTable.load(self.zip_table)

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with shortened ZIP codes; the input is left, and the seed is not used."""
        areas = ZipTable.load(self.zip_table)
        rows = read_rows(table, self.columns)
        new, notices = {}, [areas.describe_source()]
        for column in self.columns:
            coded = take_column(rows, column).cast(pa.string()).dictionary_encode()
            each, kinds = shorten_zip_codes(coded.dictionary, areas)
            new[column] = each.take(coded.indices)
            notices += _describe_changes(column, kinds, coded.indices)
        return replace_columns(table, rows, new, notices)


def _describe_changes(column: str, kinds: dict[str, Flags], places: pa.Array) -> list[str]:
    """Notes on changed and restored values, with their rows."""
    places = places.drop_null().to_numpy(zero_copy_only=False)
    times = np.bincount(places, minlength=len(kinds["other"]))
    words = {
        "small": "are of areas with 20,000 or fewer people and became 000",
        "zeros lost": "had lost leading zeros, which were put back",
        "other": "are not ZIP codes of the United States and became 000",
    }
    return [
        f"zip3: {count:,} values of '{column}' {what}."
        for name, what in words.items()
        if (count := int(times[kinds[name]].sum()))
    ]
