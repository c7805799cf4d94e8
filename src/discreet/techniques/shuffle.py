"""Give the values of a column to other rows, at random or so that rank correlations stay."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pyarrow as pa

from discreet.display import dataclass
from discreet.table.table import Table
from discreet.techniques.arrow_rows import (
    Floats,
    Ints,
    check_apart,
    check_names,
    column_of,
    generator,
    missing_notice,
    present,
    put,
    rows_of,
    table_of,
)
from discreet.techniques.ordered import numbers_of, random_order
from discreet.techniques.technique import Protection, Turn


@dataclass(frozen=True)
class Shuffle:
    """The values of each column, dealt out to the rows again.

    Without `given`, at random: nothing links a value to its row. With `given`, columns of numbers
    or dates are dealt out so that their rank correlations, with each other and with the columns
    `given`, stay about as they were; a value depends on its old row through these alone.

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
        """The table with the columns dealt out anew."""
        rng = generator(self.name, seed)
        rows = rows_of(table, (*self.columns, *self.given))
        scores = self._drawn(rows, rng) if self.given else None
        notices: list[str] = []
        for number, column in enumerate(self.columns):
            values = column_of(rows, column)
            places = np.flatnonzero(present(values))
            source = np.arange(rows.num_rows)
            if scores is None:
                source[places] = rng.permutation(places)
            else:
                numbers = numbers_of(self.name, column, values)[places]
                new = places[np.argsort(scores[places, number], kind="stable")]
                source[new] = places[random_order(numbers, rng)]
            rows = put(rows, column, values.take(pa.array(source)))
            notices += missing_notice(self.name, column, rows.num_rows - len(places))
        return table_of(table, rows, notices)

    def _drawn(self, rows: pa.Table, rng: np.random.Generator) -> Floats:
        """Normal scores of the shuffled columns, drawn anew given those of the others."""
        old = [self._scores(rows, column) for column in self.columns]
        fixed = np.column_stack([self._scores(rows, column) for column in self.given])
        shuffled = np.column_stack(old)
        weights = np.linalg.lstsq(fixed, shuffled, rcond=None)[0]
        left = shuffled - fixed @ weights
        spread = left.T @ left / max(len(left), 1)
        values, vectors = np.linalg.eigh(spread)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        noise = rng.standard_normal(shuffled.shape) @ root.T
        return np.asarray(fixed @ weights + noise)

    def _scores(self, rows: pa.Table, column: str) -> Floats:
        """Normal scores of the ranks, ties at their mean rank, 0 where missing."""
        from scipy.special import ndtri

        numbers = numbers_of(self.name, column, column_of(rows, column))
        places = np.flatnonzero(~np.isnan(numbers))
        scores = np.zeros(len(numbers))
        if len(places):
            scores[places] = ndtri(_mean_ranks(numbers[places]) / (len(places) + 1.0))
        return scores


def _mean_ranks(numbers: Floats) -> Floats:
    different: tuple[Floats, Ints, Ints] = np.unique(
        numbers, return_inverse=True, return_counts=True
    )
    _, places, counts = different
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2.0)[places])
