"""Top coding: the largest numbers become one."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from discreet.display import dataclass
from discreet.techniques.cut import check_cut, cut_table

if TYPE_CHECKING:
    from discreet.table.table import Table
    from discreet.techniques.technique import Protection, Turn


@dataclass(frozen=True)
class TopCode:
    """Replace the numbers above a limit, which few people have, by one number.

    The limit is a number (`at`), or found for each column from a `quantile`: then it is a number
    that somebody has. What is put in their place is the `limit`, or the `mean` of the replaced
    numbers, which keeps the mean of the column (in a column of whole numbers, rounded); it takes
    three of them. A notice of the table says how many were cut, and how far the mean moved if they
    are ten or more. Missing values stay missing. Nothing is random.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> coded = TopCode(("age",), at=89)(read(pa.table({"age": [30, 89, 104, 97, 96]})), seed=0)
    >>> coded.scan(native=["age"]).read_all()["age"].to_pylist()
    [30, 89, 89, 89, 89]

    Notes
    -----
    [Sweeney2001]_, sec. 4.1: a form of rounding (figure 17), for one end of a column.
    *Departures*: none. It is not k-map protection by itself: see how many share the new number.
    *Cost*: one pass; a selection for the quantile.
    """

    columns: tuple[str, ...]
    at: float | None = None
    quantile: float | None = None
    put: Literal["limit", "mean"] = "limit"

    name: ClassVar[str] = "top_code"
    protection: ClassVar[Protection] = "k-map"
    truthful: ClassVar[bool] = True
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = (
        "Every number up to the limit stays, and with the mean put in, the mean of the column."
    )
    by_chance: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_cut(self)

    @property
    def by_value(self) -> bool:
        """A quantile or a mean is of the table; a limit that is given is for any table."""
        return self.at is not None and self.put == "limit"

    @property
    def done(self) -> str:
        """What becomes of a column."""
        return "top-coded" if self.at is None else f"top-coded at {self.at:g}"

    def __call__(self, table: Table, seed: int) -> Table:
        """The coded table; the input is left as it is, and the seed is not used."""
        return cut_table(self, table, above=True)
