"""Post-randomization: each value is drawn anew with known probabilities."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import field
from typing import ClassVar

import numpy as np
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import ParameterError
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
from discreet.techniques.listed_values import codes_in, listed
from discreet.techniques.technique import Protection, Turn

Matrix = Mapping[Hashable, Mapping[Hashable, float]]


@dataclass(frozen=True)
class Pram:
    """Each value is replaced with known probabilities, so that no cell is certain.

    Without a `matrix`, a `share` of the cells is drawn anew: from the column's own frequencies if
    `invariant`, else from its other values, all alike. A `matrix` gives for one column the
    probability of each new value (inner) for each value (outer); `invariant` then adds a second
    draw back, so that the expected count of every value stays as it was.

    Notes
    -----
    [Gouweleeuw1998]_: the method, and invariant matrices (draw, then draw back by Bayes' rule).
    *Departures*: an invariant change by share is (1 - share) I + share 1 p', with p the column's
    frequencies: it needs no matrix in memory, and a cell drawn anew may get the value it had.
    Publish the matrix: estimates can be corrected with it. Missing cells stay missing.
    *Cost*: one coding and one draw a cell; with a matrix, its square. The rows in memory.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"smokes": ["no", "yes"] * 3}))
    >>> flip = {"no": {"yes": 1.0}, "yes": {"no": 1.0}}
    >>> release = Pram(("smokes",), matrix=flip, invariant=False)(table, seed=1)
    >>> release.scan(text=["smokes"]).read_all()["smokes"].to_pylist()
    ['yes', 'no', 'yes', 'no', 'yes', 'no']
    """

    name: ClassVar[str] = "pram"
    protection: ClassVar[Protection] = "null-map"
    truthful: ClassVar[bool] = False
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = (
        "With an invariant matrix the expected count of every value; without, counts that can be "
        "corrected with the published matrix."
    )
    by_chance: ClassVar[bool] = True
    by_value: ClassVar[bool] = False
    done: ClassVar[str] = "some values exchanged"

    columns: tuple[str, ...]
    share: float | None = None
    matrix: Matrix | None = field(default=None, repr=False)
    invariant: bool = True

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        if (self.share is None) == (self.matrix is None):
            raise ParameterError(self.name, "share", "given where no matrix is, and only there")
        if not isinstance(self.invariant, bool):
            raise ParameterError(self.name, "invariant", "true or false")
        if self.share is not None:
            check_share(self.name, "share", self.share)
        else:
            self._check_matrix()

    def _check_matrix(self) -> None:
        if len(self.columns) != 1:
            raise ParameterError(self.name, "matrix", "used with one column only")
        if not isinstance(self.matrix, Mapping) or not self.matrix:
            raise ParameterError(self.name, "matrix", "a table of probabilities for each value")
        for line in self.matrix.values():
            if not isinstance(line, Mapping) or not set(line) <= set(self.matrix):
                raise ParameterError(
                    self.name, "matrix", "square: every new value has a row of its own"
                )
        square = _square(self.matrix)
        bad = ~np.isclose(square.sum(axis=1), 1.0, rtol=0, atol=1e-9) | ~(square >= 0).all(axis=1)
        if bad.any():
            wanted = "made of rows that sum to 1, none negative"
            raise ParameterError(self.name, "matrix", f"{wanted} ({int(bad.sum())} do not)")

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with values drawn anew."""
        rng = generator(self.name, seed)
        rows = rows_of(table, self.columns)
        notices: list[str] = []
        for column in self.columns:
            values = column_of(rows, column)
            rows = put(rows, column, self._drawn(column, values, rng))
            notices += missing_notice(self.name, column, values.null_count)
        return table_of(table, rows, notices)

    def _drawn(self, column: str, values: pa.Array, rng: np.random.Generator) -> pa.Array:
        if self.matrix is None:
            known = values.drop_null().unique()
        else:
            known = listed(self.name, column, tuple(self.matrix), values.type)
        codes = codes_in(self.name, column, values, known)
        filled = codes >= 0
        if not filled.any():
            return values
        drawn = codes.copy()
        if self.matrix is None:
            drawn[filled] = self._by_share(codes[filled], len(known), rng)
        else:
            counts = np.bincount(codes[filled], minlength=len(known))
            square = _square(self.matrix)
            square = invariant(square, counts / counts.sum()) if self.invariant else square
            drawn[filled] = by_matrix(codes[filled], square, rng)
        return known.take(pa.array(drawn, mask=~filled))

    def _by_share(self, codes: Ints, values: int, rng: np.random.Generator) -> Ints:
        anew = rng.random(len(codes)) < (self.share or 0.0)
        if self.invariant:
            fresh = codes[rng.integers(len(codes), size=len(codes))]
        else:
            fresh = (codes + rng.integers(1, max(values, 2), size=len(codes))) % values
        return np.where(anew, fresh, codes)


def invariant(matrix: Floats, frequencies: Floats) -> Floats:
    """The matrix followed by its way back: the frequencies are expected to stay as they are.

    >>> found = invariant(np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0.25, 0.75]))
    >>> (np.array([0.25, 0.75]) @ found).round(12).tolist()
    [0.25, 0.75]
    """
    joint = frequencies[:, None] * matrix
    reached = joint.sum(axis=0)
    back = np.divide(joint, reached, out=np.zeros_like(joint), where=reached > 0).T
    return np.asarray(matrix @ back + np.diag(1.0 - (matrix @ back).sum(axis=1)))


def by_matrix(codes: Ints, matrix: Floats, rng: np.random.Generator) -> Ints:
    """One draw for each code from its row of the matrix."""
    size = len(matrix)
    reached = np.cumsum(matrix, axis=1)
    reached /= reached[:, -1:]
    ladder = (reached + np.arange(size)[:, None]).ravel()
    found = np.searchsorted(ladder, codes + rng.random(len(codes)), side="right")
    return np.asarray(np.clip(found - codes * size, 0, size - 1), dtype=np.int64)


def _square(matrix: Matrix) -> Floats:
    lines = [[line.get(new, 0.0) for new in matrix] for line in matrix.values()]
    cells = [chance for line in lines for chance in line]
    if not all(isinstance(chance, int | float) and not abs(chance) > 2 for chance in cells):
        raise ParameterError(Pram.name, "matrix", "made of numbers")
    return np.array(lines, dtype=np.float64)
