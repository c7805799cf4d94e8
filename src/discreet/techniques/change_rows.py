"""Add rows that belong to nobody."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

import numpy as np
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import ParameterError, ReleaseError
from discreet.number_range import check_range, within
from discreet.table.table import Table
from discreet.techniques.arrow_rows import (
    Ints,
    check_names,
    code_rows,
    make_generator,
    make_table,
    read_rows,
    take_column,
)
from discreet.techniques.technique import Protection, Turn

MOSTLY = 0.9
"""The share of different values from which a repeated value is likely a made row's."""


@dataclass(frozen=True)
class AddTuples:
    """Made rows among the real ones, so that no row is certain to be about a person.

    `share` is the number of made rows for each real one. Every made cell is drawn from its own
    column. With `classes`, a made row takes the values of a real row in these columns, and the
    others from rows of the same class. Made rows stand at random places and are marked nowhere.

    Parameters
    ----------
    share
        The number of made rows for each real one.
    classes
        Columns in which a made row takes the values of a real row.

    Notes
    -----
    [Sweeney2001]_, sec. 4.1 (adding tuples, chosen to keep aggregate properties). *Departures*:
    none. A missing cell is drawn as often as the column has one. A made row can be equal to a real
    one. Where a column has hardly a value twice, such as a number for each person, a made row
    repeats one and gives itself away as one of two: the notices name the column; replace or leave
    it out. Totals grow with the rows, and the recipient must know the share. *Cost*: one draw a
    made cell, with classes one sort; the rows in memory.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"sex": ["F", "M"] * 2, "ill": ["a", "b"] * 2}))
    >>> release = AddTuples(0.5, classes=("sex",))(table, seed=1)
    >>> rows = release.scan(text=release.columns).read_all().to_pylist()
    >>> len(rows), {(row["sex"], row["ill"]) for row in rows} == {("F", "a"), ("M", "b")}
    (6, True)
    """

    name: ClassVar[str] = "add_tuples"
    protection: ClassVar[Protection] = "null-map"
    truthful: ClassVar[bool] = False
    turn: ClassVar[Turn] = "end"
    keeps: ClassVar[str] = (
        "Every real row; the expected share of every value, and with classes how each other column "
        "goes with the class."
    )
    by_chance: ClassVar[bool] = True
    by_value: ClassVar[bool] = False
    done: ClassVar[str] = "rows added"
    columns: ClassVar[tuple[str, ...]] = ()

    share: float = field(metadata=within(above=0, most=100))
    classes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_range(self, "share")
        check_names(self.name, "classes", self.classes, empty=True)

    def __call__(self, table: Table, seed: int) -> Table:
        """The table with made rows."""
        rng = make_generator(self.name, seed)
        rows = read_rows(table, self.classes)
        made = round(self.share * rows.num_rows)
        if not made:
            raise ParameterError(self.name, "share", "large enough to make at least one row")
        codes = code_rows(rows, self.classes)
        order = np.argsort(codes, kind="stable")
        sizes = np.bincount(codes)
        start = np.cumsum(sizes) - sizes
        like = rng.integers(rows.num_rows, size=made)
        arrays, notices = [], []
        places = _mix_rows(rows.num_rows, made, rng)
        for column in rows.column_names:
            values = take_column(rows, column)
            source = like
            if column not in self.classes:
                inside = (rng.random(made) * sizes[codes[like]]).astype(np.int64)
                source = order[start[codes[like]] + inside]
            notices += _note_mostly_distinct(values, column)
            both = np.concatenate([np.arange(rows.num_rows), source])
            arrays.append(values.take(pa.array(both[places])))
        notices.append(f"{self.name}: {made} synthetic rows are among {rows.num_rows} real ones.")
        return make_table(table, pa.table(arrays, names=rows.column_names), notices)


def _mix_rows(real: int, made: int, rng: np.random.Generator) -> Ints:
    """The rows, real ones first, in an order that mixes them; real ones keep theirs."""
    taken = np.zeros(real + made, dtype=np.bool_)
    taken[rng.permutation(real + made)[:made]] = True
    places = np.empty(real + made, dtype=np.int64)
    places[taken] = np.arange(real, real + made)
    places[~taken] = np.arange(real)
    return places


def _note_mostly_distinct(values: pa.Array, column: str) -> list[str]:
    filled = values.drop_null()
    if pa.types.is_nested(values.type) or len(filled) < 2:
        return []
    if len(filled.unique()) < MOSTLY * len(filled):
        return []
    return [f"add_tuples: column '{column}' has hardly a value twice, so made rows show in it."]


# Release only some of the rows.


@dataclass(frozen=True)
class SampleRows:
    """A share of the rows, drawn at random, so that nobody knows who is in the release.

    With `within` the sample is stratified: every stratum gives its share, to within one row. Each
    row has the same chance in both kinds. The rows that are left keep their order.

    Parameters
    ----------
    share
        The share of the rows that is released.
    within
        Columns whose values form strata; every stratum gives its share.

    Notes
    -----
    [Sweeney2001]_, sec. 4.1 (sampling). *Departures*: stratified samples are drawn systematically
    with a random start through the rows in order of stratum, so that the size of the sample is
    exact and small strata are not left out for certain. A row unique in the sample need not be
    unique in the population; whether it is, `discreet risk` estimates. *Cost*: simple, a
    permutation of the row numbers; stratified, a sort. The rows in memory.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"sex": ["F"] * 6 + ["M"] * 4}))
    >>> release = SampleRows(0.5, within=("sex",))(table, seed=1)
    >>> release.scan(text=["sex"]).read_all()["sex"].to_pylist()
    ['F', 'F', 'F', 'M', 'M']
    """

    name: ClassVar[str] = "sample_rows"
    protection: ClassVar[Protection] = "k-map"
    truthful: ClassVar[bool] = True
    turn: ClassVar[Turn] = "rows"
    keeps: ClassVar[str] = (
        "Every released row is true; shares and means in expectation, and the shares of the strata."
    )
    by_chance: ClassVar[bool] = True
    by_value: ClassVar[bool] = False
    done: ClassVar[str] = "rows sampled"
    columns: ClassVar[tuple[str, ...]] = ()

    share: float = field(metadata=within(above=0, most=1))
    within: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_range(self, "share")
        check_names(self.name, "within", self.within, empty=True)

    def __call__(self, table: Table, seed: int) -> Table:
        """The rows drawn."""
        rng = make_generator(self.name, seed)
        rows = read_rows(table, self.within)
        size = round(self.share * rows.num_rows)
        if not size:
            raise ParameterError(self.name, "share", "large enough to leave at least one row")
        order = rng.permutation(rows.num_rows)
        if self.within:
            order = order[np.argsort(code_rows(rows, self.within)[order], kind="stable")]
            steps = (np.arange(size) + rng.random()) * (rows.num_rows / size)
            chosen = order[np.minimum(steps.astype(np.int64), rows.num_rows - 1)]
        else:
            chosen = order[:size]
        notice = f"{self.name}: {size} of {rows.num_rows} rows are in the sample."
        return make_table(table, rows.take(pa.array(np.sort(chosen))), [notice])


# Put the rows in another order.


@dataclass(frozen=True)
class Scramble:
    """The rows in a random order, so that their position reveals nothing.

    Notes
    -----
    [Sweeney2001]_, sec. 4.1 (scramble tuples) and sec. 5.5.1 (matching by place). *Departures*:
    none. It protects against matching by place alone and needs another technique beside it. Who
    has the seed can undo it: keep the seed, or let `discreet anonymize` order the rows with a key
    of its own. Missing cells stay in their rows. *Cost*: the rows in memory, each copied once.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> table = read(pa.table({"age": [31, 45, 62]}))
    >>> release = Scramble()(table, seed=1)
    >>> sorted(release.scan(native=["age"]).read_all()["age"].to_pylist())
    [31, 45, 62]
    """

    name: ClassVar[str] = "scramble"
    protection: ClassVar[Protection] = "null-map"
    truthful: ClassVar[bool] = True
    turn: ClassVar[Turn] = "end"
    keeps: ClassVar[str] = "Every row; only their order is new."
    by_chance: ClassVar[bool] = True
    by_value: ClassVar[bool] = False
    done: ClassVar[str] = "rows in random order"
    columns: ClassVar[tuple[str, ...]] = ()

    def __call__(self, table: Table, seed: int) -> Table:
        """The same rows in another order."""
        rng = make_generator(self.name, seed)
        rows = read_rows(table)
        return make_table(table, rows.take(pa.array(rng.permutation(rows.num_rows))))


def make_sampling_error(technique: str, rows: int, of: int, least: int) -> ReleaseError:
    """A technique leaves fewer rows than a class must have."""
    share = f"Take a share above {least / of:.3g}" if least < of else "Leave it out"
    what = f"{rows:,} of {of:,} rows are in the sample, and a class must have {least:,}"
    return ReleaseError(technique, what, f"{share}.")
