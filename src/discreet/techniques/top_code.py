"""Top coding: the largest numbers become one."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

import numpy as np

from discreet.display import dataclass
from discreet.errors import ParameterError, TechniqueError
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
    import pyarrow as pa

    from discreet.table.table import Table
    from discreet.techniques.technique import Protection, Turn


# What top coding and bottom coding share: numbers beyond a limit are replaced.


FEWEST = 3
"""The mean of fewer numbers would tell too much about each."""

TELLING = 10
"""How far the mean moved for fewer numbers would tell about how large they were."""


class Cut(Protocol):
    """The parameters of top and bottom coding."""

    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> tuple[str, ...]: ...
    @property
    def at(self) -> float | None: ...
    @property
    def quantile(self) -> float | None: ...
    @property
    def put(self) -> Literal["limit", "mean"]: ...


def check_cut(cut: Cut) -> None:
    """Stop if the parameters make no sense."""
    check_names(cut.name, "columns", cut.columns)
    if (cut.at is None) == (cut.quantile is None):
        raise ParameterError(cut.name, "at", "given, or else 'quantile', not both")
    if cut.at is not None and not is_number(cut.at):
        raise ParameterError(cut.name, "at", "a number")
    if cut.quantile is not None:
        check_range(cut, "quantile", is_number)
    if cut.put not in ("limit", "mean"):
        raise ParameterError(cut.name, "put", "limit or mean")


def cut_table(cut: Cut, table: Table, above: bool) -> Table:
    """The table with the numbers above (or below) the limit replaced."""
    rows = read_rows(table, cut.columns)
    columns = [number_column(cut.name, rows, column) for column in cut.columns]
    notices = note_missing_numbers(columns)
    new = {}
    for column in columns:
        new[column.name], notice = _cut_column(cut, column, above)
        notices.append(notice)
    return replace_columns(table, rows, new, notices)


def _cut_column(cut: Cut, column: NumberColumn, above: bool) -> tuple[pa.Array, str]:
    known, limit = column.known, cut.at
    if limit is None:
        method: Literal["lower", "higher"] = "lower" if above else "higher"
        limit = float(np.quantile(known, cut.quantile or 0.0, method=method))
    elif column.whole and limit != round(limit):
        what = "holds whole numbers, and the limit is not whole"
        raise TechniqueError(cut.name, column.name, what, "Give a whole limit.")
    beyond = column.values > limit if above else column.values < limit
    count = int(np.count_nonzero(beyond))
    put = limit
    if cut.put == "mean" and count:
        if count < FEWEST:
            what = f"has only {count} values beyond the limit, so their mean would tell them"
            raise TechniqueError(cut.name, column.name, what, "Put the limit instead.")
        put = float(column.values[beyond].mean())
        put = float(np.rint(put)) if column.whole else put
    new = np.where(beyond, put, column.values)
    return column.back(new, as_found=~beyond & (new != put)), _describe_cut(column, new, count)


def _describe_cut(column: NumberColumn, new: np.ndarray, count: int) -> str:
    """How many numbers were cut, and how far the mean moved if that does not tell them."""
    known, spread = column.known, float(column.known.std())
    what = f"{column.technique}: {count:,} of {len(known):,} values of '{column.name}' were cut"
    if 0 < count < TELLING:
        return f"{what}."
    moved = float(new[~column.missing].mean() - known.mean()) / spread if spread else 0.0
    if abs(moved) < 1e-12:
        return f"{what}; the mean is kept."
    return f"{what}; the mean moved by {moved:+.3g} standard deviations."


@dataclass(frozen=True)
class TopCode:
    """Replace the numbers above a limit, which few people have, by one number.

    The limit is a number (`at`), or found for each column from a `quantile`: then it is a number
    that somebody has. What is put in their place is the `limit`, or the `mean` of the replaced
    numbers, which keeps the mean of the column (in a column of whole numbers, rounded); it takes
    three of them. A notice of the table says how many were cut, and how far the mean moved if they
    are ten or more. Missing values stay missing. Nothing is random.

    Parameters
    ----------
    columns
        The columns of numbers to cut.
    at
        The limit. Give either this or ``quantile``.
    quantile
        The limit as a quantile of each column, between 0 and 1.
    put
        What numbers above the limit become: the ``limit``, or their ``mean``.

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
    quantile: float | None = field(default=None, metadata=within(above=0, below=1))
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
        """A description of the change to a column."""
        return "top-coded" if self.at is None else f"top-coded at {self.at:g}"

    def __call__(self, table: Table, seed: int) -> Table:
        """The coded table; the input is left as it is, and the seed is not used."""
        return cut_table(self, table, above=True)


# Bottom coding: the smallest numbers become one.


@dataclass(frozen=True)
class BottomCode:
    """Replace the numbers below a limit, which few people have, by one number.

    The parameters are those of :class:`TopCode`, which does the same at the other end.

    Parameters
    ----------
    columns
        The columns of numbers to cut.
    at
        The limit. Give either this or ``quantile``.
    quantile
        The limit as a quantile of each column, between 0 and 1.
    put
        What numbers below the limit become: the ``limit``, or their ``mean``.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> coded = BottomCode(("age",), at=18)(read(pa.table({"age": [30, 17, 12, 14, 60]})), seed=0)
    >>> coded.scan(native=["age"]).read_all()["age"].to_pylist()
    [30, 18, 18, 18, 60]

    Notes
    -----
    As :class:`TopCode`.
    """

    columns: tuple[str, ...]
    at: float | None = None
    quantile: float | None = field(default=None, metadata=within(above=0, below=1))
    put: Literal["limit", "mean"] = "limit"

    name: ClassVar[str] = "bottom_code"
    protection: ClassVar[Protection] = "k-map"
    truthful: ClassVar[bool] = True
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = (
        "Every number from the limit up stays, and with the mean put in, the mean of the column."
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
        """A description of the change to a column."""
        return "bottom-coded" if self.at is None else f"bottom-coded at {self.at:g}"

    def __call__(self, table: Table, seed: int) -> Table:
        """The coded table; the input is left as it is, and the seed is not used."""
        return cut_table(self, table, above=False)
