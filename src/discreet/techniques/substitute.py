"""Replace values by others: as a list says, or by any value of the same category."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import field
from typing import ClassVar, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import ParameterError, TechniqueError
from discreet.number_range import check_range, within
from discreet.table.table import Table
from discreet.techniques.arrow_rows import (
    Floats,
    Ints,
    check_names,
    make_generator,
    make_table,
    note_missing,
    put,
    read_rows,
    take_column,
)
from discreet.techniques.technique import Protection, Turn

# Values that the data holder wrote down, matched with those of a column.


def cast_listed(owner: str, column: str, values: Sequence[Hashable], kind: pa.DataType) -> pa.Array:
    """The values in the type of the column."""
    found = None
    try:
        if pa.types.is_string(kind) or pa.types.is_large_string(kind):
            found = pa.array([str(value) for value in values], kind)
        else:
            found = pa.array(list(values)).cast(kind)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        found = None
    if found is None or found.null_count:
        raise TechniqueError(
            owner,
            column,
            f"holds values of type {kind}, and some of the values given for it are of another",
            "Write all of them in the type of the column.",
        )
    if len(found.unique()) != len(found):
        raise TechniqueError(
            owner, column, "has a value that is given twice, in two ways", "Give each value once."
        )
    return found


def find_codes(
    owner: str, column: str, values: pa.Array, known: pa.Array, partly: bool = False
) -> Ints:
    """The place of each value among the `known`; -1 if missing, and if unknown where `partly`."""
    places = pc.index_in(values, value_set=known)
    unknown = places.null_count - values.null_count
    if unknown and not partly:
        different = len(values.filter(pc.and_(places.is_null(), values.is_valid())).unique())
        raise TechniqueError(
            owner,
            column,
            f"has {different} different values ({unknown} rows) that nothing is said about",
            "Give these values too.",
        )
    return np.asarray(places.fill_null(-1).to_numpy(zero_copy_only=False), dtype=np.int64)


Others = Literal["refuse", "keep", "suppress"]


@dataclass(frozen=True)
class Substitute:
    """Values are replaced: each by the one that `replacements` gives, or within its category.

    `categories` gives the category of each value; a cell gets any listed value of its category, all
    alike likely, so that a category of one value stays as it is. `others` says what becomes of
    values that are not listed: an error, kept as they are, or blanked.

    Parameters
    ----------
    columns
        The columns whose values are replaced.
    replacements
        The new value of each value. Give either this or ``categories``.
    categories
        The category of each value; a cell gets a random listed value of its category.
    others
        What happens to values that are not listed: ``refuse`` stops, ``keep`` leaves them,
        ``suppress`` blanks them.

    Notes
    -----
    [Sweeney2001]_, sec. 4.1 (substitution: another value in its equivalence class) and sec. 6.1
    (equivalence class substitution). *Departures*: a cell may be given the value it had: in a
    category of two values, always taking the other could be undone by anybody. The list is the
    data holder's, without a key; a list that becomes known undoes it. Missing cells stay missing.
    *Cost*: one look-up a cell; the rows in memory.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"ill": ["flu", "measles", "asthma"]}))
    >>> coded = Substitute(("ill",), replacements={"flu": "A", "measles": "B", "asthma": "C"})
    >>> coded(table, seed=1).scan(text=["ill"]).read_all()["ill"].to_pylist()
    ['A', 'B', 'C']
    """

    name: ClassVar[str] = "substitute"
    protection: ClassVar[Protection] = "null-map"
    turn: ClassVar[Turn] = "columns"
    keeps: ClassVar[str] = (
        "By list, which rows have the same value, if no two values share a new one; by category, "
        "the count of each category."
    )

    columns: tuple[str, ...]
    replacements: Mapping[Hashable, Hashable] | None = field(default=None, repr=False)
    categories: Mapping[Hashable, Hashable] | None = field(default=None, repr=False)
    others: Others = "refuse"

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        if (self.replacements is None) == (self.categories is None):
            raise ParameterError(
                self.name, "replacements", "given where no categories are, and only there"
            )
        key = "replacements" if self.categories is None else "categories"
        given = self.replacements if self.categories is None else self.categories
        if not isinstance(given, Mapping) or not given:
            raise ParameterError(self.name, key, "a list of values, each with its new one")
        if self.others not in ("refuse", "keep", "suppress"):
            raise ParameterError(self.name, "others", "refuse, keep or suppress")

    @property
    def truthful(self) -> bool:
        """By list, a new value stands for the old one; by category it is drawn by chance."""
        return self.replacements is not None

    @property
    def by_chance(self) -> bool:
        """By category a value is drawn."""
        return self.replacements is None

    @property
    def by_value(self) -> bool:
        """A list gives equal values equal ones, in any table."""
        return self.replacements is not None

    @property
    def done(self) -> str:
        """A description of the change to a column."""
        return "replaced by a list" if self.replacements is not None else "drawn within categories"

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with values replaced."""
        rng = make_generator(self.name, seed)
        rows = read_rows(table, self.columns)
        notices: list[str] = []
        for column in self.columns:
            values = take_column(rows, column)
            rows = put(rows, column, self._replace_values(column, values, rng))
            notices += note_missing(self.name, column, values.null_count)
        return make_table(table, rows, notices)

    def _replace_values(self, column: str, values: pa.Array, rng: np.random.Generator) -> pa.Array:
        given = self.replacements if self.replacements is not None else self.categories or {}
        known = cast_listed(self.name, column, tuple(given), values.type)
        codes = find_codes(self.name, column, values, known, partly=self.others != "refuse")
        if self.replacements is not None:
            different = tuple(dict.fromkeys(given.values()))
            new = cast_listed(self.name, column, different, values.type)
            order = {value: place for place, value in enumerate(different)}
            place = np.array([order[value] for value in given.values()])[codes]
        else:
            new, place = known, _draw_from_category(codes, tuple(given.values()), rng)
        found = new.take(pa.array(place, mask=codes < 0))
        return pc.coalesce(found, values) if self.others == "keep" else found


def _draw_from_category(
    codes: Ints, categories: tuple[Hashable, ...], rng: np.random.Generator
) -> Ints:
    """For each code one of its category."""
    numbers = {category: number for number, category in enumerate(dict.fromkeys(categories))}
    category = np.array([numbers[name] for name in categories])
    order = np.argsort(category, kind="stable")
    sizes = np.bincount(category)
    start = np.cumsum(sizes) - sizes
    own = category[codes]
    return np.asarray(order[start[own] + (rng.random(len(codes)) * sizes[own]).astype(np.int64)])


# Post-randomization: each value is redrawn with known probabilities.


Matrix = Mapping[Hashable, Mapping[Hashable, float]]


@dataclass(frozen=True)
class Pram:
    """Each value is replaced with known probabilities, so that no cell is certain.

    Without a `matrix`, a `share` of the cells is drawn anew: from the column's own frequencies if
    `invariant`, else from its other values, all alike. A `matrix` gives for one column the
    probability of each new value (inner) for each value (outer); `invariant` then adds a second
    draw back, so that the expected count of every value stays as it was.

    Parameters
    ----------
    columns
        The columns whose values are redrawn.
    share
        The share of the cells to redraw. Give either this or ``matrix``.
    matrix
        For one column, the probability of each new value (inner) for each value (outer).
    invariant
        Whether the expected count of every value stays as it was.

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
    share: float | None = field(default=None, metadata=within(above=0, most=1))
    matrix: Matrix | None = field(default=None, repr=False)
    invariant: bool = True

    def __post_init__(self) -> None:
        check_names(self.name, "columns", self.columns)
        if (self.share is None) == (self.matrix is None):
            raise ParameterError(self.name, "share", "given where no matrix is, and only there")
        if not isinstance(self.invariant, bool):
            raise ParameterError(self.name, "invariant", "true or false")
        if self.share is not None:
            check_range(self, "share")
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
        square = _build_square(self.matrix)
        bad = ~np.isclose(square.sum(axis=1), 1.0, rtol=0, atol=1e-9) | ~(square >= 0).all(axis=1)
        if bad.any():
            wanted = "made of rows that sum to 1, none negative"
            raise ParameterError(self.name, "matrix", f"{wanted} ({int(bad.sum())} do not)")

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with redrawn values."""
        rng = make_generator(self.name, seed)
        rows = read_rows(table, self.columns)
        notices: list[str] = []
        for column in self.columns:
            values = take_column(rows, column)
            rows = put(rows, column, self._draw_values(column, values, rng))
            notices += note_missing(self.name, column, values.null_count)
        return make_table(table, rows, notices)

    def _draw_values(self, column: str, values: pa.Array, rng: np.random.Generator) -> pa.Array:
        if self.matrix is None:
            known = values.drop_null().unique()
        else:
            known = cast_listed(self.name, column, tuple(self.matrix), values.type)
        codes = find_codes(self.name, column, values, known)
        filled = codes >= 0
        if not filled.any():
            return values
        drawn = codes.copy()
        if self.matrix is None:
            drawn[filled] = self._draw_by_share(codes[filled], len(known), rng)
        else:
            counts = np.bincount(codes[filled], minlength=len(known))
            square = _build_square(self.matrix)
            square = make_invariant(square, counts / counts.sum()) if self.invariant else square
            drawn[filled] = draw_by_matrix(codes[filled], square, rng)
        return known.take(pa.array(drawn, mask=~filled))

    def _draw_by_share(self, codes: Ints, values: int, rng: np.random.Generator) -> Ints:
        anew = rng.random(len(codes)) < (self.share or 0.0)
        if self.invariant:
            fresh = codes[rng.integers(len(codes), size=len(codes))]
        else:
            fresh = (codes + rng.integers(1, max(values, 2), size=len(codes))) % values
        return np.where(anew, fresh, codes)


def make_invariant(matrix: Floats, frequencies: Floats) -> Floats:
    """The matrix followed by its way back: the frequencies are expected to stay as they are.

    >>> found = make_invariant(np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0.25, 0.75]))
    >>> (np.array([0.25, 0.75]) @ found).round(12).tolist()
    [0.25, 0.75]
    """
    joint = frequencies[:, None] * matrix
    reached = joint.sum(axis=0)
    back = np.divide(joint, reached, out=np.zeros_like(joint), where=reached > 0).T
    return np.asarray(matrix @ back + np.diag(1.0 - (matrix @ back).sum(axis=1)))


def draw_by_matrix(codes: Ints, matrix: Floats, rng: np.random.Generator) -> Ints:
    """One draw for each code from its row of the matrix."""
    size = len(matrix)
    reached = np.cumsum(matrix, axis=1)
    reached /= reached[:, -1:]
    ladder = (reached + np.arange(size)[:, None]).ravel()
    found = np.searchsorted(ladder, codes + rng.random(len(codes)), side="right")
    return np.asarray(np.clip(found - codes * size, 0, size - 1), dtype=np.int64)


def _build_square(matrix: Matrix) -> Floats:
    lines = [[line.get(new, 0.0) for new in matrix] for line in matrix.values()]
    cells = [chance for line in lines for chance in line]
    if not all(isinstance(chance, int | float) and not abs(chance) > 2 for chance in cells):
        raise ParameterError(Pram.name, "matrix", "made of numbers")
    return np.array(lines, dtype=np.float64)
