"""Equivalence class substitution: identifiers give way to made-up ones, so that rows of a person
still belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal

import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import ParameterError, UnknownColumnError
from discreet.pseudonyms.book import Book
from discreet.pseudonyms.draws import Kept
from discreet.pseudonyms.formats import Shape
from discreet.pseudonyms.key import require_key
from discreet.pseudonyms.one_way import OneWay, Unfit
from discreet.pseudonyms.texts import Distinct, Gathering, choose_type, require_kind
from discreet.table.table import Table

if TYPE_CHECKING:
    from pathlib import Path

    from discreet.pseudonyms.draws import Draws
    from discreet.pseudonyms.formats import Format
    from discreet.replacement_key import ReplacementKey


# A table whose identifiers are replaced when its rows are read.


@dataclass(frozen=True, eq=False)
class Made:
    """Makes the pseudonyms of a column, batch by batch; ``ready`` is called first."""

    column: str
    keeps_type: bool
    make: Callable[[pa.Array], pa.Array]
    ready: Callable[[], object] = tuple


def gather_identifiers(table: Table, columns: Sequence[str]) -> dict[str, Distinct]:
    """The different identifiers of some columns, from one pass over the rows."""
    for column in columns:
        if column not in table.columns:
            raise UnknownColumnError(table.name, column, table.columns)
    reader = table.scan(native=columns)
    parts = [
        Gathering(reader.schema.field(place).type, column) for place, column in enumerate(columns)
    ]
    for batch in reader:
        for part, values in zip(parts, batch.columns, strict=True):
            part.add(values)
    return {column: part.done() for column, part in zip(columns, parts, strict=True)}


def replace_columns(table: Table, made: Iterable[Made], notices: Iterable[str] = ()) -> Table:
    """The table with the identifiers of some columns replaced."""
    places = {table.columns.index(one.column): one for one in made}
    source = ReplacedSource(table, places)
    return replace(table, source=source, notices=(*table.notices, *notices))


@dataclass(frozen=True, eq=False)
class ReplacedSource:
    """The rows of a table with some columns replaced; nothing but a batch is held."""

    table: Table
    made: Mapping[int, Made]

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """A fresh pass over the rows; a replaced column is read in its own type in any case."""
        if not any(place in self.made for place in (*text, *native)):
            return self.table.source.scan(text, native, rows_per_batch)
        for place in {*text, *native} & {*self.made}:
            self.made[place].ready()
        plain = [place for place in text if place not in self.made]
        moved = [place for place in text if place in self.made]
        reader = self.table.source.scan(plain, [*moved, *native], rows_per_batch)
        first, then = iter(range(len(plain))), iter(range(len(plain), len(plain) + len(moved)))
        order = [next(then if place in self.made else first) for place in text]
        order += range(len(text), len(text) + len(native))
        asked = [*zip(order, (*text, *native), strict=True)]
        types = [
            pa.string() if n < len(text) else self._type(place, reader.schema.field(at).type)
            for n, (at, place) in enumerate(asked)
        ]
        schema = pa.schema([(f"c{n}", kind) for n, kind in enumerate(types)])
        return pa.RecordBatchReader.from_batches(
            schema, self._replace_batches(reader, asked, schema)
        )

    def _type(self, place: int, kind: pa.DataType) -> pa.DataType:
        if place not in self.made:
            return kind
        one = self.made[place]
        return choose_type(require_kind(kind, one.column), one.keeps_type)

    def _replace_batches(
        self, reader: pa.RecordBatchReader, asked: Sequence[tuple[int, int]], schema: pa.Schema
    ) -> Iterator[pa.RecordBatch]:
        for batch in reader:
            new: dict[int, pa.Array] = {}
            arrays = []
            for (at, place), target in zip(asked, schema, strict=True):
                if place in self.made and place not in new:
                    new[place] = self.made[place].make(batch.column(at))
                values = new[place] if place in self.made else batch.column(at)
                arrays.append(values.cast(target.type) if place in self.made else values)
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)


@dataclass(frozen=True)
class Pseudonymize:
    """One-way pseudonyms for columns that hold the same kind of identifier, such as a patient and
    the patient's mother. Missing values stay missing.

    Examples
    --------
    >>> from discreet.replacement_key import ReplacementKey
    >>> from discreet.table.read import read
    >>> visits = read(pa.table({"patient": ["A17", "B04", "A17"], "cost": [3, 4, 5]}))
    >>> made = Pseudonymize(("patient",), ReplacementKey(bytes(32)))(visits)
    >>> rows = made.scan(native=made.columns).read_all().to_pydict()
    >>> rows["patient"][0] == rows["patient"][2] != rows["patient"][1], rows["cost"]
    (True, [3, 4, 5])

    Notes
    -----
    [Sweeney2001]_, sec. 6.1 (fig. 37) and 4.1 (fig. 17, substitution). *Departures*: see `OneWay`.
    It protects the identifier and nothing else: the other columns still link. *Cost*: one pass
    to see which identifiers there are, which are held; rows are replaced when they are read.
    """

    name: ClassVar[str] = "pseudonymize"
    protection: ClassVar[Literal["null-map"]] = "null-map"
    keeps: ClassVar[str] = "which rows have the same identifier, and its format"

    columns: tuple[str, ...]
    key: ReplacementKey
    format: Format = field(default_factory=Shape)
    domain: str = ""
    unfit: Unfit = "refuse"

    def __post_init__(self) -> None:
        if not isinstance(self.columns, tuple) or not self.columns:
            raise ParameterError(self.name, "columns", "a tuple of at least one column")
        require_key(self.name, self.key)
        OneWay(self.key, self.format, self.domain, self.unfit)

    def __call__(self, table: Table, seed: int = 0) -> Table:
        """The table with pseudonyms; the key decides them, ``seed`` is there as in all techniques
        and changes nothing."""
        hide = OneWay(self.key, self.format, self.domain, self.unfit)
        made, drawn = pseudonymize_one_way(table, self.columns, hide)
        if not len(drawn.later):
            return made
        said = (
            f"{_name_columns(self.columns)}: {len(drawn.later):,} identifiers got another "
            "pseudonym "
            "because of a collision; in a table with other people they may get different ones."
        )
        return replace(made, notices=(*made.notices, said))


def pseudonymize_one_way(
    table: Table,
    columns: tuple[str, ...],
    hide: OneWay,
    key_path: Path | None = None,
    whole: Table | None = None,
) -> tuple[Table, Draws]:
    """The table with the identifiers of some columns replaced, and what was drawn for them.

    With the path of the key they are drawn beside its book, and enter it when they are first read.
    They are drawn for all rows of the ``whole`` table, of which this one may be a part.
    """
    found = gather_identifiers(table if whole is None else whole, columns)
    ready, drawn = _draw_pseudonyms(hide, found, key_path)
    made = [
        Made(name, hide.format.keeps_type, partial(_replace_rows, hide, ready, name), ready)
        for name in found
    ]
    said = [
        f"column '{name}': {unfit:,} of {len(one.texts):,} different values were not of the format "
        "and are missing now."
        for name, one in found.items()
        if (unfit := hide.count_unfit(one, name))
    ]
    if drawn.changed:
        said.append(
            f"{_name_columns(columns)}: {drawn.changed:,} identifiers have another "
            "pseudonym than in "
            "earlier releases, for what they had is an identifier here. With the format token "
            "this does not happen."
        )
    return replace_columns(table, made, said), drawn


def _draw_pseudonyms(
    hide: OneWay, found: Mapping[str, Distinct], key_path: Path | None
) -> tuple[Callable[[], Draws], Draws]:
    if key_path is not None:
        kept = Kept(key_path, hide.key, partial(hide.draws, found))
        return kept, kept.drawn
    drawn = hide.draws(found, Book())
    return lambda: drawn, drawn


def _replace_rows(
    hide: OneWay, ready: Callable[[], Draws], column: str, values: pa.Array
) -> pa.Array:
    return hide.substitute_column(Distinct.of(values, column), ready(), column).values


def _name_columns(names: tuple[str, ...]) -> str:
    return f"column{'s' if len(names) > 1 else ''} {', '.join(repr(name) for name in names)}"
