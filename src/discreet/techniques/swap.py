"""Swap values between rows: single columns, or the quasi-identifier as a unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import ClassVar

import numpy as np
import pyarrow as pa
import scipy

from discreet.display import dataclass
from discreet.errors import ParameterError, TechniqueError
from discreet.number_range import check_range, within
from discreet.table.table import Table
from discreet.techniques.arrow_rows import (
    Floats,
    Ints,
    check_apart,
    check_names,
    code_rows,
    make_generator,
    make_table,
    mark_present,
    note_missing,
    put,
    read_rows,
    take_column,
)
from discreet.techniques.number_columns import order_at_random, read_numbers
from discreet.techniques.technique import Protection, Turn

# Give the values of a column to other rows, at random or so that rank correlations stay.


@dataclass(frozen=True)
class Shuffle:
    """The values of each column, dealt out to the rows again.

    Without `given`, at random: nothing links a value to its row. With `given`, columns of numbers
    or dates are dealt out so that their rank correlations, with each other and with the columns
    `given`, stay about as they were; a value depends on its old row through these alone.

    Parameters
    ----------
    columns
        The columns whose values are dealt out to the rows again.
    given
        Columns with which rank correlations are kept; without any, values are dealt at random.

    Notes
    -----
    [Muralidhar2006]_: data shuffling. Normal scores of the ranks are drawn anew given those
    of the other columns, and the values follow the order of the drawn scores. *Departures*: the
    correlations are those of the normal scores of the data. A missing cell stays missing; a missing
    value of another column counts as its median. Relations that are not monotone are lost.
    *Cost*: at random, a permutation a column; with `given`, three sorts a column. The rows in
    memory.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"age": [31, 45, None, 62]}))
    >>> release = Shuffle(("age",))(table, seed=2)
    >>> release.scan(native=["age"]).read_all()["age"].to_pylist()[2] is None
    True
    """

    name: ClassVar[str] = "shuffle"
    protection: ClassVar[Protection] = "null-map"
    truthful: ClassVar[bool] = False
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = (
        "The counts of every value exactly; with given columns, rank correlations approximately."
    )
    by_chance: ClassVar[bool] = True
    by_value: ClassVar[bool] = False
    done: ClassVar[str] = "shuffled between rows"

    columns: tuple[str, ...]
    given: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        check_names(self.name, "given", self.given, empty=True)
        check_apart(self.name, self.columns, "given", self.given)

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with shuffled columns."""
        rng = make_generator(self.name, seed)
        rows = read_rows(table, (*self.columns, *self.given))
        scores = self._draw_scores(rows, rng) if self.given else None
        notices: list[str] = []
        for number, column in enumerate(self.columns):
            values = take_column(rows, column)
            places = np.flatnonzero(mark_present(values))
            source = np.arange(rows.num_rows)
            if scores is None:
                source[places] = rng.permutation(places)
            else:
                numbers = read_numbers(self.name, column, values)[places]
                new = places[np.argsort(scores[places, number], kind="stable")]
                source[new] = places[order_at_random(numbers, rng)]
            rows = put(rows, column, values.take(pa.array(source)))
            notices += note_missing(self.name, column, rows.num_rows - len(places))
        return make_table(table, rows, notices)

    def _draw_scores(self, rows: pa.Table, rng: np.random.Generator) -> Floats:
        """Normal scores of the shuffled columns, drawn anew given those of the others."""
        old = [self._compute_scores(rows, column) for column in self.columns]
        fixed = np.column_stack([self._compute_scores(rows, column) for column in self.given])
        shuffled = np.column_stack(old)
        weights = np.linalg.lstsq(fixed, shuffled, rcond=None)[0]
        left = shuffled - fixed @ weights
        spread = left.T @ left / max(len(left), 1)
        values, vectors = np.linalg.eigh(spread)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        noise = rng.standard_normal(shuffled.shape) @ root.T
        return np.asarray(fixed @ weights + noise)

    def _compute_scores(self, rows: pa.Table, column: str) -> Floats:
        """Normal scores of the ranks, ties at their mean rank, 0 where missing."""
        numbers = read_numbers(self.name, column, take_column(rows, column))
        places = np.flatnonzero(~np.isnan(numbers))
        scores = np.zeros(len(numbers))
        if len(places):
            scores[places] = scipy.special.ndtri(
                _measure_mean_ranks(numbers[places]) / (len(places) + 1.0)
            )
        return scores


def _measure_mean_ranks(numbers: Floats) -> Floats:
    different: tuple[Floats, Ints, Ints] = np.unique(
        numbers, return_inverse=True, return_counts=True
    )
    _, places, counts = different
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2.0)[places])


# Rows put into small groups that exchange their values.


def exchange_rows(strata: Ints, share: float, rng: np.random.Generator) -> Ints:
    """For each row the row whose values it gets: pairs at random, each inside one stratum.

    The odd row of a stratum joins its last pair, and three pass their values on in a circle; a row
    alone in its stratum keeps its own. `share` is the share of these pairs that exchange.
    """
    mixed = rng.permutation(len(strata))
    order = mixed[np.argsort(strata[mixed], kind="stable")]
    taken = order.copy()
    if len(order):
        groups = _number_pairs(strata[order])
        first = np.flatnonzero(np.diff(groups, prepend=-1))
        last = np.append(first[1:], len(order)) - 1
        after = np.arange(1, len(order) + 1)
        after[last] = first
        chosen = np.zeros(len(first), dtype=np.bool_)
        chosen[rng.permutation(len(first))[: round(share * len(first))]] = True
        taken = np.where(chosen[groups], order[after], order)
    source = np.empty(len(order), dtype=np.int64)
    source[order] = taken
    return source


def _number_pairs(strata: Ints) -> Ints:
    """The number of the pair of each row; `strata` is sorted."""
    first = np.flatnonzero(np.diff(strata, prepend=strata[0] - 1))
    sizes = np.diff(np.append(first, len(strata)))
    place = np.arange(len(strata)) - np.repeat(first, sizes)
    pairs = np.maximum(sizes // 2, 1)
    start = np.cumsum(pairs) - pairs
    inside = np.minimum(place // 2, np.repeat(pairs, sizes) - 1)
    return np.asarray(np.repeat(start, sizes) + inside, dtype=np.int64)


@dataclass(frozen=True)
class Swap:
    """Rows exchange values in pairs, so that a row describes a person with another person's values.

    As a `unit`, all `columns` of a row move together: give the quasi-identifier. Otherwise each
    column is swapped on its own. `share` is the share of pairs that exchange; rows exchange only
    with rows that agree on the columns `within`.

    Parameters
    ----------
    columns
        The columns whose values change places; as a unit, give all quasi columns.
    share
        The share of the pairs of rows that exchange values.
    within
        Columns in which two rows must agree to exchange values.
    unit
        Whether the columns of a row move together; if not, each is swapped on its own.

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
    share: float = field(default=1.0, metadata=within(above=0, most=1))
    within: tuple[str, ...] = ()
    unit: bool = True

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        check_names(self.name, "within", self.within, empty=True)
        check_apart(self.name, self.columns, "within", self.within)
        check_range(self, "share")
        if not isinstance(self.unit, bool):
            raise ParameterError(self.name, "unit", "true or false")

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with values exchanged."""
        rng = make_generator(self.name, seed)
        rows = read_rows(table, (*self.columns, *self.within))
        strata = code_rows(rows, self.within)
        units = [self.columns] if self.unit else [(column,) for column in self.columns]
        notices: list[str] = []
        for unit in units:
            able = np.logical_or.reduce(
                [mark_present(take_column(rows, column)) for column in unit]
            )
            places = np.flatnonzero(able)
            source = np.arange(rows.num_rows)
            source[places] = places[exchange_rows(strata[places], self.share, rng)]
            rows = _take_values(rows, unit, pa.array(source))
            notices += note_missing(self.name, "', '".join(unit), int((~able).sum()))
            notices += self._report_unmoved(
                strata[places], int(np.count_nonzero(source[places] != places))
            )
        return make_table(table, rows, list(dict.fromkeys(notices)))

    def _report_unmoved(self, strata: Ints, moved: int) -> list[str]:
        """Rows without a partner are often those that stand out, so that they are told of."""
        told = []
        alone = int(np.count_nonzero(np.bincount(strata) == 1)) if len(strata) else 0
        if alone and self.within:
            rows = "1 row is" if alone == 1 else f"{alone:,} rows are"
            told.append(f"{self.name}: {rows} alone in a stratum and not swapped.")
        if not moved:
            told.append(f"{self.name}: nothing was swapped, as there are too few pairs.")
        return told


def _take_values(rows: pa.Table, columns: Sequence[str], source: pa.Array) -> pa.Table:
    for column in columns:
        rows = put(rows, column, take_column(rows, column).take(source))
    return rows


# Swap values with others of nearly the same rank.


@dataclass(frozen=True)
class RankSwap:
    """Each column alone: a value is exchanged with one at most `p` per cent of the ranks away.

    The counts of every value stay as they are, and correlations suffer little where `p` is small.

    Parameters
    ----------
    columns
        The columns of numbers or dates to swap, each on its own.
    p
        How far apart two exchanged values may be, in per cent of the ranks.

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
    p: float = field(default=5.0, metadata=within(above=0, most=100))

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        check_range(self, "p")

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with values exchanged."""
        rng = make_generator(self.name, seed)
        rows = read_rows(table, self.columns)
        notices: list[str] = []
        for column in self.columns:
            values = take_column(rows, column)
            numbers = read_numbers(self.name, column, values)
            source = self._choose_sources(column, numbers, rng)
            rows = put(rows, column, values.take(pa.array(source)))
            notices += note_missing(self.name, column, int(np.isnan(numbers).sum()))
        return make_table(table, rows, notices)

    def _choose_sources(self, column: str, numbers: Floats, rng: np.random.Generator) -> Ints:
        """For each row the row whose value it gets."""
        places = np.flatnonzero(~np.isnan(numbers))
        reach = int(self.p * len(places) / 100)
        if len(places) > 1 and not reach:
            raise TechniqueError(
                self.name,
                column,
                f"has {len(places)} values, too few for p = {self.p:g} to reach another one",
                f"Take p of at least {100 / len(places):.3g}.",
            )
        ranked = places[order_at_random(numbers[places], rng)]
        start = int(rng.integers(reach + 1))
        stretches = (np.arange(len(ranked)) + start) // (reach + 1)
        source = np.arange(len(numbers))
        source[ranked] = ranked[exchange_rows(stretches, 1.0, rng)]
        return source
