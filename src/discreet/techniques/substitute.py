"""Replace values by others: as a list says, or by any value of the same category."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import field
from typing import ClassVar, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.table.table import Table
from discreet.techniques.arrow_rows import (
    Ints,
    check_names,
    column_of,
    generator,
    missing_notice,
    put,
    rows_of,
    table_of,
)
from discreet.techniques.listed_values import codes_in, listed
from discreet.techniques.technique import Protection, Turn

Others = Literal["refuse", "keep", "suppress"]


@dataclass(frozen=True)
class Substitute:
    """Values are replaced: each by the one that `replacements` gives, or within its category.

    `categories` gives the category of each value; a cell gets any listed value of its category, all
    alike likely, so that a category of one value stays as it is. `others` says what becomes of
    values that are not listed: an error, kept as they are, or blanked.

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
        """What becomes of a column."""
        return "replaced by a list" if self.replacements is not None else "drawn within categories"

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with values replaced."""
        rng = generator(self.name, seed)
        rows = rows_of(table, self.columns)
        notices: list[str] = []
        for column in self.columns:
            values = column_of(rows, column)
            rows = put(rows, column, self._replaced(column, values, rng))
            notices += missing_notice(self.name, column, values.null_count)
        return table_of(table, rows, notices)

    def _replaced(self, column: str, values: pa.Array, rng: np.random.Generator) -> pa.Array:
        given = self.replacements if self.replacements is not None else self.categories or {}
        known = listed(self.name, column, tuple(given), values.type)
        codes = codes_in(self.name, column, values, known, partly=self.others != "refuse")
        if self.replacements is not None:
            different = tuple(dict.fromkeys(given.values()))
            new = listed(self.name, column, different, values.type)
            order = {value: place for place, value in enumerate(different)}
            place = np.array([order[value] for value in given.values()])[codes]
        else:
            new, place = known, _drawn(codes, tuple(given.values()), rng)
        found = new.take(pa.array(place, mask=codes < 0))
        return pc.coalesce(found, values) if self.others == "keep" else found


def _drawn(codes: Ints, categories: tuple[Hashable, ...], rng: np.random.Generator) -> Ints:
    """For each code one of its category."""
    numbers = {category: number for number, category in enumerate(dict.fromkeys(categories))}
    category = np.array([numbers[name] for name in categories])
    order = np.argsort(category, kind="stable")
    sizes = np.bincount(category)
    start = np.cumsum(sizes) - sizes
    own = category[codes]
    return np.asarray(order[start[own] + (rng.random(len(codes)) * sizes[own]).astype(np.int64)])
